// Cobble streets: finds the smoothest ways from the gates of a town to all its squares.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

const side = 260

// Town is a grid of streets, each as rough as its stones.
type Town struct {
	rough []uint16
}

// NewTown paves the streets.
func NewTown(seed uint32) *Town {
	town := &Town{rough: make([]uint16, side*side)}
	for i := range town.rough {
		seed = seed*1664525 + 1013904223
		town.rough[i] = uint16(1 + (seed>>16)%40)
	}
	return town
}

type step struct {
	cost  uint32
	place int32
}

// steps is a heap with the cheapest step on top.
type steps []step

func (s *steps) push(next step) {
	heap := append(*s, next)
	at := len(heap) - 1
	for at > 0 {
		up := (at - 1) / 2
		if heap[up].cost <= next.cost {
			break
		}
		heap[at] = heap[up]
		at = up
	}
	heap[at] = next
	*s = heap
}

func (s *steps) pop() step {
	heap := *s
	top, last := heap[0], heap[len(heap)-1]
	heap = heap[:len(heap)-1]
	at := 0
	for 2*at+1 < len(heap) {
		down := 2*at + 1
		if down+1 < len(heap) && heap[down+1].cost < heap[down].cost {
			down++
		}
		if last.cost <= heap[down].cost {
			break
		}
		heap[at] = heap[down]
		at = down
	}
	if len(heap) > 0 {
		heap[at] = last
	}
	*s = heap
	return top
}

// Walker finds ways; it keeps its tables from gate to gate.
type Walker struct {
	town  *Town
	costs []uint32
	queue steps
}

// NewWalker knows the town.
func NewWalker(town *Town) *Walker {
	return &Walker{town: town, costs: make([]uint32, side*side)}
}

// From gives the sum of the costs of all ways from a gate and the dearest one.
func (w *Walker) From(gate int32) (sum uint64, most uint32) {
	const unknown = ^uint32(0)
	for i := range w.costs {
		w.costs[i] = unknown
	}
	w.costs[gate] = 0
	w.queue = append(w.queue[:0], step{0, gate})
	for len(w.queue) > 0 {
		next := w.queue.pop()
		if next.cost > w.costs[next.place] {
			continue
		}
		sum += uint64(next.cost)
		most = next.cost
		x, y := next.place%side, next.place/side
		for _, move := range [4][2]int32{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			nx, ny := x+move[0], y+move[1]
			if nx < 0 || ny < 0 || nx >= side || ny >= side {
				continue
			}
			place := ny*side + nx
			cost := next.cost + uint32(w.town.rough[place])
			if cost < w.costs[place] {
				w.costs[place] = cost
				w.queue.push(step{cost, place})
			}
		}
	}
	return sum, most
}

type answer struct {
	gate int
	sum  uint64
	most uint32
}

func main() {
	gates := 4
	if len(os.Args) > 1 {
		gates, _ = strconv.Atoi(os.Args[1])
	}
	town := NewTown(1285)
	asked := make(chan int)
	answers := make(chan answer, 8)
	var wait sync.WaitGroup
	for i := 0; i < 2; i++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			walker := NewWalker(town)
			for gate := range asked {
				sum, most := walker.From(int32(gate * 1009 % (side * side)))
				answers <- answer{gate, sum, most}
			}
		}()
	}
	go func() {
		for gate := 0; gate < gates; gate++ {
			asked <- gate
		}
		close(asked)
		wait.Wait()
		close(answers)
	}()
	best, total, far := answer{sum: ^uint64(0)}, uint64(0), uint32(0)
	for a := range answers {
		total += a.sum
		if a.sum < best.sum {
			best = a
		}
		if a.most > far {
			far = a.most
		}
	}
	fmt.Println(gates, "gates, best", best.gate, "total", total, "farthest", far)
}
