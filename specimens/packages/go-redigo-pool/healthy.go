package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"github.com/gomodule/redigo/redis"
)

func serveCounters(listener net.Listener) {
	counts := map[string]int{}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		in := bufio.NewReader(conn)
		for {
			head, err := in.ReadString('\n')
			if err != nil {
				break
			}
			parts, _ := strconv.Atoi(strings.TrimSpace(head[1:]))
			key := ""
			for i := 0; i < 2*parts; i++ {
				key, _ = in.ReadString('\n')
			}
			counts[key]++
			fmt.Fprintf(conn, ":%d\r\n", counts[key])
		}
		conn.Close()
	}
}

func newPool(addr string) *redis.Pool {
	return &redis.Pool{
		MaxIdle:   5,
		MaxActive: 20,
		Wait:      true,
		Dial:      func() (redis.Conn, error) { return redis.Dial("tcp", addr) },
	}
}

func countVisit(pool *redis.Pool, page string) (int, error) {
	conn := pool.Get()
	defer conn.Close()
	return redis.Int(conn.Do("INCR", page))
}

func main() {
	visits, _ := strconv.Atoi(os.Args[1])
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go serveCounters(listener)
	pool := newPool(listener.Addr().String())
	total := 0
	for i := 0; i < visits; i++ {
		n, err := countVisit(pool, "page:"+strconv.Itoa(i*7%40))
		if err != nil {
			panic(err)
		}
		total += n
	}
	fmt.Println("visits", visits, "total", total)
}
