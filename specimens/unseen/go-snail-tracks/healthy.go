// Follows snails over a terrace: each goes where the slime is best, wears the tiles, and grows tired of them.
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
	damp   int
}

// view is what a snail sees of a tile beside it.
type view struct {
	column, row int
	slime       int
	damp        int
	worn        bool
}

// Terrace is a square of tiles; who leaves it on one side comes back on the other.
type Terrace struct {
	tiles [side * side]tile
}

func lay() *Terrace {
	t := &Terrace{}
	for place := range t.tiles {
		t.tiles[place].damp = place * 7919 % 23
	}
	return t
}

func (t *Terrace) around(column, row int, near []view) []view {
	for down := -1; down <= 1; down++ {
		for right := -1; right <= 1; right++ {
			if down == 0 && right == 0 {
				continue
			}
			c, r := (column+right+side)%side, (row+down+side)%side
			seen := &t.tiles[r*side+c]
			near = append(near, view{c, r, seen.slime, seen.damp, seen.visits > 900})
		}
	}
	return near
}

func (t *Terrace) tread(column, row, weight int) int {
	under := &t.tiles[row*side+column]
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

func (s *snail) mood() int {
	s.state = s.state*1664525 + 1013904223
	return int(s.state >> 13)
}

// crawl goes to the tile that pleases most.
func (s *snail) crawl(terrace *Terrace) {
	mood := s.mood()
	best, pleased := 0, -1
	var room [8]view
	near := terrace.around(s.column, s.row, room[:0])
	for place, tile := range near {
		pleasure := tile.damp + tile.slime%11 + (mood>>place)%17
		if tile.worn {
			pleasure /= 2
		}
		if pleasure > pleased {
			best, pleased = place, pleasure
		}
	}
	s.column, s.row = near[best].column, near[best].row
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
	for place := range t.tiles {
		if t.tiles[place].visits >= limit {
			count++
		}
		if t.tiles[place].visits > most {
			most = t.tiles[place].visits
		}
	}
	return count, most
}

func (t *Terrace) median() int {
	visits := make([]int, 0, len(t.tiles))
	for place := range t.tiles {
		visits = append(visits, t.tiles[place].visits)
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
	fmt.Printf("%d nights, %d worn, most %d, median %d, path %d\n", nights, worn, most, terrace.median(), path)
}
