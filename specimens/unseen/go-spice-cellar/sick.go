// Spice cellar: prices lie with the cellar master at the other end of a connection; the shop writes bills.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net"
	"os"
	"sort"
	"strconv"
	"strings"
)

type spice struct {
	name string
	rank int
}

// master answers lines of names with lines of prices.
type master struct {
	net.Listener
	prices map[string]int
}

func newMaster(spices []spice) (*master, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &master{Listener: listener, prices: make(map[string]int, len(spices))}
	for _, s := range spices {
		m.prices[s.name] = 20 + s.rank*s.rank%480
	}
	return m, nil
}

func (m *master) serve() {
	for {
		conn, err := m.Accept()
		if err != nil {
			return
		}
		go m.talk(conn)
	}
}

func (m *master) talk(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	lines.Buffer(make([]byte, 0, 64<<10), 1<<20)
	for lines.Scan() {
		var answer []byte
		for i, name := range strings.Fields(lines.Text()) {
			if i > 0 {
				answer = append(answer, ' ')
			}
			answer = strconv.AppendInt(answer, int64(m.prices[name]), 10)
		}
		if _, err := conn.Write(append(answer, '\n')); err != nil {
			return
		}
	}
}

type line struct {
	spice string
	grams int
}

type bill struct {
	customer int
	lines    []line
	total    int
}

type cellar struct {
	conn   net.Conn
	answer *bufio.Reader
}

func dial(address string) (*cellar, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &cellar{conn: conn, answer: bufio.NewReader(conn)}, nil
}

// prices asks the master for the prices of all names.
func (c *cellar) prices(names []string) ([]int, error) {
	found := make([]int, 0, len(names))
	if _, err := io.WriteString(c.conn, strings.Join(names, " ")+"\n"); err != nil {
		return nil, err
	}
	text, err := c.answer.ReadString('\n')
	if err != nil {
		return nil, err
	}
	for _, word := range strings.Fields(text) {
		pence, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("price %q: %w", word, err)
		}
		found = append(found, pence)
	}
	return found, nil
}

func (c *cellar) fill(b *bill) error {
	for _, l := range b.lines {
		pence, err := c.prices([]string{l.spice})
		if err != nil {
			return err
		}
		b.total += pence[0] * l.grams / 10
	}
	return nil
}

func order(customer int, spices []spice) *bill {
	b := &bill{customer: customer}
	for i := 0; i < 30; i++ {
		pick := spices[(customer*131+i*i*17)%len(spices)]
		b.lines = append(b.lines, line{pick.name, 5 + (customer+i)%60})
	}
	sort.Slice(b.lines, func(i, j int) bool {
		if b.lines[i].spice != b.lines[j].spice {
			return b.lines[i].spice < b.lines[j].spice
		}
		return b.lines[i].grams < b.lines[j].grams
	})
	return b
}

// receipt writes a bill out twice, for the customer and for the book, and seals it.
func receipt(b *bill) uint32 {
	seal := crc32.NewIEEE()
	for _, copy := range []string{"customer", "book"} {
		fmt.Fprintf(seal, "%s copy, customer %d\n", copy, b.customer)
		for _, l := range b.lines {
			fmt.Fprintf(seal, "%-20s %5d g\n", l.spice, l.grams)
		}
		fmt.Fprintf(seal, "%30d\n", b.total)
	}
	return seal.Sum32()
}

func day(c *cellar, spices []spice, customers int) (int, error) {
	takings := 0
	for customer := 0; customer < customers; customer++ {
		b := order(customer, spices)
		if err := c.fill(b); err != nil {
			return 0, fmt.Errorf("bill of customer %d: %w", customer, err)
		}
		takings += b.total + int(receipt(b)%10)
	}
	return takings, nil
}

func main() {
	log.SetFlags(0)
	flag.Parse()
	customers, err := strconv.Atoi(flag.Arg(0))
	if err != nil {
		log.Fatal("usage: cellar CUSTOMERS")
	}
	var spices []spice
	for rank := 0; rank < 300; rank++ {
		spices = append(spices, spice{fmt.Sprintf("spice-%03d", rank*7%300), rank})
	}
	m, err := newMaster(spices)
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	go m.serve()
	c, err := dial(m.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	takings, err := day(c, spices, customers)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(os.Stdout, "takings %d\n", takings)
}
