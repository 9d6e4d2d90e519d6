// Silo probes: asks the probes in all silos of a co-operative how warm the grain is.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// station answers for all probes; a probe that has cooled down needs longer to wake.
func station(listener net.Listener) {
	for {
		line, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer line.Close()
			reader := bufio.NewScanner(line)
			for reader.Scan() {
				silo, _ := strconv.Atoi(reader.Text())
				pause := 2 * time.Millisecond
				if silo%8 == 3 {
					pause = 70 * time.Millisecond
				}
				time.Sleep(pause)
				fmt.Fprintf(line, "%d %d\n", silo, 120+silo*37%90)
			}
		}()
	}
}

// Reading is the warmth of one silo in tenths of a degree.
type Reading struct {
	Silo   int
	Warmth int
}

// Round reads silos over a few lines.
type Round struct {
	lines chan net.Conn
	width int
}

// NewRound opens its lines.
func NewRound(ctx context.Context, address string, width int) (*Round, error) {
	round := &Round{lines: make(chan net.Conn, width), width: width}
	var dialer net.Dialer
	for i := 0; i < width; i++ {
		line, err := dialer.DialContext(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		round.lines <- line
	}
	return round, nil
}

func (r *Round) ask(silo int) Reading {
	line := <-r.lines
	defer func() { r.lines <- line }()
	fmt.Fprintln(line, silo)
	answer, err := bufio.NewReader(line).ReadString('\n')
	words := strings.Fields(answer)
	if err != nil || len(words) != 2 {
		return Reading{Silo: silo, Warmth: -1}
	}
	warmth, _ := strconv.Atoi(words[1])
	return Reading{Silo: silo, Warmth: warmth}
}

// Read asks all silos and gives the readings in their order.
func (r *Round) Read(silos int) []Reading {
	readings := make([]Reading, silos)
	for first := 0; first < silos; first += r.width {
		var wait sync.WaitGroup
		for silo := first; silo < first+r.width && silo < silos; silo++ {
			wait.Add(1)
			go func(silo int) {
				defer wait.Done()
				readings[silo] = r.ask(silo)
			}(silo)
		}
		wait.Wait()
	}
	return readings
}

// spread works out how the warmth moves through the grain.
func spread(reading Reading) int {
	warmth := reading.Warmth
	for hour := 0; hour < 3000; hour++ {
		warmth = (warmth*61 + reading.Silo + hour) % 4999
	}
	return warmth
}

func main() {
	silos := 32
	if len(os.Args) > 1 {
		silos, _ = strconv.Atoi(os.Args[1])
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go station(listener)
	round, err := NewRound(context.Background(), listener.Addr().String(), 8)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	sum, warmest := 0, Reading{}
	for _, reading := range round.Read(silos) {
		sum += spread(reading)
		if reading.Warmth > warmest.Warmth {
			warmest = reading
		}
	}
	fmt.Println(silos, "silos, warmest", warmest.Silo, warmest.Warmth, "spread", sum)
}
