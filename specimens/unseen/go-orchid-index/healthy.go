// Indexes scanned plates of an orchid atlas by the title at the head of each page.
package main

import (
	"bytes"
	"fmt"
	"os"
	"sort"
	"strconv"
)

const pageSize = 64 << 10

// Scanner hands out pages as they come from the plates.
type Scanner struct {
	plate  []byte
	number int
}

// Index knows the title of each page.
type Index struct {
	titles [][]byte
	ink    uint64
}

func newScanner() *Scanner {
	plate := make([]byte, pageSize)
	for i := range plate {
		plate[i] = byte(i*7 + i>>8)
	}
	return &Scanner{plate: plate}
}

func (s *Scanner) read() []byte {
	page := make([]byte, pageSize)
	copy(page, s.plate)
	head := "Orchis " + strconv.Itoa(s.number*7919%100003) + "\n"
	copy(page, head)
	s.number++
	return page
}

func title(page []byte) []byte {
	end := bytes.IndexByte(page, '\n')
	if end < 0 {
		return nil
	}
	return page[:end]
}

func moisture(page []byte) uint64 {
	var sum uint64
	for i := 0; i < len(page); i += 61 {
		sum = sum*31 + uint64(page[i])
	}
	return sum
}

// Add takes one page into the index.
func (x *Index) Add(page []byte) {
	name := title(page)
	if name == nil {
		return
	}
	x.ink ^= moisture(page)
	x.titles = append(x.titles, append([]byte(nil), name...))
}

// Sort puts the titles in order.
func (x *Index) Sort() {
	sort.Slice(x.titles, func(i, j int) bool {
		return bytes.Compare(x.titles[i], x.titles[j]) < 0
	})
}

// Digest is a number for the whole index.
func (x *Index) Digest() uint64 {
	sum := x.ink
	for _, name := range x.titles {
		for _, letter := range name {
			sum = sum*131 + uint64(letter)
		}
	}
	return sum
}

// Scan reads the pages of the atlas.
func Scan(scanner *Scanner, pages int) *Index {
	index := &Index{}
	for i := 0; i < pages; i++ {
		index.Add(scanner.read())
	}
	return index
}

func main() {
	pages := 500
	if len(os.Args) > 1 {
		pages, _ = strconv.Atoi(os.Args[1])
	}
	index := Scan(newScanner(), pages)
	index.Sort()
	fmt.Printf("%d titles, first %s, digest %x\n", len(index.titles), index.titles[0], index.Digest())
}
