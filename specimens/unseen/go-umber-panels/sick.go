// Umber panels: finds warm spots on the pictures of a heat camera that flies over solar fields.
package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"sync"
)

const side = 32

// Surface is anything with a temperature at each spot.
type Surface interface {
	Label() string
	Width() int
	Height() int
	At(x, y int) float32
}

// Panel is the picture of one solar panel.
type Panel struct {
	row, column int
	gain        float32
	cells       [side * side]float32
}

// Label names a panel by its place.
func (p Panel) Label() string { return fmt.Sprintf("r%02dc%02d", p.row, p.column) }

// Width is the number of spots in a row.
func (p Panel) Width() int { return side }

// Height is the number of rows.
func (p Panel) Height() int { return side }

// At is the temperature of a spot, or that of the nearest one inside.
func (p Panel) At(x, y int) float32 {
	if x < 0 {
		x = 0
	} else if x >= side {
		x = side - 1
	}
	if y < 0 {
		y = 0
	} else if y >= side {
		y = side - 1
	}
	return p.cells[y*side+x] * p.gain
}

// Backdrop is the even ground that panels are held against.
type Backdrop struct{ level float32 }

// Label of the ground.
func (b Backdrop) Label() string { return "ground" }

// Width is that of a panel.
func (b Backdrop) Width() int { return side }

// Height is that of a panel.
func (b Backdrop) Height() int { return side }

// At is the same everywhere.
func (b Backdrop) At(x, y int) float32 { return b.level }

// Spot is a place that is warmer than the ones around it.
type Spot struct {
	Label string
	X, Y  int
	Above float64
}

// Field is a flight over one solar field.
type Field struct {
	surfaces []Surface
}

// Shoot takes the pictures.
func Shoot(rows, columns int) *Field {
	field := &Field{surfaces: []Surface{Backdrop{20}}}
	state := uint32(40503)
	for row := 0; row < rows; row++ {
		for column := 0; column < columns; column++ {
			panel := Panel{row: row, column: column, gain: 1 + float32(column)/512}
			for at := range panel.cells {
				state = state*1664525 + 1013904223
				panel.cells[at] = 24 + float32(math.Sin(float64(at)/17))*3 + float32(state>>24)/64
			}
			field.surfaces = append(field.surfaces, panel)
		}
	}
	return field
}

func around(s Surface, x, y int) float64 {
	var sum float64
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			sum += float64(s.At(x+dx, y+dy))
		}
	}
	return sum / 25
}

func scan(s Surface, limit float64) []Spot {
	var spots []Spot
	for y := 0; y < s.Height(); y++ {
		for x := 0; x < s.Width(); x++ {
			if above := float64(s.At(x, y)) - around(s, x, y); above > limit {
				spots = append(spots, Spot{s.Label(), x, y, above})
			}
		}
	}
	return spots
}

// Spots looks at all panels, two at a time.
func (f *Field) Spots(limit float64) ([]Spot, error) {
	if len(f.surfaces) < 2 {
		return nil, errors.New("no panels")
	}
	found := make([][]Spot, len(f.surfaces))
	work := make(chan int, len(f.surfaces))
	for at := range f.surfaces {
		work <- at
	}
	close(work)
	var done sync.WaitGroup
	for w := 0; w < 2; w++ {
		done.Add(1)
		go func() {
			defer done.Done()
			for at := range work {
				found[at] = scan(f.surfaces[at], limit)
			}
		}()
	}
	done.Wait()
	var spots []Spot
	for _, list := range found {
		spots = append(spots, list...)
	}
	sort.Slice(spots, func(a, b int) bool {
		if spots[a].Above != spots[b].Above {
			return spots[a].Above > spots[b].Above
		}
		return spots[a].Label < spots[b].Label
	})
	return spots, nil
}

func main() {
	rows := 4
	if len(os.Args) > 1 {
		rows, _ = strconv.Atoi(os.Args[1])
	}
	spots, err := Shoot(rows, 20).Spots(4.5)
	if err != nil {
		fmt.Fprintln(os.Stderr, "panels:", err)
		os.Exit(1)
	}
	fmt.Printf("spots %d warmest %s (%d,%d) by %.4f\n", len(spots), spots[0].Label, spots[0].X, spots[0].Y, spots[0].Above)
}
