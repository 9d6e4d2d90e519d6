// Exports the documents of all tenants: pages are fetched from the store and packed into archives.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"net"
	"os"
	"sort"
	"strconv"
	"sync"
	"time"
)

const exporters = 8

type page struct {
	tenant string
	number uint32
}

type archive struct {
	pages int
	bytes int
	seal  uint32
}

func serveStore(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go answer(conn)
	}
}

func answer(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	body := make([]byte, 4096)
	for {
		var request [8]byte
		if _, err := io.ReadFull(in, request[:]); err != nil {
			return
		}
		state := binary.BigEndian.Uint32(request[:4])*2654435761 + binary.BigEndian.Uint32(request[4:])
		for at := range body {
			state = state*1664525 + 1013904223
			body[at] = byte(state >> 24)
		}
		time.Sleep(2 * time.Millisecond)
		if _, err := conn.Write(body); err != nil {
			return
		}
	}
}

func tenantNumber(tenant string) uint32 {
	sum := fnv.New32a()
	sum.Write([]byte(tenant))
	return sum.Sum32()
}

type fetcher struct {
	conn net.Conn
	body []byte
}

func dial(address string) (*fetcher, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &fetcher{conn: conn, body: make([]byte, 4096)}, nil
}

func (f *fetcher) fetch(p page) ([]byte, error) {
	var request [8]byte
	binary.BigEndian.PutUint32(request[:4], tenantNumber(p.tenant))
	binary.BigEndian.PutUint32(request[4:], p.number)
	if _, err := f.conn.Write(request[:]); err != nil {
		return nil, err
	}
	_, err := io.ReadFull(f.conn, f.body)
	return f.body, err
}

type exporter struct {
	mutex    sync.Mutex
	archives map[string]*archive
}

func (e *exporter) keep(p page, body []byte) {
	seal := crc32.ChecksumIEEE(body) ^ p.number*40503
	e.mutex.Lock()
	defer e.mutex.Unlock()
	a := e.archives[p.tenant]
	if a == nil {
		a = &archive{}
		e.archives[p.tenant] = a
	}
	a.pages++
	a.bytes += len(body)
	a.seal += seal
}

func (e *exporter) drain(address string, work <-chan page) {
	f, err := dial(address)
	if err != nil {
		panic(err)
	}
	defer f.conn.Close()
	for p := range work {
		body, err := f.fetch(p)
		if err != nil {
			panic(err)
		}
		e.keep(p, body)
	}
}

func (e *exporter) export(address string, pages []page) {
	lanes := make([]chan page, exporters)
	var group sync.WaitGroup
	for at := range lanes {
		lanes[at] = make(chan page, len(pages))
		group.Add(1)
		go func(lane <-chan page) {
			defer group.Done()
			e.drain(address, lane)
		}(lanes[at])
	}
	for _, p := range pages {
		lanes[tenantNumber(p.tenant)%exporters] <- p
	}
	for _, lane := range lanes {
		close(lane)
	}
	group.Wait()
}

func plan(total int) []page {
	var pages []page
	sizes := map[string]int{"northwind": total * 8 / 10}
	for at := 0; at < 24; at++ {
		sizes[fmt.Sprintf("tenant-%02d", at)] = total * 2 / 10 / 24
	}
	names := make([]string, 0, len(sizes))
	for name := range sizes {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for number := 0; number < sizes[name]; number++ {
			pages = append(pages, page{name, uint32(number)})
		}
	}
	return pages
}

func main() {
	total, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go serveStore(listener)
	e := &exporter{archives: map[string]*archive{}}
	pages := plan(total)
	e.export(listener.Addr().String(), pages)
	listener.Close()
	var bytes int
	var seal uint32
	for name, a := range e.archives {
		bytes += a.bytes
		seal += a.seal ^ tenantNumber(name)
	}
	fmt.Printf("tenants=%d pages=%d bytes=%d seal=%08x\n", len(e.archives), len(pages), bytes, seal)
}
