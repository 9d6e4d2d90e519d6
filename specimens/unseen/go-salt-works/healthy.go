// Salt works: brine runs through many pans, batch after batch.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// Pan is one basin with its neighbours downhill.
type Pan struct {
	name  string
	level int
	salt  int
	below *Pan
	notes []*Note
}

// Note is what the foreman wrote about a pan.
type Note struct {
	text string
	day  int
}

// Works is the whole yard.
type Works struct {
	pans    map[string]*Pan
	order   []*Pan
	batches int
}

func build(count int) *Works {
	works := &Works{pans: make(map[string]*Pan, count)}
	var below *Pan
	for i := 0; i < count; i++ {
		pan := &Pan{name: "pan-" + strconv.Itoa(i), level: i % 100, below: below}
		for n := 0; n < 3; n++ {
			pan.notes = append(pan.notes, &Note{text: pan.name, day: n})
		}
		works.pans[pan.name] = pan
		works.order = append(works.order, pan)
		below = pan
	}
	return works
}

func brine(batch, pans int) []int {
	flow := make([]int, pans)
	state := uint32(batch + 1)
	for i := range flow {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		flow[i] = int(state % 9)
	}
	return flow
}

func (w *Works) pour(flow []int) {
	for i, pan := range w.order {
		pan.level += flow[i%len(flow)]
		if pan.level > 120 {
			pan.level -= 60
			pan.salt += 3
			if pan.below != nil {
				pan.below.level += 2
			}
		}
	}
}

func (w *Works) settle() {
	w.batches++
	if w.batches%10 == 0 {
		w.order[w.batches%len(w.order)].salt++
	}
}

// Season runs all batches.
func (w *Works) Season(batches int) {
	for batch := 0; batch < batches; batch++ {
		w.pour(brine(batch, 4096))
		w.settle()
	}
}

func (w *Works) harvest() (salt, brine int) {
	for _, pan := range w.order {
		salt += pan.salt
		brine += pan.level
	}
	return salt, brine
}

func main() {
	batches := 5
	if len(os.Args) > 1 {
		batches, _ = strconv.Atoi(os.Args[1])
	}
	works := build(60000)
	works.Season(batches)
	salt, brine := works.harvest()
	fmt.Printf("%d pans, salt %d, brine %d\n", len(works.pans), salt, brine)
}
