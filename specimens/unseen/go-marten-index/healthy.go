// Indexes a shelf of field notes and answers a list of questions about them.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
)

const words = 4000

type posting struct {
	note  int32
	times int32
}

// Index knows which notes hold which word.
type Index struct {
	lists   map[string][]posting
	lengths []int
}

func writeNotes(path string, notes int) error {
	var text bytes.Buffer
	state := uint32(21)
	for n := 0; n < notes; n++ {
		for w := 0; w < 80; w++ {
			state = state*1664525 + 1013904223
			rank := (state >> 9) % words * ((state >> 21) % words) / words
			text.WriteString("word")
			text.WriteString(strconv.Itoa(int(rank)))
			text.WriteByte(' ')
		}
		text.WriteByte('\n')
	}
	return os.WriteFile(path, text.Bytes(), 0o600)
}

func (x *Index) add(note int, line string) {
	counts := make(map[string]int32, 80)
	length := 0
	for _, word := range strings.Fields(line) {
		counts[word]++
		length++
	}
	for word, times := range counts {
		x.lists[word] = append(x.lists[word], posting{int32(note), times})
	}
	x.lengths = append(x.lengths, length)
}

func build(path string) (*Index, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	index := &Index{lists: make(map[string][]posting, words)}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), 1<<20)
	for note := 0; lines.Scan(); note++ {
		index.add(note, lines.Text())
	}
	return index, lines.Err()
}

type answer struct {
	note  int
	score float64
}

func (x *Index) ask(question []string, scores []float64, seen []int32) answer {
	seen = seen[:0]
	for _, word := range question {
		list := x.lists[word]
		weight := math.Log(1 + float64(len(x.lengths))/float64(1+len(list)))
		for _, p := range list {
			if scores[p.note] == 0 {
				seen = append(seen, p.note)
			}
			times := float64(p.times)
			scores[p.note] += weight * times * 2.2 / (times + 1.2*float64(x.lengths[p.note])/80)
		}
	}
	best := answer{note: -1}
	for _, note := range seen {
		if score := scores[note]; score > best.score || score == best.score && int(note) < best.note {
			best = answer{int(note), score}
		}
		scores[note] = 0
	}
	return best
}

func (x *Index) askAll(questions [][]string, hands int) []answer {
	answers := make([]answer, len(questions))
	numbers := make(chan int, 256)
	var crew sync.WaitGroup
	for h := 0; h < hands; h++ {
		crew.Add(1)
		go func() {
			defer crew.Done()
			scores := make([]float64, len(x.lengths))
			seen := make([]int32, 0, len(x.lengths))
			for n := range numbers {
				answers[n] = x.ask(questions[n], scores, seen)
			}
		}()
	}
	for n := range questions {
		numbers <- n
	}
	close(numbers)
	crew.Wait()
	return answers
}

func questions(count int) [][]string {
	list := make([][]string, count)
	for n := range list {
		for w := 0; w < 6; w++ {
			list[n] = append(list[n], "word"+strconv.Itoa((n*37+w*211)%900))
		}
	}
	return list
}

func main() {
	count := 200
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	path := fmt.Sprintf("%s/notes-%d.txt", os.TempDir(), os.Getpid())
	defer os.Remove(path)
	if err := writeNotes(path, 12000); err != nil {
		panic(err)
	}
	index, err := build(path)
	if err != nil {
		panic(err)
	}
	answers := index.askAll(questions(count), 2)
	sort.Slice(answers, func(a, b int) bool {
		return answers[a].score > answers[b].score || answers[a].score == answers[b].score && answers[a].note < answers[b].note
	})
	fmt.Printf("words %d answers %d best %d %.4f\n", len(index.lists), len(answers), answers[0].note, answers[0].score)
}
