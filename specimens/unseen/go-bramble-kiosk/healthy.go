// Bramble kiosk: prices the baskets of a chain of kiosks against a catalogue held in memory.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Item is one article of the catalogue.
type Item struct {
	Code   string
	Price  int
	Labels []string
	Group  *Group
	Next   *Item
}

// Group is a family of articles with one rebate.
type Group struct {
	Name   string
	Rebate int
	First  *Item
}

// Catalogue finds articles.
type Catalogue struct {
	items  map[string]*Item
	groups []*Group
}

// NewCatalogue makes a catalogue of the given size.
func NewCatalogue(size int) *Catalogue {
	c := &Catalogue{items: make(map[string]*Item, size)}
	for g := 0; g < 50; g++ {
		c.groups = append(c.groups, &Group{Name: "group-" + strconv.Itoa(g), Rebate: g % 7})
	}
	for i := 0; i < size; i++ {
		group := c.groups[i*31%len(c.groups)]
		item := &Item{
			Code:   "A" + strconv.Itoa(100000+i),
			Price:  90 + i*37%900,
			Labels: []string{"shelf " + strconv.Itoa(i%40), "maker " + strconv.Itoa(i%900)},
			Group:  group,
			Next:   group.First,
		}
		group.First = item
		c.items[item.Code] = item
	}
	return c
}

// Basket is what one till sends.
type Basket struct {
	Till  int      `json:"till"`
	Codes []string `json:"codes"`
}

// Batch is the post of one round, with the room that it needs.
type Batch struct {
	number  int
	raw     bytes.Buffer
	baskets []Basket
}

// Fill writes the post of a round as the tills would.
func (b *Batch) Fill(c *Catalogue, count int) error {
	state := uint32(b.number*2654435 + 97)
	out := json.NewEncoder(&b.raw)
	for till := 0; till < count; till++ {
		basket := Basket{Till: till}
		for k := 0; k < 12; k++ {
			state = state*1664525 + 1013904223
			basket.Codes = append(basket.Codes, "A"+strconv.Itoa(100000+int(state>>8)%len(c.items)))
		}
		if err := out.Encode(basket); err != nil {
			return err
		}
	}
	return nil
}

// Parse reads the post.
func (b *Batch) Parse() error {
	in := json.NewDecoder(&b.raw)
	for in.More() {
		var basket Basket
		if err := in.Decode(&basket); err != nil {
			return err
		}
		b.baskets = append(b.baskets, basket)
	}
	return nil
}

// Close gives the room of the batch back.
func (b *Batch) Close() {
	b.baskets = nil
	b.raw = bytes.Buffer{}
}

// Books are the takings.
type Books struct {
	mu     sync.Mutex
	taken  int
	lines  int
	digest uint32
}

func (k *Books) enter(basket Basket, sum int) {
	text := strings.Join(basket.Codes, "+") + "=" + strconv.Itoa(sum)
	k.mu.Lock()
	k.taken += sum
	k.lines += len(basket.Codes)
	k.digest = crc32.Update(k.digest, crc32.IEEETable, []byte(text))
	k.mu.Unlock()
}

type pricer struct {
	catalogue *Catalogue
	books     *Books
}

func (p *pricer) price(basket Basket) (int, error) {
	sum := 0
	for _, code := range basket.Codes {
		item, ok := p.catalogue.items[code]
		if !ok {
			return 0, fmt.Errorf("till %d: no article %s", basket.Till, code)
		}
		sum += item.Price * (100 - item.Group.Rebate) / 100
	}
	return sum, nil
}

func (p *pricer) round(number, tills int) error {
	batch := &Batch{number: number}
	defer batch.Close()
	if err := batch.Fill(p.catalogue, tills); err != nil {
		return err
	}
	if err := batch.Parse(); err != nil {
		return err
	}
	for _, basket := range batch.baskets {
		sum, err := p.price(basket)
		if err != nil {
			return err
		}
		p.books.enter(basket, sum)
	}
	return nil
}

func main() {
	rounds := 10
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	books := &Books{}
	worker := &pricer{NewCatalogue(60000), books}
	for number := 0; number < rounds; number++ {
		if err := worker.round(number, 120); err != nil {
			fmt.Fprintln(os.Stderr, "kiosk:", err)
			os.Exit(1)
		}
	}
	fmt.Printf("rounds %d lines %d taken %d digest %08x\n", rounds, books.lines, books.taken, books.digest)
}
