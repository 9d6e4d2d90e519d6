// Simulates the cloakroom of an opera house with several attendants.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"sync"
)

type Coat struct {
	Owner int
	Tag   uint32
}

type Rack struct {
	coats []Coat
}

type Cloakroom struct {
	mu    sync.Mutex
	racks [32]Rack
	hung  int
}

func tag(owner, visit int) uint32 {
	h := fnv.New32a()
	var text [16]byte
	for round := 0; round < 40; round++ {
		b := strconv.AppendInt(text[:0], int64(owner*7919+visit*31+round), 36)
		h.Write(b)
	}
	return h.Sum32()
}

func (c *Cloakroom) Hang(owner, visit int) uint32 {
	number := tag(owner, visit)
	c.mu.Lock()
	defer c.mu.Unlock()
	rack := &c.racks[number%32]
	rack.coats = append(rack.coats, Coat{owner, number})
	if len(rack.coats) > 400 {
		rack.coats = rack.coats[:0]
	}
	c.hung++
	return number
}

func guest(room *Cloakroom, first, visits int, sums []uint64) {
	var sum uint64
	for visit := 0; visit < visits; visit++ {
		sum += uint64(room.Hang(first, visit))
	}
	sums[first] = sum
}

type Bell struct {
	stop  chan struct{}
	group sync.WaitGroup
}

func (b *Bell) Start(count int) {
	for n := 0; n < count; n++ {
		b.group.Add(1)
		go func() {
			defer b.group.Done()
			<-b.stop
		}()
	}
}

func main() {
	visits := 5000
	if len(os.Args) > 1 {
		visits, _ = strconv.Atoi(os.Args[1])
	}
	const guests = 8
	room := &Cloakroom{}
	bell := &Bell{stop: make(chan struct{})}
	bell.Start(20)
	sums := make([]uint64, guests)
	var group sync.WaitGroup
	for n := 0; n < guests; n++ {
		group.Add(1)
		go func(n int) {
			defer group.Done()
			guest(room, n, visits, sums)
		}(n)
	}
	group.Wait()
	close(bell.stop)
	bell.group.Wait()
	var total uint64
	for _, sum := range sums {
		total = total*31 + sum
	}
	fmt.Println("hung", room.hung, "total", total)
}
