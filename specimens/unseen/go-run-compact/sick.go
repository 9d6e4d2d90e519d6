// Compaction of a key-value store: sorted runs are merged into one table with a filter in front.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"sync"
)

type record struct {
	key   uint64
	stamp uint32
	value uint32
}

type run []record

func (r run) Len() int      { return len(r) }
func (r run) Swap(a, b int) { r[a], r[b] = r[b], r[a] }
func (r run) Less(a, b int) bool {
	return r[a].key < r[b].key || r[a].key == r[b].key && r[a].stamp > r[b].stamp
}

func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

func fill(number, size int) run {
	r := make(run, size)
	for at := range r {
		seed := mix(uint64(number)<<32 | uint64(at))
		r[at] = record{key: seed % uint64(size*6), stamp: uint32(number), value: uint32(seed >> 40)}
	}
	sort.Sort(r)
	return r
}

func fillAll(count, size int) []run {
	runs := make([]run, count)
	numbers := make(chan int)
	var group sync.WaitGroup
	for worker := 0; worker < runtime.NumCPU(); worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for number := range numbers {
				runs[number] = fill(number, size)
			}
		}()
	}
	for number := range runs {
		numbers <- number
	}
	close(numbers)
	group.Wait()
	return runs
}

type cursor struct {
	rest run
}

type merger struct {
	heap []cursor
}

func (m *merger) before(a, b int) bool {
	x, y := &m.heap[a].rest[0], &m.heap[b].rest[0]
	return x.key < y.key || x.key == y.key && x.stamp > y.stamp
}

func (m *merger) sink(at int) {
	for {
		child := 2*at + 1
		if child >= len(m.heap) {
			return
		}
		if child+1 < len(m.heap) && m.before(child+1, child) {
			child++
		}
		if !m.before(child, at) {
			return
		}
		m.heap[at], m.heap[child] = m.heap[child], m.heap[at]
		at = child
	}
}

func newMerger(runs []run) *merger {
	m := &merger{}
	for _, r := range runs {
		if len(r) > 0 {
			m.heap = append(m.heap, cursor{r})
		}
	}
	for at := len(m.heap)/2 - 1; at >= 0; at-- {
		m.sink(at)
	}
	return m
}

func (m *merger) next() (record, bool) {
	if len(m.heap) == 0 {
		return record{}, false
	}
	first := m.heap[0].rest[0]
	m.heap[0].rest = m.heap[0].rest[1:]
	if len(m.heap[0].rest) == 0 {
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
	}
	m.sink(0)
	return first, true
}

type filter struct {
	bits []uint64
}

func (f *filter) add(key uint64) {
	hash := mix(key)
	for probe := 0; probe < 3; probe++ {
		at := hash % uint64(len(f.bits)*64)
		f.bits[at>>6] |= 1 << (at & 63)
		hash = hash>>17 | hash<<47
	}
}

func compact(path string, runs []run, total int) (kept int, f *filter, err error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, nil, err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 256<<10)
	f = &filter{bits: make([]uint64, total/8+1)}
	m := newMerger(runs)
	var line [12]byte
	var last uint64
	for r, ok := m.next(); ok; r, ok = m.next() {
		if kept > 0 && r.key == last {
			continue
		}
		last = r.key
		kept++
		f.add(r.key)
		binary.LittleEndian.PutUint64(line[:8], r.key)
		binary.LittleEndian.PutUint32(line[8:], r.value)
		if _, err := out.Write(line[:]); err != nil {
			return 0, nil, err
		}
	}
	return kept, f, out.Flush()
}

func checksum(path string) (uint32, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	sum := crc32.NewIEEE()
	_, err = io.CopyBuffer(sum, file, make([]byte, 256<<10))
	return sum.Sum32(), err
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	must(err)
	size, err := strconv.Atoi(os.Args[2])
	must(err)
	folder, err := os.MkdirTemp("", "table-")
	must(err)
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "table-1.sst")
	kept, f, err := compact(path, fillAll(count, size), count*size)
	must(err)
	seal, err := checksum(path)
	must(err)
	var word uint64
	for _, bits := range f.bits {
		word = mix(word ^ bits)
	}
	fmt.Printf("kept=%d filter=%016x seal=%08x\n", kept, word, seal)
}
