// Scores a kite race: every judge is asked over the wire and takes a moment to answer.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Race is one evening with its judges.
type Race struct {
	base   string
	client *http.Client
	judges int
}

type mark struct {
	judge  int
	points int
	err    error
}

func (r *Race) ask(judge int) mark {
	answer, err := r.client.Get(r.base + "/judge?n=" + strconv.Itoa(judge))
	if err != nil {
		return mark{judge: judge, err: err}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return mark{judge: judge, err: err}
	}
	points, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return mark{judge: judge, points: points, err: err}
}

func (r *Race) marks(judge int) <-chan mark {
	out := make(chan mark, 1)
	go func() { out <- r.ask(judge) }()
	return out
}

// Score adds up what the judges say, weighted by their seat.
func (r *Race) Score() (int, error) {
	total := 0
	for judge := 0; judge < r.judges; judge++ {
		given := <-r.marks(judge)
		if given.err != nil {
			return 0, given.err
		}
		total += given.points * (1 + given.judge%3)
	}
	return total, nil
}

func wind(hours int) uint32 {
	var gust uint32 = 3
	for i := 0; i < hours*100000; i++ {
		gust = gust*1664525 + 1013904223
	}
	return gust >> 20
}

func judgesRoom() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr())
	http.HandleFunc("/judge", func(w http.ResponseWriter, r *http.Request) {
		judge, _ := strconv.Atoi(r.URL.Query().Get("n"))
		time.Sleep(time.Duration(20+judge%5) * time.Millisecond)
		fmt.Fprintln(w, judge*37%101)
	})
	_ = http.Serve(listener, nil)
}

func main() {
	judges := 10
	if len(os.Args) > 1 {
		if os.Args[1] == "judges" {
			judgesRoom()
			return
		}
		judges, _ = strconv.Atoi(os.Args[1])
	}
	room := exec.Command(os.Args[0], "judges")
	pipe, err := room.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := room.Start(); err != nil {
		panic(err)
	}
	address, _ := bufio.NewReader(pipe).ReadString('\n')
	race := &Race{base: "http://" + strings.TrimSpace(address), client: &http.Client{}, judges: judges}
	gust := wind(20)
	total, err := race.Score()
	_ = room.Process.Kill()
	_ = room.Wait()
	if err != nil {
		panic(err)
	}
	fmt.Printf("gust %d, total %d\n", gust, total)
}
