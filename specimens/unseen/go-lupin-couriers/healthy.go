// A dispatch office hands parcels to couriers and files a receipt when each parcel has been weighed and routed.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

type parcel struct {
	id     int
	grams  int
	street string
}

type errand struct {
	parcel parcel
	route  uint64
	closed chan struct{}
}

func (e *errand) finish(route uint64) {
	e.route = route
	close(e.closed)
}

func (e *errand) await() uint64 {
	<-e.closed
	return e.route
}

// Office owns the couriers and their common counter.
type Office struct {
	counter  chan *errand
	couriers sync.WaitGroup
	weight   int
	ledger   uint64
}

func openOffice(couriers int) *Office {
	office := &Office{counter: make(chan *errand, couriers)}
	for c := 0; c < couriers; c++ {
		office.couriers.Add(1)
		go office.courier()
	}
	return office
}

func (o *Office) courier() {
	defer o.couriers.Done()
	for e := range o.counter {
		e.finish(plan(e.parcel))
	}
}

func plan(p parcel) uint64 {
	route := uint64(p.id)
	for turn := 0; turn < 300000; turn++ {
		route = route*6364136223846793005 + uint64(p.grams) + uint64(len(p.street))
	}
	return route >> 16
}

func (o *Office) dispatch(p parcel) {
	e := &errand{parcel: p, closed: make(chan struct{})}
	o.counter <- e
	o.file(p, e.await())
}

// file needs the receipt before: each one carries the mark of the last.
func (o *Office) file(p parcel, route uint64) {
	o.weight += p.grams
	o.ledger = (o.ledger ^ route) * 1099511628211
}

func (o *Office) close() {
	close(o.counter)
	o.couriers.Wait()
}

func writeSheet(path string, parcels int) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	buffer := bufio.NewWriter(out)
	for id := 0; id < parcels; id++ {
		fmt.Fprintf(buffer, "%d;%d;Lupin Street %d\n", id, 120+id*7919%4000, id*31%240)
	}
	return buffer.Flush()
}

func parse(line string) (parcel, error) {
	fields := strings.Split(line, ";")
	if len(fields) != 3 {
		return parcel{}, fmt.Errorf("odd line %q", line)
	}
	id, err := strconv.Atoi(fields[0])
	if err != nil {
		return parcel{}, err
	}
	grams, err := strconv.Atoi(fields[1])
	return parcel{id: id, grams: grams, street: fields[2]}, err
}

func work(path string, office *Office) (int, error) {
	in, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	count := 0
	for lines := bufio.NewScanner(in); lines.Scan(); count++ {
		p, err := parse(lines.Text())
		if err != nil {
			return count, err
		}
		office.dispatch(p)
	}
	return count, nil
}

func main() {
	parcels := 20
	if len(os.Args) > 1 {
		parcels, _ = strconv.Atoi(os.Args[1])
	}
	path := fmt.Sprintf("%s/sheet-%d.txt", os.TempDir(), os.Getpid())
	defer os.Remove(path)
	if err := writeSheet(path, parcels); err != nil {
		panic(err)
	}
	office := openOffice(3)
	count, err := work(path, office)
	office.close()
	if err != nil {
		panic(err)
	}
	fmt.Printf("parcels %d weight %d ledger %x\n", count, office.weight, office.ledger)
}
