// Plans a tour through a museum out of what the room service tells about each room.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
	"sync"
)

type Room struct {
	Number   int      `json:"number"`
	Visitors int      `json:"visitors"`
	Works    []string `json:"works"`
}

func serve() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().String())
	http.HandleFunc("/rooms/", func(w http.ResponseWriter, r *http.Request) {
		number, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/rooms/"))
		time.Sleep(15*time.Millisecond + time.Duration(number%3)*time.Millisecond)
		room := Room{Number: number, Visitors: number * 37 % 60}
		for k := 0; k < 5+number%4; k++ {
			room.Works = append(room.Works, fmt.Sprintf("work %d", number*10+k))
		}
		json.NewEncoder(w).Encode(room)
	})
	http.Serve(listener, nil)
}

type Guide struct {
	base   string
	client *http.Client
}

func NewGuide(address string) *Guide {
	transport := &http.Transport{MaxIdleConnsPerHost: 16, MaxConnsPerHost: 16}
	return &Guide{"http://" + address, &http.Client{Transport: transport, Timeout: 5 * time.Second}}
}

func (g *Guide) room(number int) (Room, error) {
	var room Room
	response, err := g.client.Get(g.base + "/rooms/" + strconv.Itoa(number))
	if err != nil {
		return room, err
	}
	defer response.Body.Close()
	return room, json.NewDecoder(response.Body).Decode(&room)
}

func (g *Guide) Collect(count int) ([]Room, error) {
	rooms := make([]Room, count)
	errs := make([]error, count)
	var group sync.WaitGroup
	for n := range rooms {
		group.Add(1)
		go func(n int) {
			defer group.Done()
			rooms[n], errs[n] = g.room(n)
		}(n)
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return rooms, nil
}

func plan(rooms []Room) (order []int, length int) {
	used := make([]bool, len(rooms))
	at := 0
	for range rooms {
		best, cost := -1, 1<<30
		for n, room := range rooms {
			away := (n - at) * (n - at)
			if !used[n] && away+room.Visitors < cost {
				best, cost = n, away+room.Visitors
			}
		}
		used[best] = true
		order = append(order, best)
		length += cost
		at = best
	}
	return order, length
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		serve()
		return
	}
	count := 10
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	child := exec.Command("/proc/self/exe", "serve")
	out, _ := child.StdoutPipe()
	if err := child.Start(); err != nil {
		panic(err)
	}
	address, _ := bufio.NewReader(out).ReadString('\n')
	rooms, err := NewGuide(strings.TrimSpace(address)).Collect(count)
	child.Process.Kill()
	child.Wait()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	works := 0
	for _, room := range rooms {
		works += len(room.Works)
	}
	order, length := plan(rooms)
	fmt.Println("rooms", len(rooms), "works", works, "length", length, "last", order[len(order)-1])
}
