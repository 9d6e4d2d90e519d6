// Kestrel sheets: reads the nest surveys of many parishes out of one archive file.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Sheet says where the survey of one parish stands in the archive.
type Sheet struct {
	Parish string
	Offset int64
	Length int64
}

// Nest is one line of a sheet.
type Nest struct {
	Site   string
	Height float64
	Eggs   int
	Young  int
}

// Archive is the file with all sheets.
type Archive struct {
	file  *os.File
	index []Sheet
}

type counter struct {
	to io.Writer
	at int64
}

func (c *counter) Write(part []byte) (int, error) {
	n, err := c.to.Write(part)
	c.at += int64(n)
	return n, err
}

func create(path string, parishes int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriterSize(file, 1<<16)
	body := &counter{to: out}
	var index []Sheet
	state := uint32(19937)
	for p := 0; p < parishes; p++ {
		start := body.at
		fmt.Fprintf(body, "%d\n", 40)
		for n := 0; n < 40; n++ {
			state = state*1664525 + 1013904223
			fmt.Fprintf(body, "%s%03d %.1f %d %d\n", []string{"tower", "cliff", "barn", "oak"}[state>>30],
				n, float64(state>>12&255)/4, state>>20&7, state>>24&3)
		}
		index = append(index, Sheet{fmt.Sprintf("parish-%04d", p), start, body.at - start})
	}
	start := body.at
	for _, sheet := range index {
		fmt.Fprintf(body, "%s %d %d\n", sheet.Parish, sheet.Offset, sheet.Length)
	}
	binary.Write(body, binary.LittleEndian, start)
	return out.Flush()
}

// Open reads the index at the end of an archive.
func Open(path string) (*Archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	end, err := file.Seek(-8, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	var start int64
	if err := binary.Read(file, binary.LittleEndian, &start); err != nil {
		return nil, err
	}
	archive := &Archive{file: file}
	lines := bufio.NewScanner(io.NewSectionReader(file, start, end-start))
	for lines.Scan() {
		parts := strings.Fields(lines.Text())
		if len(parts) != 3 {
			return nil, errors.New("index is broken")
		}
		offset, _ := strconv.ParseInt(parts[1], 10, 64)
		length, _ := strconv.ParseInt(parts[2], 10, 64)
		archive.index = append(archive.index, Sheet{parts[0], offset, length})
	}
	return archive, lines.Err()
}

// Check reads the whole archive and sums it.
func (a *Archive) Check() (uint32, error) {
	sum := crc32.NewIEEE()
	_, err := io.CopyBuffer(sum, io.NewSectionReader(a.file, 0, 1<<40), make([]byte, 1<<18))
	return sum.Sum32(), err
}

func (a *Archive) sheet(at int) io.Reader {
	entry := a.index[at]
	return bufio.NewReader(io.NewSectionReader(a.file, entry.Offset, entry.Length))
}

// Nests reads one sheet.
func (a *Archive) Nests(at int, list []Nest) ([]Nest, error) {
	from := a.sheet(at)
	var count int
	if _, err := fmt.Fscan(from, &count); err != nil {
		return nil, err
	}
	for i := 0; i < count; i++ {
		var nest Nest
		if _, err := fmt.Fscan(from, &nest.Site, &nest.Height, &nest.Eggs, &nest.Young); err != nil {
			return nil, fmt.Errorf("%s, nest %d: %w", a.index[at].Parish, i, err)
		}
		list = append(list, nest)
	}
	return list, nil
}

type summary struct {
	nests, eggs, young int
	heights            []float64
}

func (s *summary) add(nests []Nest) {
	for _, nest := range nests {
		s.nests++
		s.eggs += nest.Eggs
		s.young += nest.Young
		if strings.HasPrefix(nest.Site, "cliff") {
			s.heights = append(s.heights, nest.Height)
		}
	}
}

func (s *summary) median() float64 {
	sort.Float64s(s.heights)
	return s.heights[len(s.heights)/2]
}

func survey(path string) error {
	archive, err := Open(path)
	if err != nil {
		return err
	}
	defer archive.file.Close()
	sum, err := archive.Check()
	if err != nil {
		return err
	}
	var total summary
	var nests []Nest
	for at := range archive.index {
		if nests, err = archive.Nests(at, nests[:0]); err != nil {
			return err
		}
		total.add(nests)
	}
	fmt.Printf("nests %d eggs %d young %d cliff %.1f sum %08x\n", total.nests, total.eggs, total.young, total.median(), sum)
	return nil
}

func main() {
	parishes := 20
	if len(os.Args) > 1 {
		parishes, _ = strconv.Atoi(os.Args[1])
	}
	folder, err := os.MkdirTemp("", "sheets")
	if err == nil {
		path := filepath.Join(folder, "archive")
		if err = create(path, parishes); err == nil {
			err = survey(path)
		}
		os.RemoveAll(folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sheets:", err)
		os.Exit(1)
	}
}
