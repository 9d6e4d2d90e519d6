// A mill: sacks of grain go through as many stones as there are cores, sack by sack.
package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
)

const sackSize = 32 << 10

type sack struct {
	number int
	grain  []uint32
	flour  uint64
}

// Mill grinds sacks and writes a line for each.
type Mill struct {
	sacks sync.Pool
	book  *bufio.Writer
	check uint32
}

func newMill(out io.Writer) *Mill {
	mill := &Mill{book: bufio.NewWriterSize(out, 1<<16)}
	mill.sacks.New = func() any { return &sack{grain: make([]uint32, sackSize)} }
	return mill
}

func (s *sack) fill(number int) {
	state := uint32(number)*2654435761 + 1
	for i := range s.grain {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		s.grain[i] = state
	}
	s.number = number
}

func (s *sack) grind() {
	var sum uint64
	for turn := uint32(1); turn <= 32; turn++ {
		for _, corn := range s.grain {
			mixed := (corn ^ turn) * 0x85ebca6b
			sum += uint64(mixed ^ mixed>>13)
		}
	}
	s.flour = sum
}

func (m *Mill) stone(in <-chan *sack, out chan<- *sack, done *sync.WaitGroup) {
	defer done.Done()
	for sack := range in {
		sack.grind()
		out <- sack
	}
}

func (m *Mill) enter(out <-chan *sack, flour []uint64) {
	for sack := range out {
		flour[sack.number] = sack.flour
		m.sacks.Put(sack)
	}
}

// Run sends all sacks through the mill.
func (m *Mill) Run(count int) {
	stones := runtime.GOMAXPROCS(0)
	in, out := make(chan *sack, 2*stones), make(chan *sack, 2*stones)
	var done sync.WaitGroup
	for i := 0; i < stones; i++ {
		done.Add(1)
		go m.stone(in, out, &done)
	}
	go func() {
		for number := 0; number < count; number++ {
			sack := m.sacks.Get().(*sack)
			sack.fill(number)
			in <- sack
		}
		close(in)
		done.Wait()
		close(out)
	}()
	flour := make([]uint64, count)
	m.enter(out, flour)
	for number, weight := range flour {
		fmt.Fprintln(m.book, number, weight)
		m.check = crc32.Update(m.check, crc32.IEEETable, strconv.AppendUint(nil, weight, 10))
	}
	_ = m.book.Flush()
}

func main() {
	count := 50
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	mill := newMill(io.Discard)
	mill.Run(count)
	fmt.Printf("%d sacks, check %08x\n", count, mill.check)
}
