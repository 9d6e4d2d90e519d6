// Quill barges: works out the freight of river consignments with the tariffs of the canal office.
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"
)

// Tariff is what the canal office charges on one lane.
type Tariff struct {
	Lane   string `json:"lane"`
	PerTon int    `json:"per_ton"`
	Locks  int    `json:"locks"`
}

// Consignment is one load on one barge.
type Consignment struct {
	Number int
	Lane   string
	Tons   int
}

// Office answers what a lane costs.
type Office interface {
	Ask(lane string) (Tariff, error)
}

type remoteOffice struct {
	client *http.Client
	base   string
}

func (o *remoteOffice) Ask(lane string) (Tariff, error) {
	var tariff Tariff
	answer, err := o.client.Get(o.base + "/tariff?lane=" + url.QueryEscape(lane))
	if err != nil {
		return tariff, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return tariff, err
	}
	return tariff, json.Unmarshal(body, &tariff)
}

// archive is the office's side: it has its papers in another building.
func archive(w http.ResponseWriter, r *http.Request) {
	lane := r.URL.Query().Get("lane")
	sum := fnv.New32a()
	io.WriteString(sum, lane)
	time.Sleep(3 * time.Millisecond)
	json.NewEncoder(w).Encode(Tariff{lane, 40 + int(sum.Sum32()%60), int(sum.Sum32() >> 8 % 9)})
}

type page struct {
	once   sync.Once
	tariff Tariff
	err    error
}

// Ledger keeps the tariffs that were asked for before.
type Ledger struct {
	mu     sync.Mutex
	pages  map[string]*page
	office Office
}

func (l *Ledger) open(lane string) *page {
	p, ok := l.pages[lane]
	if !ok {
		p = &page{}
		l.pages[lane] = p
	}
	return p
}

// Tariff looks a lane up, and asks the office once where it is not known.
func (l *Ledger) Tariff(lane string) (Tariff, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.open(lane)
	p.once.Do(func() { p.tariff, p.err = l.office.Ask(lane) })
	return p.tariff, p.err
}

// Accounts sums the freight by the length of the way.
type Accounts struct {
	mu    sync.Mutex
	total map[int]int
	seal  uint64
}

// Post enters one freight.
func (a *Accounts) Post(c Consignment, locks, freight int) {
	sum := fnv.New64a()
	for round := 0; round < 20; round++ {
		fmt.Fprintf(sum, "%d/%s/%d/%d", c.Number, c.Lane, freight, round)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.total[locks] += freight
	a.seal ^= sum.Sum64()
}

func (a *Accounts) print(w io.Writer) {
	keys := make([]int, 0, len(a.total))
	sum := 0
	for key, freight := range a.total {
		keys = append(keys, key)
		sum += freight
	}
	sort.Ints(keys)
	fmt.Fprintf(w, "freight %d in %d groups, first %d, seal %016x\n", sum, len(keys), a.total[keys[0]], a.seal)
}

type clerk struct {
	ledger   *Ledger
	accounts *Accounts
}

func (k *clerk) serve(desk <-chan Consignment, done *sync.WaitGroup) {
	defer done.Done()
	for c := range desk {
		tariff, err := k.ledger.Tariff(c.Lane)
		if err != nil {
			fmt.Fprintln(os.Stderr, "barges:", err)
			os.Exit(1)
		}
		k.accounts.Post(c, tariff.Locks, c.Tons*tariff.PerTon)
	}
}

func consignments(lanes int) []Consignment {
	list := make([]Consignment, 0, lanes*12)
	state := uint32(88172645)
	for i := 0; i < lanes*12; i++ {
		state = state*1664525 + 1013904223
		from, to := i%lanes, (i*7+3)%lanes
		list = append(list, Consignment{i, fmt.Sprintf("wharf %d to wharf %d", from, to), 5 + int(state>>20)%90})
	}
	return list
}

func main() {
	lanes := 20
	if len(os.Args) > 1 {
		lanes, _ = strconv.Atoi(os.Args[1])
	}
	server := httptest.NewServer(http.HandlerFunc(archive))
	defer server.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: 8}
	defer transport.CloseIdleConnections()
	office := &remoteOffice{&http.Client{Transport: transport, Timeout: 10 * time.Second}, server.URL}
	ledger := &Ledger{pages: map[string]*page{}, office: office}
	accounts := &Accounts{total: map[int]int{}}
	desk := make(chan Consignment, 64)
	var done sync.WaitGroup
	for i := 0; i < 8; i++ {
		done.Add(1)
		go (&clerk{ledger, accounts}).serve(desk, &done)
	}
	for _, c := range consignments(lanes) {
		desk <- c
	}
	close(desk)
	done.Wait()
	accounts.print(os.Stdout)
}
