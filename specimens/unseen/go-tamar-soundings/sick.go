// Works up the soundings of a river survey: depths along many lines across the stream.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"
)

type sounding struct {
	line  int
	metre float64
	depth float64
}

type profile struct {
	line    int
	points  int
	deepest float64
	area    float64
	last    sounding
}

// record writes the survey as the boat's logger does.
func record(path string, count int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	for n := 0; n < count; n++ {
		line, step := n/200, n%200
		depth := 6 + 4*math.Sin(float64(step)/31) + float64((n*7919)%100)/100
		fmt.Fprintf(out, "%d %.1f %.2f\n", line, float64(step)*0.5, depth)
	}
	return out.Flush()
}

// survey reads soundings one by one.
type survey struct {
	in io.Reader
}

func open(file *os.File) *survey {
	return &survey{in: file}
}

func (s *survey) next() (sounding, error) {
	var one sounding
	_, err := fmt.Fscan(s.in, &one.line, &one.metre, &one.depth)
	return one, err
}

// add puts a sounding into the profile of its line.
func (p *profile) add(one sounding) {
	if p.points > 0 {
		p.area += (one.metre - p.last.metre) * (one.depth + p.last.depth) / 2
	}
	p.deepest = math.Max(p.deepest, one.depth)
	p.points++
	p.last = one
}

func gather(s *survey) (map[int]*profile, error) {
	profiles := make(map[int]*profile)
	for {
		one, err := s.next()
		if errors.Is(err, io.EOF) {
			return profiles, nil
		}
		if err != nil {
			return nil, err
		}
		p := profiles[one.line]
		if p == nil {
			p = &profile{line: one.line}
			profiles[one.line] = p
		}
		p.add(one)
	}
}

// shallowest answers the lines with the smallest sections.
func shallowest(profiles map[int]*profile) []*profile {
	list := make([]*profile, 0, len(profiles))
	for _, p := range profiles {
		list = append(list, p)
	}
	sort.Slice(list, func(i, j int) bool {
		if list[i].area != list[j].area {
			return list[i].area < list[j].area
		}
		return list[i].line < list[j].line
	})
	return list
}

func run(folder string, count int) error {
	path := filepath.Join(folder, "river.txt")
	if err := record(path, count); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	profiles, err := gather(open(file))
	if err != nil {
		return err
	}
	list := shallowest(profiles)
	sum := 0.0
	for _, p := range list {
		sum += p.area
	}
	fmt.Printf("%d lines, mean section %.3f, first %d, deepest %.2f\n", len(list), sum/float64(len(list)), list[0].line, list[0].deepest)
	return nil
}

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	folder, err := os.MkdirTemp("", "river")
	if err == nil {
		err = run(folder, count)
		os.RemoveAll(folder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
