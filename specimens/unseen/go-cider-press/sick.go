// Cider press: turns the weighing slips of a season into a journal file.
package main

import (
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"sync"
)

// Slip is one weighing.
type Slip struct {
	Farm  int
	Sort  string
	Kilos int
	Sugar float64
}

// Sink takes the rows of the journal.
type Sink interface {
	Row(fields ...string) error
	Close() error
}

// Journal writes rows to a file.
type Journal struct {
	file *os.File
	out  *csv.Writer
}

// Open makes a journal.
func Open(path string) (*Journal, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &Journal{file: file, out: csv.NewWriter(file)}, nil
}

// Row writes one row.
func (j *Journal) Row(fields ...string) error {
	if err := j.out.Write(fields); err != nil {
		return err
	}
	j.out.Flush()
	return j.out.Error()
}

// Close ends the journal.
func (j *Journal) Close() error {
	j.out.Flush()
	if err := j.out.Error(); err != nil {
		return err
	}
	return j.file.Close()
}

func slips(count int, to chan<- []Slip) {
	sorts := []string{"Boskoop", "Gala", "Kingston Black", "Dabinett", "Yarlington \"Mill\""}
	state := uint64(88172645463325252)
	part := make([]Slip, 0, 1000)
	for i := 0; i < count; i++ {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		part = append(part, Slip{Farm: int(state % 80), Sort: sorts[state>>20%5], Kilos: int(state >> 30 % 900), Sugar: float64(state>>40%100) / 7})
		if len(part) == cap(part) {
			to <- part
			part = make([]Slip, 0, 1000)
		}
	}
	to <- part
	close(to)
}

// Totals are the kilos of each farm.
type Totals map[int]int

func (t Totals) add(slip Slip) {
	t[slip.Farm] += slip.Kilos
}

func (t Totals) best(n int) []int {
	farms := make([]int, 0, len(t))
	for farm := range t {
		farms = append(farms, farm)
	}
	sort.Slice(farms, func(a, b int) bool {
		return t[farms[a]] > t[farms[b]] || t[farms[a]] == t[farms[b]] && farms[a] < farms[b]
	})
	return farms[:n]
}

func press(from <-chan []Slip, sink Sink) (Totals, error) {
	totals := Totals{}
	number := 0
	for part := range from {
		for _, slip := range part {
			number++
			totals.add(slip)
			juice := float64(slip.Kilos) * (0.55 + slip.Sugar/100)
			err := sink.Row(strconv.Itoa(number), strconv.Itoa(slip.Farm), slip.Sort, strconv.Itoa(slip.Kilos),
				strconv.FormatFloat(juice, 'f', 2, 64))
			if err != nil {
				return nil, err
			}
		}
	}
	return totals, sink.Close()
}

func checksum(path string) (uint64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	sum := fnv.New64a()
	_, err = io.Copy(sum, file)
	return sum.Sum64(), err
}

func run(count int) error {
	folder, err := os.MkdirTemp("", "cider")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "journal.csv")
	journal, err := Open(path)
	if err != nil {
		return err
	}
	queue := make(chan []Slip, 4)
	var scale sync.WaitGroup
	scale.Add(1)
	go func() {
		defer scale.Done()
		slips(count, queue)
	}()
	totals, err := press(queue, journal)
	if err != nil {
		return err
	}
	scale.Wait()
	sum, err := checksum(path)
	fmt.Printf("journal %x best %v\n", sum, totals.best(3))
	return err
}

func main() {
	count := 1000
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	if err := run(count); err != nil {
		fmt.Fprintln(os.Stderr, "press:", err)
		os.Exit(1)
	}
}
