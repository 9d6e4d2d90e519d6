// Keeps the salinity of brine tanks up to date: ten keepers ask the probes over HTTP and write into one ledger.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type Reading struct {
	Tank  int
	Round int
	Salt  int
}

type Ledger struct {
	mu       sync.Mutex
	base     string
	client   *http.Client
	readings map[int]Reading
	count    int
}

func probe(w http.ResponseWriter, r *http.Request) {
	tank, _ := strconv.Atoi(r.URL.Query().Get("tank"))
	round, _ := strconv.Atoi(r.URL.Query().Get("round"))
	time.Sleep(6 * time.Millisecond)
	fmt.Fprintf(w, "salt=%d", (tank*7919+round*104729)%350)
}

func serve() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/probe", probe)
	go http.Serve(listener, mux)
	return "http://" + listener.Addr().String(), nil
}

func (l *Ledger) fetch(tank, round int) (int, error) {
	answer, err := l.client.Get(fmt.Sprintf("%s/probe?tank=%d&round=%d", l.base, tank, round))
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimPrefix(string(text), "salt="))
}

// Refresh brings one tank up to date.
func (l *Ledger) Refresh(tank, round int) (Reading, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	salt, err := l.fetch(tank, round)
	if err != nil {
		return Reading{}, err
	}
	reading := Reading{tank, round, salt}
	l.readings[tank] = reading
	l.count++
	return reading, nil
}

// salt smooths what the probe says over the depth of the tank.
func salt(reading Reading) float64 {
	value := float64(reading.Salt)
	for depth := 1; depth < 4000; depth++ {
		value += (float64(depth%17) - value*0.02) / float64(depth)
	}
	return value
}

func keeper(ledger *Ledger, tank, rounds int, log chan<- string, sums []float64) {
	for round := 0; round < rounds; round++ {
		reading, err := ledger.Refresh(tank, round)
		if err != nil {
			log <- err.Error()
			return
		}
		sums[tank] += salt(reading)
		if round%10 == 9 {
			log <- fmt.Sprintf("tank %d round %d", tank, round)
		}
	}
}

func main() {
	rounds := 3
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	base, err := serve()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	const tanks = 10
	transport := &http.Transport{MaxIdleConnsPerHost: tanks}
	ledger := &Ledger{base: base, client: &http.Client{Transport: transport}, readings: map[int]Reading{}}
	log := make(chan string, 16)
	logged := make(chan int)
	go func() {
		lines := 0
		for range log {
			lines++
		}
		logged <- lines
	}()
	sums := make([]float64, tanks)
	var group sync.WaitGroup
	for tank := 0; tank < tanks; tank++ {
		group.Add(1)
		go func(tank int) {
			defer group.Done()
			keeper(ledger, tank, rounds, log, sums)
		}(tank)
	}
	group.Wait()
	close(log)
	total := 0.0
	for _, sum := range sums {
		total += sum
	}
	fmt.Printf("%d readings, %d lines, total %.4f\n", ledger.count, <-logged, total)
}
