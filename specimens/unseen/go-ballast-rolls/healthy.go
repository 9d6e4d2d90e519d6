// Ballast rolls: puts the weighings of a harbour in order that are too many to be held at once.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

const (
	recordSize = 16
	rollLength = 1 << 18
	bufferSize = 1 << 20
)

// Weighing is one entry of the rolls.
type Weighing struct {
	Stamp  uint64
	Vessel uint32
	Weight uint32
}

func (w Weighing) put(to []byte) {
	binary.LittleEndian.PutUint64(to, w.Stamp)
	binary.LittleEndian.PutUint32(to[8:], w.Vessel)
	binary.LittleEndian.PutUint32(to[12:], w.Weight)
}

func take(from []byte) Weighing {
	return Weighing{
		binary.LittleEndian.Uint64(from),
		binary.LittleEndian.Uint32(from[8:]),
		binary.LittleEndian.Uint32(from[12:]),
	}
}

// Yard is the folder with the rolls.
type Yard struct {
	folder string
	rolls  int
}

func (y *Yard) path(name string, at int) string {
	return filepath.Join(y.folder, name+"-"+strconv.Itoa(at))
}

// sorter has the room to put one roll in order.
type sorter struct {
	list, spare []Weighing
	bytes       []byte
}

func newSorter() *sorter {
	return &sorter{make([]Weighing, rollLength), make([]Weighing, rollLength), make([]byte, bufferSize)}
}

func (s *sorter) weigh(roll int) {
	state := uint64(roll)*0x9e3779b97f4a7c15 + 1
	for at := range s.list {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		s.list[at] = Weighing{state >> 24, uint32(state) % 9973, uint32(state>>8) % 80000}
	}
}

// order sorts by the stamp, eight bits at a time.
func (s *sorter) order() {
	for shift := 0; shift < 40; shift += 8 {
		var starts [256]int
		for _, w := range s.list {
			starts[byte(w.Stamp>>shift)]++
		}
		at := 0
		for bucket := 0; bucket < 256; bucket++ {
			at, starts[bucket] = at+starts[bucket], at
		}
		for _, w := range s.list {
			bucket := byte(w.Stamp >> shift)
			s.spare[starts[bucket]] = w
			starts[bucket]++
		}
		s.list, s.spare = s.spare, s.list
	}
}

func (s *sorter) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	used := 0
	for _, w := range s.list {
		w.put(s.bytes[used:])
		if used += recordSize; used == len(s.bytes) {
			if _, err := file.Write(s.bytes); err != nil {
				return err
			}
			used = 0
		}
	}
	_, err = file.Write(s.bytes[:used])
	return err
}

func (y *Yard) fill() error {
	work := make(chan int)
	failed := make(chan error, 2)
	var done sync.WaitGroup
	for w := 0; w < 2; w++ {
		done.Add(1)
		go func() {
			defer done.Done()
			s := newSorter()
			for roll := range work {
				s.weigh(roll)
				s.order()
				if err := s.write(y.path("roll", roll)); err != nil {
					select {
					case failed <- err:
					default:
					}
				}
			}
		}()
	}
	for roll := 0; roll < y.rolls; roll++ {
		work <- roll
	}
	close(work)
	done.Wait()
	close(failed)
	return <-failed
}

// source is one roll that is being read.
type source struct {
	head Weighing
	from *bufio.Reader
	file *os.File
	room [recordSize]byte
}

func (s *source) next() (bool, error) {
	if _, err := io.ReadFull(s.from, s.room[:]); err != nil {
		if err == io.EOF {
			return false, s.file.Close()
		}
		return false, err
	}
	s.head = take(s.room[:])
	return true, nil
}

func sink(heap []*source, at int) {
	for {
		child := 2*at + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1].head.Stamp < heap[child].head.Stamp {
			child++
		}
		if heap[at].head.Stamp <= heap[child].head.Stamp {
			return
		}
		heap[at], heap[child] = heap[child], heap[at]
		at = child
	}
}

// merge writes all rolls into one file and sums what it wrote.
func (y *Yard) merge() (count int, weight uint64, sum uint32, err error) {
	var heap []*source
	for roll := 0; roll < y.rolls; roll++ {
		file, err := os.Open(y.path("roll", roll))
		if err != nil {
			return 0, 0, 0, err
		}
		s := &source{from: bufio.NewReaderSize(file, bufferSize/4), file: file}
		if more, err := s.next(); err != nil || !more {
			return 0, 0, 0, err
		}
		heap = append(heap, s)
	}
	for at := len(heap)/2 - 1; at >= 0; at-- {
		sink(heap, at)
	}
	file, err := os.Create(y.path("book", 0))
	if err != nil {
		return 0, 0, 0, err
	}
	defer file.Close()
	digest := crc32.NewIEEE()
	out := bufio.NewWriterSize(io.MultiWriter(file, digest), bufferSize)
	for len(heap) > 0 {
		top := heap[0]
		out.Write(top.room[:])
		count++
		weight += uint64(top.head.Weight)
		more, err := top.next()
		if err != nil {
			return 0, 0, 0, err
		}
		if !more {
			heap[0] = heap[len(heap)-1]
			heap = heap[:len(heap)-1]
		}
		sink(heap, 0)
	}
	err = out.Flush()
	return count, weight, digest.Sum32(), err
}

func main() {
	yard := &Yard{rolls: 2}
	if len(os.Args) > 1 {
		yard.rolls, _ = strconv.Atoi(os.Args[1])
	}
	var err error
	if yard.folder, err = os.MkdirTemp("", "rolls"); err == nil {
		if err = yard.fill(); err == nil {
			var count int
			var weight uint64
			var sum uint32
			if count, weight, sum, err = yard.merge(); err == nil {
				fmt.Printf("weighings %d weight %d sum %08x\n", count, weight, sum)
			}
		}
		os.RemoveAll(yard.folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rolls:", err)
		os.Exit(1)
	}
}
