// Weaves plaid from a large stock of yarns, row by row, and sums up what was used.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

type Yarn struct {
	colour uint32
	length int
	next   *Yarn
}

type Stitch struct {
	yarn  *Yarn
	place int
	pull  int64
}

type Loom struct {
	stock []*Yarn
	width int
	rows  int64
	used  int64
}

func colour(value uint32) uint32 {
	value = (value ^ value>>16) * 0x7feb352d
	value = (value ^ value>>15) * 0x846ca68b
	return value ^ value>>16
}

func stock(count int) []*Yarn {
	yarns := make([]*Yarn, count)
	var last *Yarn
	for n := range yarns {
		yarns[n] = &Yarn{colour: colour(uint32(n)), length: 40 + n%60, next: last}
		last = yarns[n]
	}
	return yarns
}

// stitches lays out one row.
func (l *Loom) stitches(row int) []*Stitch {
	var made []*Stitch
	for place := 0; place < l.width; place++ {
		yarn := l.stock[(row*31+place*7)%len(l.stock)]
		made = append(made, &Stitch{yarn: yarn, place: place, pull: int64(yarn.colour & 7)})
	}
	return made
}

func (l *Loom) weave(row int) int64 {
	var tension int64
	for _, stitch := range l.stitches(row) {
		tension += stitch.pull*int64(stitch.place%5) + int64(stitch.yarn.length)
	}
	atomic.AddInt64(&l.rows, 1)
	l.used += tension
	return tension
}

// foreman looks now and then until the work is over.
func (l *Loom) foreman(over <-chan struct{}) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-over:
			return
		case <-ticker.C:
			atomic.LoadInt64(&l.rows)
		}
	}
}

func run(loom *Loom, rows int) uint64 {
	var seal uint64
	for row := 0; row < rows; row++ {
		seal = seal*31 + uint64(loom.weave(row))
	}
	return seal
}

func main() {
	rows := 1000
	if len(os.Args) > 1 {
		rows, _ = strconv.Atoi(os.Args[1])
	}
	loom := &Loom{stock: stock(150000), width: 300}
	over := make(chan struct{})
	go loom.foreman(over)
	seal := run(loom, rows)
	close(over)
	fmt.Println("rows", loom.rows, "used", loom.used, "seal", seal)
}
