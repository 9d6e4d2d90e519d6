// Loads barges as well as can be: every crate has a weight, a worth and a need of deck, and the best choice is wanted.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"sort"
	"strconv"
	"sync"
)

// Crate waits on the quay.
type Crate struct {
	Number, Weight, Worth, Deck int
}

// Barge can carry so much, on so much deck.
type Barge struct {
	Name         string
	Weight, Deck int
}

// Ledger remembers every loading sheet: the quay, the skipper and the office all ask for it.
type Ledger struct {
	mu     sync.Mutex
	sheets map[[3]int][]int
	hits   int
}

func (l *Ledger) find(key [3]int) ([]int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sheet, ok := l.sheets[key]
	if ok {
		l.hits++
	}
	return sheet, ok
}

func (l *Ledger) keep(key [3]int, sheet []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sheets[key] = sheet
}

func crates(count int) []Crate {
	state := uint32(1913)
	draw := func(bound uint32) int {
		state = state*1664525 + 1013904223
		return int((state >> 9) % bound)
	}
	var out []Crate
	for i := 0; i < count; i++ {
		out = append(out, Crate{i, 3 + draw(60), 10 + draw(500), 1 + draw(9)})
	}
	sort.Slice(out, func(a, b int) bool {
		if out[a].Deck != out[b].Deck {
			return out[a].Deck > out[b].Deck
		}
		return out[a].Number < out[b].Number
	})
	return out
}

// choose fills one table cell for each weight and deck; the bits tell which crates were taken.
func choose(waiting []Crate, barge Barge, best []int32, taken []uint64) []int {
	width := barge.Weight + 1
	cells := width * (barge.Deck + 1)
	best = best[:cells]
	for i := range best {
		best[i] = 0
	}
	words := (cells + 63) / 64
	taken = taken[:words*len(waiting)]
	for i := range taken {
		taken[i] = 0
	}
	for n, crate := range waiting {
		row := taken[n*words : (n+1)*words]
		for deck := barge.Deck; deck >= crate.Deck; deck-- {
			to := best[deck*width : (deck+1)*width]
			from := best[(deck-crate.Deck)*width : (deck-crate.Deck+1)*width]
			for weight := barge.Weight; weight >= crate.Weight; weight-- {
				if worth := from[weight-crate.Weight] + int32(crate.Worth); worth > to[weight] {
					to[weight] = worth
					cell := deck*width + weight
					row[cell>>6] |= 1 << (cell & 63)
				}
			}
		}
	}
	var sheet []int
	weight, deck := barge.Weight, barge.Deck
	for n := len(waiting) - 1; n >= 0; n-- {
		cell := deck*width + weight
		if taken[n*words+cell>>6]>>(cell&63)&1 == 1 {
			sheet = append(sheet, n)
			weight -= waiting[n].Weight
			deck -= waiting[n].Deck
		}
	}
	return sheet
}

func plan(ledger *Ledger, waiting []Crate, day int, barge Barge, best []int32, taken []uint64) []int {
	key := [3]int{day, barge.Weight, barge.Deck}
	if sheet, ok := ledger.find(key); ok {
		return sheet
	}
	sheet := choose(waiting, barge, best, taken)
	ledger.keep(key, sheet)
	return sheet
}

func main() {
	count := 18
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	const mostWeight, mostDeck, quay = 900, 90, 120
	cells := (mostWeight + 1) * (mostDeck + 1)
	best := make([]int32, cells)
	taken := make([]uint64, (cells+63)/64*quay)
	ledger := &Ledger{sheets: map[[3]int][]int{}}
	waiting := crates(quay)
	seal := fnv.New64a()
	loaded, worth := 0, 0
	for i := 0; i < count; i++ {
		// What the barge before has fetched decides which hull the owner sends next.
		barge := Barge{fmt.Sprintf("barge %d", i), mostWeight - worth%300, mostDeck - loaded%40}
		for _, reader := range []string{"quay", "skipper", "office"} {
			fmt.Fprintf(seal, "%s for %s:", barge.Name, reader)
			for _, n := range plan(ledger, waiting, i, barge, best, taken) {
				fmt.Fprintf(seal, " %d", waiting[n].Number)
			}
		}
		for _, n := range plan(ledger, waiting, i, barge, best, taken) {
			loaded++
			worth += waiting[n].Worth
			waiting[n].Number += quay
			waiting[n].Worth = 10 + (waiting[n].Worth*7+i)%500
		}
	}
	fmt.Printf("barges %d crates %d worth %d hits %d seal %016x\n", count, loaded, worth, ledger.hits, seal.Sum64())
}
