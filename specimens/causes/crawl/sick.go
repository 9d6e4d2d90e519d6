// Walks a generated web of pages from a start page and reports what it found.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"sort"
	"strconv"
	"strings"
)

type page struct {
	address string
	body    string
}

type frontier struct {
	waiting []string
	visited []string
	marks   map[string]bool
}

type web struct {
	pages int
}

func (w web) fetch(address string) page {
	number, _ := strconv.Atoi(address[strings.LastIndexByte(address, '-')+1:])
	var body strings.Builder
	for i := 1; i <= 8; i++ {
		target := (number*i*7 + i*i*13 + number/3) % w.pages
		fmt.Fprintf(&body, "<p>word%d word%d <a href=\"%s\">more</a></p>\n", number%97, i, addressOf(target))
	}
	return page{address, body.String()}
}

func addressOf(number int) string {
	return fmt.Sprintf("http://pages.example/section/item-%06d", number)
}

func links(body string) []string {
	var found []string
	for {
		at := strings.Index(body, "href=\"")
		if at < 0 {
			return found
		}
		body = body[at+6:]
		end := strings.IndexByte(body, '"')
		found = append(found, body[:end])
		body = body[end:]
	}
}

func words(body string, seen map[string]int) {
	for _, word := range strings.FieldsFunc(body, func(r rune) bool { return r == ' ' || r == '<' || r == '>' }) {
		seen[word]++
	}
}

func (f *frontier) known(address string) bool {
	for _, one := range f.visited {
		if one == address {
			return true
		}
	}
	return false
}

func (f *frontier) push(address string) {
	if f.known(address) {
		return
	}
	f.visited = append(f.visited, address)
	f.marks[address] = true
	f.waiting = append(f.waiting, address)
}

func crawl(w web, start string) (int, map[string]int) {
	f := &frontier{marks: map[string]bool{}}
	seen := map[string]int{}
	f.push(start)
	for at := 0; at < len(f.waiting); at++ {
		found := w.fetch(f.waiting[at])
		for pass := 0; pass < 5; pass++ {
			words(found.body, seen)
		}
		for _, link := range links(found.body) {
			f.push(link)
		}
	}
	return len(f.visited), seen
}

func digest(count int, seen map[string]int) uint64 {
	var keys []string
	for word := range seen {
		keys = append(keys, word)
	}
	sort.Strings(keys)
	hash := fnv.New64a()
	for _, word := range keys {
		fmt.Fprintf(hash, "%s=%d;", word, seen[word])
	}
	return hash.Sum64() + uint64(count)
}

func main() {
	pages := 7000
	if len(os.Args) > 1 {
		pages, _ = strconv.Atoi(os.Args[1])
	}
	count, seen := crawl(web{pages}, addressOf(1))
	fmt.Printf("%016x %d\n", digest(count, seen), count)
}
