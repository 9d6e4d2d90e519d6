// Searches a library's catalogue that is spread over four shards, and merges what they find into one list.
package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"net"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

var subjects = []string{"bees", "bells", "boats", "bridges", "canals", "clocks", "gardens", "glass", "maps", "mills", "organs", "ropes"}

// shard holds a quarter of the catalogue in segments on its own disk.
type shard struct {
	number   int
	segments int
	listener net.Listener
}

func openShard(number, segments int) (*shard, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &shard{number: number, segments: segments, listener: listener}
	go s.serve()
	return s, nil
}

func (s *shard) serve() {
	for {
		line, err := s.listener.Accept()
		if err != nil {
			return
		}
		go s.talk(line)
	}
}

func (s *shard) talk(line net.Conn) {
	defer line.Close()
	questions := bufio.NewScanner(line)
	for questions.Scan() {
		hits := s.find(questions.Text())
		if _, err := line.Write([]byte(strings.Join(hits, " ") + "\n")); err != nil {
			return
		}
	}
}

// find looks into one segment after the other: a seek on the disk for each.
func (s *shard) find(subject string) []string {
	time.Sleep(time.Duration(s.segments) * 1500 * time.Microsecond)
	seed := crc32.ChecksumIEEE([]byte(subject)) + uint32(s.number)*2654435761
	var hits []string
	for n := 0; n < 30; n++ {
		seed = seed*1664525 + 1013904223
		if seed>>28 < 11 {
			hits = append(hits, fmt.Sprintf("%d:%d", (seed>>12)%5000*4+uint32(s.number), seed>>20%400))
		}
	}
	return hits
}

type hit struct {
	book  int
	score int
}

// branch is the searcher's end of a line to a shard.
type branch struct {
	lock    sync.Mutex
	line    net.Conn
	answers *bufio.Reader
}

func dial(s *shard) (*branch, error) {
	line, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		return nil, err
	}
	return &branch{line: line, answers: bufio.NewReader(line)}, nil
}

func (b *branch) ask(subject string) ([]hit, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if _, err := b.line.Write([]byte(subject + "\n")); err != nil {
		return nil, err
	}
	text, err := b.answers.ReadString('\n')
	if err != nil {
		return nil, err
	}
	var hits []hit
	for _, word := range strings.Fields(text) {
		at := strings.IndexByte(word, ':')
		book, _ := strconv.Atoi(word[:at])
		score, _ := strconv.Atoi(word[at+1:])
		hits = append(hits, hit{book, score})
	}
	return hits, nil
}

// search asks all branches at the same time and merges their hits, best first.
func search(branches []*branch, subject string, limit int) ([]hit, error) {
	parts := make([][]hit, len(branches))
	faults := make([]error, len(branches))
	var wait sync.WaitGroup
	for n, b := range branches {
		wait.Add(1)
		go func(n int, b *branch) {
			defer wait.Done()
			parts[n], faults[n] = b.ask(subject)
		}(n, b)
	}
	wait.Wait()
	var all []hit
	for n, part := range parts {
		if faults[n] != nil {
			return nil, faults[n]
		}
		all = append(all, part...)
	}
	sort.Slice(all, func(i, k int) bool {
		if all[i].score != all[k].score {
			return all[i].score > all[k].score
		}
		return all[i].book < all[k].book
	})
	if len(all) > limit {
		all = all[:limit]
	}
	return all, nil
}

// reader narrows the search down: each question takes a word from what the last one found.
type reader struct {
	subject string
	found   int
	check   uint32
}

func (r *reader) next(hits []hit) {
	for _, h := range hits {
		r.check = r.check*31 + uint32(h.book*7+h.score)
	}
	r.found += len(hits)
	r.subject = subjects[r.check%uint32(len(subjects))] + strconv.Itoa(int(r.check>>8%9))
}

func run(questions int) (*reader, error) {
	var branches []*branch
	for number, segments := range []int{2, 2, 24, 2} {
		s, err := openShard(number, segments)
		if err != nil {
			return nil, err
		}
		defer s.listener.Close()
		b, err := dial(s)
		if err != nil {
			return nil, err
		}
		defer b.line.Close()
		branches = append(branches, b)
	}
	r := &reader{subject: subjects[0]}
	for n := 0; n < questions; n++ {
		hits, err := search(branches, r.subject, 25)
		if err != nil {
			return nil, err
		}
		r.next(hits)
	}
	return r, nil
}

func main() {
	questions := 10
	if len(os.Args) > 1 {
		questions, _ = strconv.Atoi(os.Args[1])
	}
	r, err := run(questions)
	if err != nil {
		fmt.Fprintln(os.Stderr, "search:", err)
		os.Exit(1)
	}
	fmt.Printf("questions %d found %d check %08x\n", questions, r.found, r.check)
}
