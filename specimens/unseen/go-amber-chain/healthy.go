// Seals the yearbook of an amber guild: every page carries the seal of the page before, clerks copy what is sealed.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"sync"
)

const (
	clerks = 4
	rounds = 900
)

type page struct {
	number int
	before [32]byte
	seal   [32]byte
	text   []byte
}

// Clerks copy sealed pages into the registers, each in its own.
type Clerks struct {
	pages  chan page
	wait   sync.WaitGroup
	copied [clerks]int
}

func hire() *Clerks {
	c := &Clerks{pages: make(chan page, 16)}
	for desk := 0; desk < clerks; desk++ {
		c.wait.Add(1)
		go c.work(desk)
	}
	return c
}

func (c *Clerks) work(desk int) {
	defer c.wait.Done()
	var register bytes.Buffer
	for next := range c.pages {
		register.Reset()
		register.Write(next.before[:])
		register.Write(next.text)
		c.copied[desk] += register.Len()
	}
}

func (c *Clerks) dismiss() int {
	close(c.pages)
	c.wait.Wait()
	total := 0
	for _, copied := range c.copied {
		total += copied
	}
	return total
}

// Guild writes the pages.
type Guild struct {
	state uint32
	text  []byte
}

func (g *Guild) write(number int) []byte {
	g.text = g.text[:0]
	for lot := 0; lot < 12; lot++ {
		g.state = g.state*1664525 + 1013904223
		g.text = append(g.text, "lot "...)
		g.text = strconv.AppendInt(g.text, int64(number*12+lot), 10)
		g.text = append(g.text, " carat "...)
		g.text = strconv.AppendUint(g.text, uint64(g.state>>20), 10)
		g.text = append(g.text, '\n')
	}
	return append([]byte(nil), g.text...)
}

// seal hashes the page over and over, as the statutes ask: nobody shall forge a year in a night.
func seal(before [32]byte, text []byte) [32]byte {
	first := sha256.New()
	first.Write(before[:])
	first.Write(text)
	var sum [32]byte
	first.Sum(sum[:0])
	var drop [40]byte
	for round := uint64(0); round < rounds; round++ {
		copy(drop[:], sum[:])
		binary.BigEndian.PutUint64(drop[32:], round)
		sum = sha256.Sum256(drop[:])
	}
	return sum
}

func main() {
	count := 10
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	guild := &Guild{state: 1641}
	registers := hire()
	var last [32]byte
	for number := 0; number < count; number++ {
		text := guild.write(number)
		next := page{number: number, before: last, text: text}
		next.seal = seal(last, text)
		last = next.seal
		registers.pages <- next
	}
	fmt.Printf("%d pages, %d copied, seal %s\n", count, registers.dismiss(), hex.EncodeToString(last[:8]))
}
