// Enters the plants of a collecting journey in a herbarium and counts the duplicates.
package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
)

type Plant struct {
	Name    string
	Sheets  int
	Heights []int
	Seal    uint32
}

type Herbarium struct {
	plants []*Plant
	places map[string]*Plant
	double int
}

type Finding struct {
	Name   string
	Height int
}

type generator uint64

func (g *generator) next(limit int) int {
	*g = *g*6364136223846793005 + 1442695040888963407
	return int(uint64(*g)>>33) % limit
}

var genera = []string{"urtica", "lamium", "galeopsis", "stachys", "ballota"}

func journey(count int) []Finding {
	g := generator(1735)
	findings := make([]Finding, 0, count)
	for n := 0; n < count; n++ {
		genus := genera[g.next(len(genera))]
		name := genus + " sp. " + strconv.Itoa(g.next(count))
		findings = append(findings, Finding{name, 5 + g.next(180)})
	}
	return findings
}

func (h *Herbarium) find(name string) *Plant {
	return h.places[name]
}

func (h *Herbarium) Enter(finding Finding) {
	plant := h.find(finding.Name)
	if plant == nil {
		plant = &Plant{Name: finding.Name}
		h.plants = append(h.plants, plant)
		h.places[finding.Name] = plant
	} else {
		h.double++
	}
	plant.Sheets++
	plant.Heights = append(plant.Heights, finding.Height)
	plant.Seal ^= describe(plant)
}

func describe(plant *Plant) uint32 {
	var text strings.Builder
	fmt.Fprintf(&text, "%s (%d sheets)", plant.Name, plant.Sheets)
	for _, height := range plant.Heights {
		fmt.Fprintf(&text, " %d cm", height)
	}
	return crc32.ChecksumIEEE([]byte(text.String()))
}

func (h *Herbarium) seal() uint32 {
	sorted := append([]*Plant(nil), h.plants...)
	sort.Slice(sorted, func(a, b int) bool { return sorted[a].Name < sorted[b].Name })
	var sum uint32
	for _, plant := range sorted {
		sum = sum*31 + plant.Seal
	}
	return sum
}

func collect(findings []Finding) *Herbarium {
	h := &Herbarium{places: map[string]*Plant{}}
	for _, finding := range findings {
		h.Enter(finding)
	}
	return h
}

func main() {
	count := 500
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	closing := make(chan struct{})
	var keepers sync.WaitGroup
	for n := 0; n < 8; n++ {
		keepers.Add(1)
		go func() {
			defer keepers.Done()
			<-closing
		}()
	}
	h := collect(journey(count))
	close(closing)
	keepers.Wait()
	fmt.Println("plants", len(h.plants), "double", h.double, "seal", h.seal())
}
