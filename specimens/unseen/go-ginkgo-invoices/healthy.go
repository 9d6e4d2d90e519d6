// Prints invoices in many currencies: the day's rate tables come from the bank, day by day.
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const clerks = 8

type table struct {
	Day   int
	Rates [24]float64
}

// bank answers for a day's rates; it has one line to its own archive, which takes a few milliseconds.
type bank struct {
	archive sync.Mutex
	server  *http.Server
	address string
}

func openBank() (*bank, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &bank{address: "http://" + listener.Addr().String()}
	b.server = &http.Server{Handler: b}
	go b.server.Serve(listener)
	return b, nil
}

func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	day, _ := strconv.Atoi(r.URL.Query().Get("day"))
	t := table{Day: day}
	b.archive.Lock()
	time.Sleep(4 * time.Millisecond)
	b.archive.Unlock()
	for i := range t.Rates {
		t.Rates[i] = math.Exp(float64((i*7+day)%24-12) / 9)
	}
	json.NewEncoder(w).Encode(t)
}

// desk asks the bank.
type desk struct {
	client *http.Client
	bank   string
	asked  int64
}

func (d *desk) ask(day int) *table {
	atomic.AddInt64(&d.asked, 1)
	t := &table{}
	response, err := d.client.Get(d.bank + "/rates?day=" + strconv.Itoa(day))
	if err != nil {
		fmt.Fprintln(os.Stderr, "bank:", err)
		os.Exit(1)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(body, t)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bank:", err)
		os.Exit(1)
	}
	return t
}

type page struct {
	ready chan struct{}
	table *table
}

// folder keeps the tables of the last days.
type folder struct {
	lock   sync.Mutex
	desk   *desk
	tables map[int]*page
}

func newFolder(d *desk) *folder {
	return &folder{desk: d, tables: make(map[int]*page)}
}

func (f *folder) of(day int) *table {
	f.lock.Lock()
	p, ok := f.tables[day]
	if !ok {
		p = &page{ready: make(chan struct{})}
		f.tables[day] = p
		f.drop(day - 5)
	}
	f.lock.Unlock()
	if ok {
		<-p.ready
		return p.table
	}
	p.table = f.desk.ask(day)
	close(p.ready)
	return p.table
}

func (f *folder) drop(before int) {
	for day := range f.tables {
		if day < before {
			delete(f.tables, day)
		}
	}
}

type invoice struct {
	number   int
	day      int
	currency int
	lines    []int
}

func (v *invoice) total(t *table) int64 {
	sum := 0
	for place, cents := range v.lines {
		if place%7 == 6 {
			cents = cents * 9 / 10
		}
		sum += cents
	}
	return int64(math.Round(float64(sum) * t.Rates[v.currency]))
}

func text(v *invoice, total int64) string {
	return fmt.Sprintf("No. %06d day %d cur %02d total %d.%02d", v.number, v.day, v.currency, total/100, total%100)
}

// batch makes the invoices of one day for one clerk.
func batch(day, clerk, count int) []*invoice {
	out := make([]*invoice, 0, count)
	for n := 0; n < count; n++ {
		number := (day*clerks+clerk)*count + n
		v := &invoice{number: number, day: day, currency: number * 5 % 24}
		for line := 0; line < 4+number%9; line++ {
			v.lines = append(v.lines, 150+(number*line*37)%9000)
		}
		out = append(out, v)
	}
	return out
}

// work prints one clerk's share of a day and returns its seal.
func work(f *folder, day, clerk int) uint64 {
	seal := fnv.New64a()
	for _, v := range batch(day, clerk, 40) {
		seal.Write([]byte(text(v, v.total(f.of(v.day)))))
	}
	return seal.Sum64()
}

func main() {
	days := 50
	if len(os.Args) > 1 {
		days, _ = strconv.Atoi(os.Args[1])
	}
	b, err := openBank()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: clerks}
	f := newFolder(&desk{client: &http.Client{Transport: transport}, bank: b.address})
	var all uint64
	for day := 0; day < days; day++ {
		var wait sync.WaitGroup
		seals := make([]uint64, clerks)
		for clerk := 0; clerk < clerks; clerk++ {
			wait.Add(1)
			go func(clerk int) {
				defer wait.Done()
				seals[clerk] = work(f, day, clerk)
			}(clerk)
		}
		wait.Wait()
		for _, seal := range seals {
			all = all*31 + seal
		}
	}
	transport.CloseIdleConnections()
	b.server.Close()
	if f.desk.asked < int64(days) {
		fmt.Fprintln(os.Stderr, "a day was left out")
	}
	fmt.Printf("days %d invoices %d seal %016x\n", days, days*clerks*40, all)
}
