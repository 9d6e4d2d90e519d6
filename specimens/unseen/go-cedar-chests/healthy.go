// Packs chests of letters: two packers compress them, a keeper files the parcels in order.
package main

import (
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"os"
	"strconv"
	"sync"
)

type Chest struct {
	Number int
	Text   []byte
}

type Parcel struct {
	Number int
	Size   int
	Seal   uint32
}

type Store struct {
	mu      sync.Mutex
	parcels map[int]Parcel
	bytes   int
}

var phrases = []string{"dear friend ", "the winter was long ", "we received your letter ", "of the ", "fifth ", "and the harvest ", "with love "}

func letters(number int, buffer []byte) []byte {
	state := uint64(number)*0x9e3779b97f4a7c15 + 1
	buffer = buffer[:0]
	for len(buffer) < 60000 {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		if state%11 == 0 {
			buffer = strconv.AppendUint(buffer, state>>40, 10)
			buffer = append(buffer, ' ')
		} else {
			buffer = append(buffer, phrases[state%uint64(len(phrases))]...)
		}
	}
	return buffer
}

func (s *Store) file(parcel Parcel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parcels[parcel.Number] = parcel
	s.bytes += parcel.Size
}

func packer(chests <-chan Chest, free chan<- []byte, store *Store) error {
	var out bytes.Buffer
	writer, err := flate.NewWriter(&out, flate.DefaultCompression)
	if err != nil {
		return err
	}
	for chest := range chests {
		out.Reset()
		writer.Reset(&out)
		if _, err := writer.Write(chest.Text); err != nil {
			return err
		}
		if err := writer.Close(); err != nil {
			return err
		}
		store.file(Parcel{chest.Number, out.Len(), crc32.ChecksumIEEE(out.Bytes())})
		free <- chest.Text
	}
	return nil
}

func main() {
	count := 10
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	const packers = 2
	chests := make(chan Chest, 4)
	free := make(chan []byte, 16)
	for n := 0; n < 8; n++ {
		free <- make([]byte, 0, 70000)
	}
	store := &Store{parcels: map[int]Parcel{}}
	var group sync.WaitGroup
	for n := 0; n < packers; n++ {
		group.Add(1)
		go func() {
			defer group.Done()
			if err := packer(chests, free, store); err != nil {
				panic(err)
			}
		}()
	}
	for number := 0; number < count; number++ {
		chests <- Chest{number, letters(number, <-free)}
	}
	close(chests)
	group.Wait()
	var seal uint32
	for number := 0; number < count; number++ {
		seal = seal*31 + store.parcels[number].Seal
	}
	fmt.Println("parcels", len(store.parcels), "bytes", store.bytes, "seal", seal)
}
