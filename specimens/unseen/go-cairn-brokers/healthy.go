// Command cairn prices a stack of parcels; tariffs come from an office that answers over the network and are kept.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	clerks  = 8
	thought = 4 * time.Millisecond
)

type parcel struct {
	zone   int
	weight int
}

// office answers "zone N" with the tariff of the zone, after looking it up.
func office(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			lines := bufio.NewScanner(conn)
			for lines.Scan() {
				zone, _ := strconv.Atoi(strings.TrimPrefix(lines.Text(), "zone "))
				time.Sleep(thought)
				fmt.Fprintf(conn, "%d\n", 100+zone*zone%977)
			}
		}()
	}
}

type line struct {
	conn  net.Conn
	reply *bufio.Reader
}

type exchange struct {
	lines chan *line
}

func connect(address string, count int) (*exchange, error) {
	e := &exchange{lines: make(chan *line, count)}
	for i := 0; i < count; i++ {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return nil, err
		}
		e.lines <- &line{conn, bufio.NewReader(conn)}
	}
	return e, nil
}

func (e *exchange) ask(zone int) (int, error) {
	l := <-e.lines
	defer func() { e.lines <- l }()
	if _, err := fmt.Fprintf(l.conn, "zone %d\n", zone); err != nil {
		return 0, err
	}
	text, err := l.reply.ReadString('\n')
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(text))
}

func (e *exchange) hangUp() {
	for i := cap(e.lines); i > 0; i-- {
		(<-e.lines).conn.Close()
	}
}

type tariff struct {
	once sync.Once
	rate int
	err  error
}

type tariffs struct {
	mu    sync.Mutex
	known map[int]*tariff
	desk  *exchange
}

func newTariffs(desk *exchange) *tariffs {
	return &tariffs{known: make(map[int]*tariff), desk: desk}
}

func (t *tariffs) rate(zone int) (int, error) {
	t.mu.Lock()
	entry, ok := t.known[zone]
	if !ok {
		entry = &tariff{}
		t.known[zone] = entry
	}
	t.mu.Unlock()
	entry.once.Do(func() { entry.rate, entry.err = t.desk.ask(zone) })
	return entry.rate, entry.err
}

type ledger struct {
	mu    sync.Mutex
	total int
	count int
	seal  uint64
}

func (l *ledger) enter(amount int, mark uint64) {
	l.mu.Lock()
	l.total += amount
	l.count++
	l.seal += mark
	l.mu.Unlock()
}

func stamp(p parcel, amount int) uint64 {
	sum := fnv.New64a()
	for i := 0; i < 40; i++ {
		fmt.Fprintf(sum, "%d/%d/%d/%d", i, p.zone, p.weight, amount)
	}
	return sum.Sum64()
}

func clerk(work <-chan parcel, rates *tariffs, book *ledger) {
	for p := range work {
		rate, err := rates.rate(p.zone)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		amount := rate * (1 + p.weight/500)
		book.enter(amount, stamp(p, amount))
	}
}

func parcels(count int, out chan<- parcel) {
	seed := uint32(12)
	for i := 0; i < count; i++ {
		seed = seed*1664525 + 1013904223
		out <- parcel{zone: int(seed>>8) % (count / 40), weight: int(seed>>16) % 9000}
	}
	close(out)
}

func main() {
	count := 2000
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go office(listener)
	desk, err := connect(listener.Addr().String(), clerks)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	rates, book := newTariffs(desk), &ledger{}
	work := make(chan parcel, 64)
	var group sync.WaitGroup
	for i := 0; i < clerks; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			clerk(work, rates, book)
		}()
	}
	parcels(count, work)
	group.Wait()
	desk.hangUp()
	listener.Close()
	fmt.Printf("parcels %d zones %d total %d seal %016x\n", book.count, len(rates.known), book.total, book.seal)
}
