// Keeps the yard of a marble quarry: blocks with their measured faces, orders that look for a block that fits.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
)

const points = 320

type block struct {
	number int
	colour string
	length int
	height int
	sold   bool
	faces  [6][points]float64
}

type order struct {
	number int
	colour string
	length int
	height int
}

// Yard holds the blocks in the order in which they came.
type Yard struct {
	blocks []block
	sold   int
}

func (y *Yard) measure(count int) {
	colours := []string{"white", "rose", "black", "green", "grey"}
	state := uint32(1564)
	y.blocks = make([]block, count)
	for number := range y.blocks {
		state = state*1664525 + 1013904223
		stone := &y.blocks[number]
		stone.number = number
		stone.colour = colours[int(state>>8)%len(colours)]
		stone.length = 100 + int(state>>10)%300
		stone.height = 60 + int(state>>14)%200
		for face := range stone.faces {
			stone.faces[face][int(state>>16)%points] = float64(state%1000) / 100
		}
	}
}

// Fitting finds the smallest free block for an order.
func (y *Yard) Fitting(wish order) int {
	best, least := -1, 1<<30
	for place := range y.blocks {
		stone := &y.blocks[place]
		if stone.sold || stone.colour != wish.colour {
			continue
		}
		if stone.length < wish.length || stone.height < wish.height {
			continue
		}
		if size := stone.length * stone.height; size < least {
			best, least = place, size
		}
	}
	return best
}

func (y *Yard) sell(place int) *block {
	stone := &y.blocks[place]
	stone.sold = true
	y.sold++
	return stone
}

// roughness is the mean of the highest bumps of a block.
func roughness(stone *block) float64 {
	bumps := make([]float64, 0, len(stone.faces))
	for face := range stone.faces {
		top := 0.0
		for _, height := range stone.faces[face] {
			if height > top {
				top = height
			}
		}
		bumps = append(bumps, top)
	}
	sort.Float64s(bumps)
	return (bumps[len(bumps)-1] + bumps[len(bumps)-2]) / 2
}

func price(wish order, stone *block) int {
	pence := stone.length * stone.height / 4
	waste := stone.length*stone.height - wish.length*wish.height
	return pence + waste/10 + int(roughness(stone)*7)
}

func wishes(count int) []order {
	colours := []string{"white", "rose", "black", "green", "grey"}
	orders := make([]order, count)
	state := uint32(77)
	for number := range orders {
		state = state*22695477 + 1
		orders[number] = order{number, colours[int(state>>9)%len(colours)], 80 + int(state>>11)%250, 50 + int(state>>15)%170}
	}
	return orders
}

func main() {
	count := 10
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	yard := &Yard{}
	yard.measure(1500)
	income, missed := 0, 0
	for _, wish := range wishes(count) {
		place := yard.Fitting(wish)
		if place < 0 {
			missed++
			continue
		}
		income += price(wish, yard.sell(place))
	}
	fmt.Printf("%d orders, %d sold, %d missed, income %d\n", count, yard.sold, missed, income)
}
