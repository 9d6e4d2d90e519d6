// Sells seats of a hall from several counters and signs each ticket.
package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"sort"
	"strconv"
	"sync"
)

type ticket struct {
	seat  int
	buyer int
	seal  [32]byte
}

type hall struct {
	mutex sync.Mutex
	next  int
	free  []int
}

func open(seats int) *hall {
	made := &hall{}
	for i := 0; i < seats; i++ {
		made.free = append(made.free, i*7919%seats)
	}
	return made
}

func (h *hall) take() int {
	seat := h.free[h.next]
	h.next++
	return seat
}

func seal(seat int, rounds int) [32]byte {
	var block [64]byte
	binary.LittleEndian.PutUint64(block[:], uint64(seat))
	sum := sha256.Sum256(block[:])
	for i := 0; i < rounds; i++ {
		copy(block[8:], sum[:])
		sum = sha256.Sum256(block[:])
	}
	return sum
}

func (h *hall) reserve(buyer int) ticket {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	seat := h.take()
	return ticket{seat, buyer, seal(seat, 900)}
}

func greet(buyer int) uint64 {
	sum := uint64(14695981039346656037)
	for i := 0; i < 4000; i++ {
		sum = (sum ^ uint64(buyer+i)) * 1099511628211
	}
	return sum
}

func sell(h *hall, counter, people int, sold chan<- ticket, greetings *uint64) {
	for i := 0; i < people; i++ {
		*greetings += greet(counter*people + i)
		sold <- h.reserve(counter*people + i)
	}
}

func collect(sold <-chan ticket) uint64 {
	var tickets []ticket
	for one := range sold {
		tickets = append(tickets, one)
	}
	sort.Slice(tickets, func(a, b int) bool { return tickets[a].seat < tickets[b].seat })
	sum := uint64(0)
	for _, one := range tickets {
		sum = sum*31 + uint64(one.seat) + binary.LittleEndian.Uint64(one.seal[:])
	}
	return sum
}

func main() {
	people := 1000
	if len(os.Args) > 1 {
		people, _ = strconv.Atoi(os.Args[1])
	}
	const counters = 4
	h := open(counters * people)
	sold := make(chan ticket, 64)
	var greetings [counters]uint64
	var group sync.WaitGroup
	for i := 0; i < counters; i++ {
		group.Add(1)
		go func(counter int) {
			defer group.Done()
			sell(h, counter, people, sold, &greetings[counter])
		}(i)
	}
	go func() {
		group.Wait()
		close(sold)
	}()
	sum := collect(sold)
	for _, one := range greetings {
		sum += one
	}
	fmt.Printf("%016x\n", sum)
}
