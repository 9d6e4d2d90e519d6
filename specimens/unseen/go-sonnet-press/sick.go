// Binds made-up sonnets into one book and counts what is in it.
package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"sort"
	"strconv"
	"strings"
)

var words = []string{"night", "light", "stone", "alone", "river", "shiver", "garden", "pardon", "flame", "name", "winter", "splinter"}

type Sonnet struct {
	Title string
	Lines []string
}

func line(poem, row int) string {
	text := ""
	for k := 0; k < 6; k++ {
		text += words[(poem*7+row*5+k*k)%len(words)] + " "
	}
	return text + words[(poem+row/2)%len(words)]
}

func compose(poem int) Sonnet {
	sonnet := Sonnet{Title: "Sonnet " + strconv.Itoa(poem+1)}
	for row := 0; row < 14; row++ {
		sonnet.Lines = append(sonnet.Lines, line(poem, row))
	}
	return sonnet
}

func bind(sonnets []Sonnet) string {
	book := ""
	for _, sonnet := range sonnets {
		book += sonnet.Title + "\n\n"
		for _, text := range sonnet.Lines {
			book += text + "\n"
		}
		book += "\n"
	}
	return book
}

func frequent(book string, count int) []string {
	tally := map[string]int{}
	for _, word := range strings.Fields(book) {
		tally[word]++
	}
	names := make([]string, 0, len(tally))
	for name := range tally {
		names = append(names, name)
	}
	sort.Slice(names, func(a, b int) bool {
		if tally[names[a]] != tally[names[b]] {
			return tally[names[a]] > tally[names[b]]
		}
		return names[a] < names[b]
	})
	return names[:count]
}

func widest(book string) int {
	width := 0
	for _, text := range strings.Split(book, "\n") {
		if len(text) > width {
			width = len(text)
		}
	}
	return width
}

func main() {
	count := 100
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	sonnets := make([]Sonnet, 0, count)
	for poem := 0; poem < count; poem++ {
		sonnets = append(sonnets, compose(poem))
	}
	book := bind(sonnets)
	fmt.Println("size", len(book), "widest", widest(book), "frequent", frequent(book, 3), "check", crc32.ChecksumIEEE([]byte(book)))
}
