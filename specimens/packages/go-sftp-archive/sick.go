// Sends the recordings of a radio station to the archive in another town.
package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/pkg/sftp"
)

type parcel struct {
	due  time.Time
	body []byte
}

// road carries bytes to the other town, in order, each a while later.
type road struct {
	io.Reader
	far     *io.PipeWriter
	parcels chan parcel
	delay   time.Duration
}

func newRoad(delay time.Duration) *road {
	near, far := io.Pipe()
	r := &road{near, far, make(chan parcel, 1<<12), delay}
	go r.deliver()
	return r
}

func (r *road) deliver() {
	for p := range r.parcels {
		time.Sleep(time.Until(p.due))
		if _, err := r.far.Write(p.body); err != nil {
			break
		}
	}
	r.far.Close()
}

func (r *road) Write(body []byte) (int, error) {
	r.parcels <- parcel{time.Now().Add(r.delay), append([]byte(nil), body...)}
	return len(body), nil
}

type end struct {
	io.Reader
	io.WriteCloser
}

func serve(listener net.Listener) {
	conn, err := listener.Accept()
	if err != nil {
		return
	}
	there := newRoad(6 * time.Millisecond)
	go io.Copy(there, conn)
	server, err := sftp.NewServer(end{there, conn})
	if err != nil {
		panic(err)
	}
	server.Serve()
}

func connect(addr string) (*sftp.Client, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return sftp.NewClientPipe(conn, conn)
}

func recording(number, size int) []byte {
	tape := make([]byte, size)
	for i := range tape {
		tape[i] = byte(i*number + i>>9)
	}
	return tape
}

func upload(client *sftp.Client, name string, tape []byte) error {
	file, err := client.Create(name)
	if err != nil {
		return err
	}
	if _, err := file.ReadFrom(bytes.NewReader(tape)); err != nil {
		return err
	}
	return file.Close()
}

func main() {
	size, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "archive")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go serve(listener)
	client, err := connect(listener.Addr().String())
	if err != nil {
		panic(err)
	}
	sum := fnv.New32a()
	for number := 1; number <= 4; number++ {
		name := filepath.Join(folder, fmt.Sprintf("recording-%d.wav", number))
		if err := upload(client, name, recording(number, size)); err != nil {
			panic(err)
		}
		kept, err := os.ReadFile(name)
		if err != nil {
			panic(err)
		}
		sum.Write(kept)
	}
	fmt.Printf("4 recordings of %d bytes, sum %08x\n", size, sum.Sum32())
}
