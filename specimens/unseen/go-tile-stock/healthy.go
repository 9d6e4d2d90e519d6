// A tile shop: orders ask for a pattern, and the cheapest glaze in stock that fits is sold.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"sort"
	"strconv"
	"strings"
)

type Key struct {
	Pattern string
	Glaze   int
}

type Tile struct {
	Key
	Pence int
	Boxes int
}

type Stock struct {
	tiles    map[Key]*Tile
	patterns map[string][]*Tile
	sold     map[string]int
}

var roots = []string{"acanthus", "basket", "chevron", "dogtooth", "fleur", "guilloche", "herring", "ivy"}

func newStock(patterns int) *Stock {
	stock := &Stock{tiles: map[Key]*Tile{}, patterns: map[string][]*Tile{}, sold: map[string]int{}}
	for number := 0; number < patterns; number++ {
		name := patternName(number)
		for glaze := 0; glaze < 5; glaze++ {
			stock.put(&Tile{Key{name, glaze}, 30 + (number*17+glaze*29)%70, 40})
		}
	}
	return stock
}

func patternName(number int) string {
	return roots[number%len(roots)] + "-" + strconv.Itoa(number)
}

func (s *Stock) put(tile *Tile) {
	s.tiles[tile.Key] = tile
	s.patterns[tile.Pattern] = append(s.patterns[tile.Pattern], tile)
}

// cheapest gives the tile of the pattern that costs least; of two equal ones that with the lower glaze.
func (s *Stock) cheapest(pattern string, boxes int) *Tile {
	var best *Tile
	for _, tile := range s.patterns[pattern] {
		if tile.Boxes < boxes {
			continue
		}
		if best == nil || tile.Pence < best.Pence || tile.Pence == best.Pence && tile.Glaze < best.Glaze {
			best = tile
		}
	}
	return best
}

func (s *Stock) sell(order Order) int {
	tile := s.cheapest(order.Pattern, order.Boxes)
	if tile == nil {
		s.refill(order.Pattern)
		tile = s.cheapest(order.Pattern, order.Boxes)
	}
	tile.Boxes -= order.Boxes
	s.sold[order.Pattern] += order.Boxes
	return tile.Pence * order.Boxes
}

func (s *Stock) refill(pattern string) {
	for glaze := 0; glaze < 5; glaze++ {
		s.tiles[Key{pattern, glaze}].Boxes += 40
	}
}

type Order struct {
	Pattern string
	Boxes   int
}

// readOrder takes an order as it comes by telegraph: pattern, boxes.
func readOrder(text string) (Order, error) {
	pattern, boxes, found := strings.Cut(strings.TrimSpace(text), " ")
	if !found {
		return Order{}, fmt.Errorf("no boxes in %q", text)
	}
	count, err := strconv.Atoi(boxes)
	return Order{pattern, count}, err
}

func telegram(number, patterns int) string {
	seed := uint32(number)*2654435761 + 977
	return fmt.Sprintf(" %s %d\n", patternName(int(seed>>8)%patterns), 1+int(seed>>4)%6)
}

func (s *Stock) top() []string {
	names := make([]string, 0, len(s.sold))
	for name := range s.sold {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		if s.sold[names[i]] != s.sold[names[j]] {
			return s.sold[names[i]] > s.sold[names[j]]
		}
		return names[i] < names[j]
	})
	return names[:3]
}

func main() {
	orders, _ := strconv.Atoi(os.Args[1])
	const patterns = 600
	stock := newStock(patterns)
	pence := 0
	seal := fnv.New32a()
	for number := 0; number < orders; number++ {
		order, err := readOrder(telegram(number, patterns))
		if err != nil {
			fmt.Println(err)
			return
		}
		paid := stock.sell(order)
		pence += paid
		fmt.Fprintf(seal, "%s%d", order.Pattern, paid)
	}
	fmt.Println("orders", orders, "pence", pence, "top", stock.top(), "seal", seal.Sum32())
}
