// Publishes the watch log of the lighthouses of a coast, and asks the broker how much has come in.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/nats-io/nats.go"
)

type broker struct {
	listener net.Listener
	entries  int64
	bytes    int64
}

func openBroker() (*broker, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &broker{listener: listener}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go b.serve(conn)
		}
	}()
	return b, nil
}

func (b *broker) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 65536)
	io.WriteString(conn, "INFO {\"server_id\":\"coast\",\"version\":\"2.9.0\",\"proto\":1,\"max_payload\":1048576}\r\n")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "PING":
			io.WriteString(conn, "PONG\r\n")
		case words[0] == "PUB":
			size, _ := strconv.Atoi(words[len(words)-1])
			if _, err := in.Discard(size + 2); err != nil {
				return
			}
			atomic.AddInt64(&b.entries, 1)
			atomic.AddInt64(&b.bytes, int64(size))
		}
	}
}

func entry(number int) (string, []byte) {
	subject := fmt.Sprintf("coast.light%02d", number%40)
	return subject, []byte(fmt.Sprintf("%d sighted %d ships, lamp %d", number, number*7%13, number*31%97))
}

func publishLog(nc *nats.Conn, count int) error {
	for number := 0; number < count; number++ {
		subject, text := entry(number)
		if err := nc.Publish(subject, text); err != nil {
			return err
		}
		if err := nc.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	b, err := openBroker()
	if err != nil {
		log.Fatal(err)
	}
	nc, err := nats.Connect("nats://" + b.listener.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	if err := publishLog(nc, count); err != nil {
		log.Fatal(err)
	}
	fmt.Println(atomic.LoadInt64(&b.entries), atomic.LoadInt64(&b.bytes))
	nc.Close()
	b.listener.Close()
}
