// Permit office: windows look up what visitors may do; the registry in the next town knows what the office does not.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

type permit uint32

type registry struct {
	listener net.Listener
	delay    time.Duration
}

func (r *registry) run(ctx context.Context) {
	go func() {
		<-ctx.Done()
		r.listener.Close()
	}()
	for {
		conn, err := r.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			go r.clerk(conn)
		}
	}
}

// clerk walks to the shelf for each question.
func (r *registry) clerk(conn net.Conn) {
	defer conn.Close()
	var frame [4]byte
	for {
		if _, err := io.ReadFull(conn, frame[:]); err != nil {
			return
		}
		time.Sleep(r.delay)
		visitor := binary.BigEndian.Uint32(frame[:])
		binary.BigEndian.PutUint32(frame[:], visitor*2654435761>>7)
		if _, err := conn.Write(frame[:]); err != nil {
			return
		}
	}
}

type telephone struct {
	conn net.Conn
}

func (t telephone) ask(visitor uint32) (permit, error) {
	var frame [4]byte
	binary.BigEndian.PutUint32(frame[:], visitor)
	if _, err := t.conn.Write(frame[:]); err != nil {
		return 0, err
	}
	_, err := io.ReadFull(t.conn, frame[:])
	return permit(binary.BigEndian.Uint32(frame[:])), err
}

type drawer struct {
	mu    sync.RWMutex
	known map[uint32]permit
}

func (d *drawer) permit(visitor uint32, phone telephone) (permit, error) {
	d.mu.RLock()
	found, ok := d.known[visitor]
	d.mu.RUnlock()
	if ok {
		return found, nil
	}
	asked, err := phone.ask(visitor)
	if err != nil {
		return 0, fmt.Errorf("registry: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known[visitor] = asked
	return asked, nil
}

func stampOf(visitor uint32, p permit) uint64 {
	sum := fnv.New64a()
	for i := 0; i < 2000; i++ {
		fmt.Fprint(sum, visitor, p, i&7)
	}
	return sum.Sum64() >> 20
}

func window(number, windows, visitors int, d *drawer, phone telephone) (uint64, error) {
	var sum uint64
	for turn := number; turn < visitors; turn += windows {
		visitor := uint32(turn * 7 % (visitors - visitors/4))
		p, err := d.permit(visitor, phone)
		if err != nil {
			return 0, err
		}
		sum += stampOf(visitor, p)
	}
	return sum, nil
}

func office(socket string, visitors int) (total uint64, err error) {
	const windows = 8
	d := &drawer{known: map[uint32]permit{}}
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for number := 0; number < windows; number++ {
		conn, dialErr := net.Dial("unix", socket)
		if dialErr != nil {
			return 0, dialErr
		}
		defer conn.Close()
		wg.Add(1)
		go func(number int) {
			defer wg.Done()
			sum, windowErr := window(number, windows, visitors, d, telephone{conn})
			mu.Lock()
			defer mu.Unlock()
			total += sum
			if windowErr != nil {
				err = windowErr
			}
		}(number)
	}
	wg.Wait()
	return total, err
}

func main() {
	visitors := 80
	if len(os.Args) > 1 {
		visitors, _ = strconv.Atoi(os.Args[1])
	}
	folder, err := os.MkdirTemp("", "permits")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	listener, err := net.Listen("unix", filepath.Join(folder, "registry"))
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go (&registry{listener: listener, delay: 4 * time.Millisecond}).run(ctx)
	total, err := office(listener.Addr().String(), visitors)
	if err != nil {
		panic(err)
	}
	fmt.Println("stamps", total)
}
