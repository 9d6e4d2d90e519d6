// Prepares the manuals of a tool maker for the archive: wraps the text, counts its words, packs each volume.
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"os"
	"runtime"
	"sort"
	"strconv"
	"sync"
	"time"
)

var stems = []string{"anvil", "bolt", "chisel", "drill", "edge", "file", "gauge", "handle", "iron", "jig", "knob",
	"lathe", "mallet", "nail", "oil", "plane", "quill", "rasp", "saw", "tongs", "vice", "wedge"}

type dice uint64

func (d *dice) below(limit int) int {
	*d ^= *d << 13
	*d ^= *d >> 7
	*d ^= *d << 17
	return int(uint64(*d)>>20) % limit
}

type volume struct {
	number  int
	packed  int
	lines   int
	seal    uint32
	entries map[string]int
}

// press is what one worker needs for its volumes; it serves one after the other.
type press struct {
	text    bytes.Buffer
	wrapped bytes.Buffer
	packed  bytes.Buffer
	writer  *gzip.Writer
}

func newPress() *press {
	writer, err := gzip.NewWriterLevel(nil, gzip.DefaultCompression)
	if err != nil {
		panic(err)
	}
	return &press{writer: writer}
}

func (p *press) write(number int) {
	p.text.Reset()
	d := dice(number*2654435761 + 977)
	for sentence := 0; sentence < 2600; sentence++ {
		for word := 0; word < 5+d.below(9); word++ {
			p.text.WriteString(stems[d.below(len(stems))])
			if d.below(6) == 0 {
				p.text.WriteByte('s')
			}
			p.text.WriteByte(' ')
		}
		p.text.WriteString(strconv.Itoa(d.below(400)))
		p.text.WriteString(" mm. ")
	}
}

// wrap breaks the text into lines of at most 72 characters.
func (p *press) wrap() int {
	p.wrapped.Reset()
	lines, width := 0, 0
	rest := p.text.Bytes()
	for len(rest) > 0 {
		end := bytes.IndexByte(rest, ' ')
		if end < 0 {
			end = len(rest)
		}
		if width+end > 72 {
			p.wrapped.WriteByte('\n')
			lines++
			width = 0
		}
		p.wrapped.Write(rest[:end])
		p.wrapped.WriteByte(' ')
		width += end + 1
		if end == len(rest) {
			break
		}
		rest = rest[end+1:]
	}
	return lines
}

func (p *press) count() map[string]int {
	entries := make(map[string]int, 64)
	for _, word := range bytes.Fields(p.wrapped.Bytes()) {
		if last := word[len(word)-1]; last < 'a' || last > 'z' {
			continue
		}
		entries[string(word)]++
	}
	return entries
}

func (p *press) pack() error {
	p.packed.Reset()
	p.writer.Reset(&p.packed)
	if _, err := p.writer.Write(p.wrapped.Bytes()); err != nil {
		return err
	}
	return p.writer.Close()
}

func (p *press) make(number int) volume {
	p.write(number)
	v := volume{number: number, lines: p.wrap(), entries: p.count()}
	if err := p.pack(); err != nil {
		panic(err)
	}
	v.packed = p.packed.Len()
	v.seal = crc32.ChecksumIEEE(p.packed.Bytes())
	return v
}

// clock writes a line to the error output if the work takes minutes.
func clock(done <-chan struct{}) {
	ticks := time.NewTicker(time.Minute)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			fmt.Fprintln(os.Stderr, "still at work")
		case <-done:
			return
		}
	}
}

func main() {
	volumes := 170
	if len(os.Args) > 1 {
		volumes, _ = strconv.Atoi(os.Args[1])
	}
	done := make(chan struct{})
	go clock(done)
	numbers := make(chan int)
	finished := make(chan volume, 8)
	var workers sync.WaitGroup
	for n := 0; n < runtime.GOMAXPROCS(0); n++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			p := newPress()
			for number := range numbers {
				finished <- p.make(number)
			}
		}()
	}
	go func() {
		for number := 0; number < volumes; number++ {
			numbers <- number
		}
		close(numbers)
		workers.Wait()
		close(finished)
	}()
	total := make(map[string]int)
	lines, packed, seal := 0, 0, uint32(0)
	for v := range finished {
		lines += v.lines
		packed += v.packed
		seal ^= v.seal
		for word, count := range v.entries {
			total[word] += count
		}
	}
	close(done)
	words := make([]string, 0, len(total))
	for word := range total {
		words = append(words, word)
	}
	sort.Slice(words, func(i, j int) bool {
		return total[words[i]] > total[words[j]] || total[words[i]] == total[words[j]] && words[i] < words[j]
	})
	fmt.Printf("volumes %d lines %d packed %d first %s=%d seal %08x\n", volumes, lines, packed, words[0], total[words[0]], seal)
}
