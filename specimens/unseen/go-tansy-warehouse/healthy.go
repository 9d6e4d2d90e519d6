// Prints pick lists for a warehouse; shelf places and stock come from a small key-value daemon.
package main

import (
	"bufio"
	"crypto/sha1"
	"fmt"
	"net"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
)

type daemon struct {
	listener net.Listener
	values   map[string]string
}

func startDaemon(articles int) (*daemon, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &daemon{listener: listener, values: map[string]string{}}
	for i := 0; i < articles; i++ {
		d.values["place:"+strconv.Itoa(i)] = fmt.Sprintf("%c%02d-%d", 'A'+i%8, i*7%40, i%5)
		d.values["stock:"+strconv.Itoa(i)] = strconv.Itoa(i * 31 % 90)
		d.values["grams:"+strconv.Itoa(i)] = strconv.Itoa(40 + i*17%900)
	}
	go d.accept()
	return d, nil
}

func (d *daemon) accept() {
	for {
		guest, err := d.listener.Accept()
		if err != nil {
			return
		}
		go d.serve(guest)
	}
}

// serve answers "GET key..." with the values in one line; the net between takes its time for each trip.
func (d *daemon) serve(guest net.Conn) {
	defer guest.Close()
	in := bufio.NewScanner(guest)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		words := strings.Fields(in.Text())
		answers := make([]string, 0, len(words))
		for _, key := range words[1:] {
			value, found := d.values[key]
			if !found {
				value = "-"
			}
			answers = append(answers, value)
		}
		time.Sleep(300 * time.Microsecond)
		fmt.Fprintln(guest, strings.Join(answers, " "))
	}
}

type client struct {
	line net.Conn
	in   *bufio.Reader
}

func dial(address string) (*client, error) {
	line, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{line: line, in: bufio.NewReader(line)}, nil
}

func (c *client) get(keys ...string) ([]string, error) {
	if _, err := c.line.Write([]byte("GET " + strings.Join(keys, " ") + "\n")); err != nil {
		return nil, err
	}
	answer, err := c.in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	return strings.Fields(answer), nil
}

type pick struct {
	article int
	place   string
	stock   int
	grams   int
}

func picks(c *client, order []int) ([]pick, error) {
	keys := make([]string, 0, 3*len(order))
	for _, article := range order {
		for _, kind := range []string{"place:", "stock:", "grams:"} {
			keys = append(keys, kind+strconv.Itoa(article))
		}
	}
	all, err := c.get(keys...)
	if err != nil {
		return nil, err
	}
	list := make([]pick, 0, len(order))
	for i, article := range order {
		fields := all[3*i : 3*i+3]
		stock, _ := strconv.Atoi(fields[1])
		grams, _ := strconv.Atoi(fields[2])
		list = append(list, pick{article, fields[0], stock, grams})
	}
	return list, nil
}

func route(list []pick) int {
	sort.Slice(list, func(a, b int) bool {
		if list[a].place != list[b].place {
			return list[a].place < list[b].place
		}
		return list[a].article < list[b].article
	})
	steps := 0
	for i := 1; i < len(list); i++ {
		steps += abs(int(list[i].place[0])-int(list[i-1].place[0]))*12 + 1
	}
	return steps
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

func label(list []pick, number int) string {
	text := strings.Builder{}
	for _, p := range list {
		fmt.Fprintf(&text, "%04d %s %d g", p.article, p.place, p.grams)
	}
	return fmt.Sprintf("%d:%x", number, sha1.Sum([]byte(text.String())))
}

func run(orders int) error {
	d, err := startDaemon(2000)
	if err != nil {
		return err
	}
	defer d.listener.Close()
	c, err := dial(d.listener.Addr().String())
	if err != nil {
		return err
	}
	defer c.line.Close()
	steps, missing, last := 0, 0, ""
	for number := 0; number < orders; number++ {
		order := make([]int, 0, 12)
		for i := 0; i < 12; i++ {
			order = append(order, (number*37+i*i*53+missing)%2000)
		}
		list, err := picks(c, order)
		if err != nil {
			return err
		}
		for _, p := range list {
			if p.stock < 5 {
				missing++
			}
		}
		steps += route(list)
		last = label(list, number)
	}
	fmt.Println(orders, steps, missing, last)
	return nil
}

func main() {
	orders, err := strconv.Atoi(os.Args[1])
	if err == nil {
		err = run(orders)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
