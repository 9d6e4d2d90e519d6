// Reads depth soundings from survey files and prints a chart summary.
package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

type sounding struct {
	x, y  int
	depth float64
	boat  string
}

type cell struct {
	count   int
	deepest float64
	sum     float64
}

type chart struct {
	cells map[[2]int]*cell
	boats map[string]int
}

func newChart() *chart {
	return &chart{cells: map[[2]int]*cell{}, boats: map[string]int{}}
}

func (c *chart) add(s sounding) {
	key := [2]int{s.x / 50, s.y / 50}
	box := c.cells[key]
	if box == nil {
		box = &cell{}
		c.cells[key] = box
	}
	box.count++
	box.sum += correct(s.depth)
	box.deepest = math.Max(box.deepest, s.depth)
	c.boats[s.boat]++
}

// correct applies the speed of sound for the water column above the depth.
func correct(depth float64) float64 {
	return depth * (1 + 0.0004*math.Log1p(depth)) * math.Sqrt(1-0.00001*depth)
}

func survey(folder string, number, rows int) (string, error) {
	dice := rand.New(rand.NewSource(int64(number)))
	boats := []string{"tern", "skua", "plover"}
	var text strings.Builder
	fmt.Fprintf(&text, "%d\n", rows)
	for i := 0; i < rows; i++ {
		text.WriteString(strconv.Itoa(dice.Intn(2000)) + " " + strconv.Itoa(dice.Intn(2000)) + " ")
		text.WriteString(strconv.FormatFloat(dice.Float64()*180, 'f', 2, 64) + " " + boats[dice.Intn(3)] + "\n")
	}
	path := filepath.Join(folder, fmt.Sprintf("survey-%02d.txt", number))
	return path, os.WriteFile(path, []byte(text.String()), 0o600)
}

func scan(in io.Reader) (sounding, error) {
	var s sounding
	_, err := fmt.Fscan(in, &s.x, &s.y, &s.depth, &s.boat)
	return s, err
}

func load(path string, into *chart) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	var in io.Reader = bufio.NewReader(file)
	var rows int
	if _, err := fmt.Fscan(in, &rows); err != nil {
		return err
	}
	for i := 0; i < rows; i++ {
		s, err := scan(in)
		if err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
		into.add(s)
	}
	return nil
}

func summary(c *chart) string {
	keys := make([][2]int, 0, len(c.cells))
	for key := range c.cells {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(a, b int) bool {
		if keys[a][0] != keys[b][0] {
			return keys[a][0] < keys[b][0]
		}
		return keys[a][1] < keys[b][1]
	})
	crc := crc32.NewIEEE()
	for _, key := range keys {
		box := c.cells[key]
		fmt.Fprintf(crc, "%d %d %d %.1f %.2f\n", key[0], key[1], box.count, box.deepest, box.sum/float64(box.count))
	}
	return fmt.Sprintf("%d cells, tern %d, skua %d, plover %d, %08x", len(keys), c.boats["tern"], c.boats["skua"], c.boats["plover"], crc.Sum32())
}

func run(rows int) error {
	folder, err := os.MkdirTemp("", "soundings")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	c := newChart()
	for number := 0; number < 4; number++ {
		path, err := survey(folder, number, rows)
		if err != nil {
			return err
		}
		if err := load(path, c); err != nil {
			return err
		}
	}
	fmt.Println(summary(c))
	return nil
}

func main() {
	rows, err := strconv.Atoi(os.Args[1])
	if err == nil {
		err = run(rows)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
