// Fable index: a small tool that says in which fables an animal appears and what it stands for.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

// Fable is one story.
type Fable struct {
	Number  int
	Title   string
	Animals []string
	Moral   string
}

// Entry is what the index knows about a pair of words.
type Entry struct {
	fables []int
	weight float64
}

var animals = []string{"fox", "crow", "lion", "mouse", "hare", "tortoise", "wolf", "crane", "ass", "frog", "stag", "ant"}

var morals = []string{"haste", "pride", "patience", "greed", "thrift", "kindness", "envy", "caution"}

var library = collect(110000)

func collect(count int) []Fable {
	list := make([]Fable, 0, count)
	state := uint32(560)
	draw := func(words []string) string {
		state = state*1664525 + 1013904223
		return words[(state>>9)%uint32(len(words))]
	}
	for number := 1; number <= count; number++ {
		one, other := draw(animals), draw(animals)
		fable := Fable{Number: number, Title: "the " + one + " and the " + other, Moral: draw(morals)}
		fable.Animals = append(fable.Animals, one, other, draw(animals))
		list = append(list, fable)
	}
	return list
}

// concord notes for each two words of a fable where they stand together.
func concord(fables []Fable) map[string]*Entry {
	entries := make(map[string]*Entry)
	for _, fable := range fables {
		words := append(strings.Fields(fable.Title), fable.Animals...)
		words = append(words, fable.Moral, strconv.Itoa(fable.Number%100))
		for _, one := range words {
			for _, other := range words {
				key := one + "/" + other
				entry := entries[key]
				if entry == nil {
					entry = &Entry{}
					entries[key] = entry
				}
				entry.fables = append(entry.fables, fable.Number)
				entry.weight = entry.weight*0.999 + float64(len(key))
			}
		}
	}
	return entries
}

// find lists the fables in which an animal appears.
func find(animal string) []Fable {
	var found []Fable
	for _, fable := range library {
		for _, name := range fable.Animals {
			if name == animal {
				found = append(found, fable)
				break
			}
		}
	}
	return found
}

func count(found []Fable) map[string]int {
	counts := make(map[string]int)
	for _, fable := range found {
		counts[fable.Moral]++
	}
	return counts
}

func together(one, other string) int {
	entry := concord(library)[one+"/"+other]
	if entry == nil {
		return 0
	}
	return len(entry.fables)
}

func report(animal string, most int) {
	found := find(animal)
	counts := count(found)
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool {
		return counts[names[i]] > counts[names[j]] || counts[names[i]] == counts[names[j]] && names[i] < names[j]
	})
	fmt.Println(animal, "in", len(found), "fables")
	for i, name := range names {
		if i < most {
			fmt.Println(" ", name, counts[name])
		}
	}
}

func main() {
	if len(os.Args) < 3 {
		fmt.Println("usage: fable-index list ANIMAL | pair ONE OTHER")
		return
	}
	switch os.Args[1] {
	case "list":
		report(os.Args[2], 3)
	case "pair":
		if len(os.Args) > 3 {
			fmt.Println(together(os.Args[2], os.Args[3]))
		}
	}
}
