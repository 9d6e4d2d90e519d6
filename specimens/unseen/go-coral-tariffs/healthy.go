// Tariff desk: holds the price tables of all routes in memory and answers quotes for shipments.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"sort"
	"strconv"
	"strings"
)

const (
	routeCount = 26000
	bands      = 12
	pageLength = 512
)

type band struct {
	upTo  int
	cents int
	label string
}

type route struct {
	from, to string
	bands    []*band
}

type shipment struct {
	from, to string
	grams    int
	express  bool
}

type quote struct {
	shipment shipment
	lines    []string
	cents    int
}

// page holds the last quotes, for customers who call back.
type page struct {
	quotes []*quote
	turned func(earned int)
}

type desk struct {
	routes map[string]*route
	page   *page
}

func newDesk(turned func(earned int)) *desk {
	return &desk{routes: make(map[string]*route, routeCount), page: &page{turned: turned}}
}

func port(number int) string {
	return "P" + strconv.Itoa(1000+number%331)
}

// load builds the tables as they come from the yearly list.
func (d *desk) load() {
	for n := 0; n < routeCount; n++ {
		r := &route{from: port(n), to: port(n*7 + n/331)}
		for b := 0; b < bands; b++ {
			r.bands = append(r.bands, &band{upTo: 250 << b, cents: 90 + n%170 + b*b*31, label: r.from + "/" + strconv.Itoa(b)})
		}
		d.routes[r.from+"-"+r.to] = r
	}
}

func (r *route) pick(grams int) *band {
	at := sort.Search(len(r.bands), func(i int) bool { return r.bands[i].upTo >= grams })
	if at == len(r.bands) {
		at--
	}
	return r.bands[at]
}

// quote prices a shipment, line by line as the customer will read it.
func (d *desk) quote(s shipment) *quote {
	q := &quote{shipment: s}
	r, ok := d.routes[s.from+"-"+s.to]
	if !ok {
		q.lines = append(q.lines, "no route from "+s.from+" to "+s.to)
		return q
	}
	b := r.pick(s.grams)
	q.cents = b.cents
	q.lines = append(q.lines, "freight "+b.label+" "+amount(b.cents))
	if s.express {
		extra := b.cents * 3 / 5
		q.cents += extra
		q.lines = append(q.lines, "express "+amount(extra))
	}
	fuel := q.cents * 7 / 100
	q.cents += fuel
	q.lines = append(q.lines, "fuel "+amount(fuel), "total "+amount(q.cents))
	return q
}

func amount(cents int) string {
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

func (p *page) file(q *quote) {
	p.quotes = append(p.quotes, q)
	if len(p.quotes) == pageLength {
		p.turn()
	}
}

// turn closes a full page and begins an empty one.
func (p *page) turn() {
	earned := 0
	for _, q := range p.quotes {
		earned += q.cents
	}
	p.turned(earned)
	p.quotes = nil
}

func (q *quote) text() string {
	return strings.Join(q.lines, "\n") + "\n"
}

func shipments(count int, each func(shipment)) {
	state := uint64(99194853094755497)
	for n := 0; n < count; n++ {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		at := int(state>>33) % (routeCount * 11 / 10)
		each(shipment{from: port(at), to: port(at*7 + at/331), grams: int(state>>11) % 400000, express: state%5 == 0})
	}
}

func main() {
	count := 45000
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	earned, refused, pages := 0, 0, 0
	d := newDesk(func(cents int) {
		earned += cents
		pages++
	})
	d.load()
	seal := fnv.New64a()
	shipments(count, func(s shipment) {
		q := d.quote(s)
		d.page.file(q)
		if q.cents == 0 {
			refused++
		}
		seal.Write([]byte(q.text()))
	})
	d.page.turn()
	fmt.Printf("quotes %d pages %d refused %d earned %s seal %016x\n", count, pages, refused, amount(earned), seal.Sum64())
}
