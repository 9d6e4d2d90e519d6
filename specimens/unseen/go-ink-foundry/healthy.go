// Casts type in an ink foundry: orders go to the furnace, and the castings are packed in the order of the book.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

type order struct {
	number int
	face   string
	sorts  int
}

type casting struct {
	order  order
	lead   int
	errors int
}

// Furnace casts one order after the other, in a goroutine of its own.
type Furnace struct {
	orders chan order
	lock   sync.Mutex
	cast   map[int]casting
	ready  chan struct{}
}

func light() *Furnace {
	f := &Furnace{
		orders: make(chan order),
		cast:   make(map[int]casting),
		ready:  make(chan struct{}, 1),
	}
	go f.burn()
	return f
}

func (f *Furnace) burn() {
	for next := range f.orders {
		done := pour(next)
		f.lock.Lock()
		f.cast[next.number] = done
		f.lock.Unlock()
		select {
		case f.ready <- struct{}{}:
		default:
		}
	}
}

// pour is the work itself: some lead for each sort, and a few that fail.
func pour(next order) casting {
	done := casting{order: next}
	heat := next.number*31 + 7
	for sort := 0; sort < next.sorts; sort++ {
		heat = (heat*1103 + sort) % 100003
		done.lead += 4 + heat%9
		if heat%211 == 0 {
			done.errors++
		}
	}
	return done
}

func (f *Furnace) take(number int) (casting, bool) {
	f.lock.Lock()
	defer f.lock.Unlock()
	done, found := f.cast[number]
	delete(f.cast, number)
	return done, found
}

// Await gives the casting of an order as soon as there is one.
func (f *Furnace) Await(number int) casting {
	for {
		if done, found := f.take(number); found {
			return done
		}
		<-f.ready
	}
}

// Packer fills cases of type.
type Packer struct {
	cases  int
	room   int
	lead   int
	failed int
}

func (p *Packer) pack(done casting) {
	p.lead += done.lead
	p.failed += done.errors
	left := done.order.sorts - done.errors
	for left > 0 {
		if p.room == 0 {
			p.cases++
			p.room = 900
		}
		laid := left
		if laid > p.room {
			laid = p.room
		}
		p.room -= laid
		left -= laid
	}
}

func book(count int) []order {
	faces := []string{"Garamond", "Bodoni", "Fraktur", "Caslon"}
	orders := make([]order, count)
	state := uint32(1455)
	for number := range orders {
		state = state*1664525 + 1013904223
		orders[number] = order{number, faces[int(state>>8)%len(faces)], 4000 + int(state>>10)%9000}
	}
	return orders
}

func main() {
	count := 10
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	furnace := light()
	packer := &Packer{}
	byFace := map[string]int{}
	for _, next := range book(count) {
		furnace.orders <- next
		done := furnace.Await(next.number)
		packer.pack(done)
		byFace[next.face] += done.order.sorts
	}
	close(furnace.orders)
	fmt.Printf("%d orders, %d cases, lead %d, failed %d, %v\n", count, packer.cases, packer.lead, packer.failed, byFace)
}
