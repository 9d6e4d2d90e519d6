// Command larkspur settles the tolls of a road company: each trip is confirmed by the bank of its driver.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

const lanes = 8

type trip struct {
	road  string
	plate string
	cents int
}

func (t trip) key() string {
	return t.road + "/" + t.plate
}

// trips of one day.
func trips(count int) []trip {
	list := make([]trip, 0, count)
	state := uint32(2463534242)
	for i := 0; i < count; i++ {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		road := "ring"
		if state%20 == 0 {
			road = fmt.Sprintf("spur-%d", state/20%9)
		}
		list = append(list, trip{road, fmt.Sprintf("L%05d", state/64%90000), 120 + int(state/128%700)})
	}
	return list
}

// bank is the other process: it thinks for a moment about each trip.
func bank() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	fmt.Println(listener.Addr().String())
	time.AfterFunc(30*time.Second, func() { os.Exit(1) })
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			in := bufio.NewScanner(conn)
			for in.Scan() {
				parts := strings.Fields(in.Text())
				cents, _ := strconv.Atoi(parts[1])
				time.Sleep(3 * time.Millisecond)
				fmt.Fprintf(conn, "ok %d\n", cents+cents%7)
			}
		}()
	}
}

// lane books trips one after the other over a line of its own; trips of one plate must stay in order.
type lane struct {
	work   chan trip
	booked int
	cents  int
	fault  error
}

func (l *lane) serve(address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		l.fault = err
		for range l.work {
		}
		return
	}
	defer conn.Close()
	in := bufio.NewScanner(conn)
	for t := range l.work {
		fmt.Fprintf(conn, "%s %d\n", t.key(), t.cents)
		if !in.Scan() {
			l.fault = in.Err()
			continue
		}
		cents, _ := strconv.Atoi(strings.TrimPrefix(in.Text(), "ok "))
		l.booked++
		l.cents += cents
	}
}

// pick tells which lane books a trip.
func pick(t trip) int {
	h := fnv.New32a()
	h.Write([]byte(t.road))
	return int(h.Sum32() % lanes)
}

func settle(address string, list []trip) (int, int, error) {
	all := make([]*lane, lanes)
	var group sync.WaitGroup
	for i := range all {
		l := &lane{work: make(chan trip, 512)}
		all[i] = l
		group.Add(1)
		go func() {
			defer group.Done()
			l.serve(address)
		}()
	}
	for _, t := range list {
		all[pick(t)].work <- t
	}
	for _, l := range all {
		close(l.work)
	}
	group.Wait()
	booked, cents := 0, 0
	for _, l := range all {
		if l.fault != nil {
			return 0, 0, l.fault
		}
		booked += l.booked
		cents += l.cents
	}
	return booked, cents, nil
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "bank" {
		bank()
		return
	}
	count := 500
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	child := exec.Command(os.Args[0], "bank")
	out, err := child.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := child.Start(); err != nil {
		panic(err)
	}
	address, _ := bufio.NewReader(out).ReadString('\n')
	booked, cents, err := settle(strings.TrimSpace(address), trips(count))
	child.Process.Kill()
	child.Wait()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d trips, %d cents\n", booked, cents)
}
