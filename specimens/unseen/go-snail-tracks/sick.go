// Follows snails over a terrace: every track wears the tiles, and worn tiles are counted at the end.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
)

const side = 180

type tile struct {
	visits int
	slime  int
}

// Terrace knows only the tiles that were trodden on.
type Terrace struct {
	tiles map[string]*tile
}

func lay() *Terrace {
	return &Terrace{tiles: make(map[string]*tile)}
}

func (t *Terrace) at(column, row int) *tile {
	key := fmt.Sprintf("%d:%d", column, row)
	found, ok := t.tiles[key]
	if !ok {
		found = &tile{}
		t.tiles[key] = found
	}
	return found
}

func (t *Terrace) tread(column, row, weight int) int {
	under := t.at(column, row)
	under.visits++
	under.slime = under.slime*7/8 + weight
	return under.slime
}

type snail struct {
	column, row int
	weight      int
	state       uint32
	path        int
}

func (s *snail) turn() uint32 {
	s.state = s.state*1664525 + 1013904223
	return s.state >> 13
}

// crawl goes to one of the neighbours, and likes slime.
func (s *snail) crawl(terrace *Terrace) {
	choice := s.turn()
	switch choice % 4 {
	case 0:
		s.column++
	case 1:
		s.row++
	case 2:
		s.column--
	default:
		s.row--
	}
	s.column = (s.column + side) % side
	s.row = (s.row + side) % side
	if terrace.tread(s.column, s.row, s.weight) > 40 {
		s.path++
	}
}

func snails(count int) []*snail {
	all := make([]*snail, count)
	for number := range all {
		all[number] = &snail{
			column: number * 37 % side,
			row:    number * 91 % side,
			weight: 3 + number%9,
			state:  uint32(number*7919 + 17),
		}
	}
	return all
}

func (t *Terrace) worn(limit int) (int, int) {
	count, most := 0, 0
	for _, one := range t.tiles {
		if one.visits >= limit {
			count++
		}
		if one.visits > most {
			most = one.visits
		}
	}
	return count, most
}

func (t *Terrace) median() int {
	visits := make([]int, 0, len(t.tiles))
	for _, one := range t.tiles {
		visits = append(visits, one.visits)
	}
	sort.Ints(visits)
	return visits[len(visits)/2]
}

func main() {
	nights := 10
	if len(os.Args) > 1 {
		nights, _ = strconv.Atoi(os.Args[1])
	}
	terrace := lay()
	all := snails(60)
	for step := 0; step < nights*100; step++ {
		for _, one := range all {
			one.crawl(terrace)
		}
	}
	worn, most := terrace.worn(nights)
	path := 0
	for _, one := range all {
		path += one.path
	}
	fmt.Printf("%d tiles, %d worn, most %d, median %d, path %d\n", len(terrace.tiles), worn, most, terrace.median(), path)
}
