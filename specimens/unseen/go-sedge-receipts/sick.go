// The till of a garden market: takes the day's sales, writes a receipt for each into the journal and closes the day.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strconv"
)

type sale struct {
	number uint32
	stall  uint32
	cents  uint32
}

// Journal keeps receipts in the order in which they were given.
type Journal struct {
	file  *os.File
	out   *bufio.Writer
	chain uint64
	count int
}

func openJournal(path string) (*Journal, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &Journal{file: file, out: bufio.NewWriterSize(file, 1<<16)}, nil
}

func (j *Journal) encode(s sale) []byte {
	record := make([]byte, 20)
	binary.LittleEndian.PutUint32(record, s.number)
	binary.LittleEndian.PutUint32(record[4:], s.stall)
	binary.LittleEndian.PutUint32(record[8:], s.cents)
	hash := fnv.New64a()
	_ = binary.Write(hash, binary.LittleEndian, j.chain)
	_, _ = hash.Write(record[:12])
	j.chain = hash.Sum64()
	binary.LittleEndian.PutUint64(record[12:], j.chain)
	return record
}

func (j *Journal) append(s sale) error {
	if _, err := j.out.Write(j.encode(s)); err != nil {
		return err
	}
	j.count++
	return j.settle()
}

func (j *Journal) settle() error {
	if err := j.out.Flush(); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *Journal) close() error {
	if err := j.settle(); err != nil {
		return err
	}
	return j.file.Close()
}

// Till adds up what the stalls have taken.
type Till struct {
	journal *Journal
	stalls  [12]uint64
}

func (t *Till) discount(s sale) uint32 {
	rate := s.number
	for step := 0; step < 20000; step++ {
		rate = rate*1103515245 + 12345
	}
	return s.cents * (rate >> 24 % 8) / 100
}

func (t *Till) ring(s sale) error {
	s.cents -= t.discount(s) % (s.cents + 1)
	t.stalls[s.stall] += uint64(s.cents)
	return t.journal.append(s)
}

func (t *Till) day(sales int) error {
	for n := 0; n < sales; n++ {
		s := sale{uint32(n), uint32(n * 7 % 12), uint32(150 + n*7919%6000)}
		if err := t.ring(s); err != nil {
			return err
		}
	}
	return t.journal.close()
}

func verify(path string) (uint64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	record := make([]byte, 20)
	last := uint64(0)
	for {
		if _, err := io.ReadFull(in, record); err == io.EOF {
			return last, nil
		} else if err != nil {
			return 0, err
		}
		last = binary.LittleEndian.Uint64(record[12:])
	}
}

func main() {
	sales := 20
	if len(os.Args) > 1 {
		sales, _ = strconv.Atoi(os.Args[1])
	}
	path := fmt.Sprintf("%s/journal-%d.bin", os.TempDir(), os.Getpid())
	defer os.Remove(path)
	journal, err := openJournal(path)
	if err != nil {
		panic(err)
	}
	till := &Till{journal: journal}
	if err := till.day(sales); err != nil {
		panic(err)
	}
	last, err := verify(path)
	if err != nil {
		panic(err)
	}
	fmt.Printf("receipts %d first stall %d chain %x %t\n", journal.count, till.stalls[0], last, last == journal.chain)
}
