// Word index: counts the words of a text collection and in how many documents each one stands.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
)

// Count is what is known of one word.
type Count struct {
	total     int
	documents int
	last      int
}

// Index holds the words of some of the documents.
type Index map[string]*Count

func (x Index) add(word []byte, document int) {
	count, known := x[string(word)]
	if !known {
		count = &Count{last: -1}
		x[string(word)] = count
	}
	count.total++
	if count.last != document {
		count.documents++
		count.last = document
	}
}

func (x Index) merge(other Index) {
	for word, count := range other {
		mine, known := x[word]
		if !known {
			x[word] = count
			continue
		}
		mine.total += count.total
		mine.documents += count.documents
	}
}

// Collection makes its documents on demand, each from its number alone.
type Collection struct {
	syllables []string
	documents int
	words     int
}

func newCollection(documents, words int) *Collection {
	return &Collection{
		syllables: []string{"ba", "re", "ni", "to", "lum", "ka", "ves", "di", "mor", "sa", "pel", "ti", "on", "gra", "fe", "qui"},
		documents: documents,
		words:     words,
	}
}

func (c *Collection) text(document int, into []byte) []byte {
	state := uint64(document)*0x9E3779B97F4A7C15 + 0x1234567
	into = into[:0]
	for i := 0; i < c.words; i++ {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		length := 1 + int(state>>60)%3
		for s := 0; s < length; s++ {
			into = append(into, c.syllables[state>>(8*uint(s))&15]...)
		}
		if state>>50&15 == 0 {
			into = append(into, '.')
		}
		into = append(into, ' ')
	}
	return into
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z'
}

func scan(text []byte, document int, index Index) int {
	words := 0
	for at := 0; at < len(text); {
		for at < len(text) && !letter(text[at]) {
			at++
		}
		from := at
		for at < len(text) && letter(text[at]) {
			at++
		}
		if at > from {
			index.add(text[from:at], document)
			words++
		}
	}
	return words
}

// build lets every processor take documents until none is left.
func build(collection *Collection, workers int) (Index, int) {
	var next int64 = -1
	var group sync.WaitGroup
	parts := make([]Index, workers)
	counts := make([]int, workers)
	for w := 0; w < workers; w++ {
		group.Add(1)
		go func(w int) {
			defer group.Done()
			index := make(Index, 8192)
			text := make([]byte, 0, 1<<16)
			words := 0
			for {
				document := int(atomic.AddInt64(&next, 1))
				if document >= collection.documents {
					break
				}
				text = collection.text(document, text)
				words += scan(text, document, index)
			}
			parts[w], counts[w] = index, words
		}(w)
	}
	group.Wait()
	words := counts[0]
	for w := 1; w < workers; w++ {
		parts[0].merge(parts[w])
		words += counts[w]
	}
	return parts[0], words
}

func digest(index Index) uint64 {
	words := make([]string, 0, len(index))
	for word := range index {
		words = append(words, word)
	}
	sort.Strings(words)
	h := fnv.New64a()
	for _, word := range words {
		fmt.Fprintf(h, "%s %d %d\n", word, index[word].total, index[word].documents)
	}
	return h.Sum64()
}

func main() {
	documents := 5000
	if len(os.Args) > 1 {
		documents, _ = strconv.Atoi(os.Args[1])
	}
	index, words := build(newCollection(documents, 4000), runtime.NumCPU())
	fmt.Printf("documents %d words %d distinct %d digest %016x\n", documents, words, len(index), digest(index))
}
