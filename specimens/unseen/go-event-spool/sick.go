// Spools events of the fleet to disk; a spool file is changed for a fresh one when it is full or was moved away.
package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

var kinds = []string{"ignition", "harsh-brake", "door", "refuel", "geofence", "tyre-pressure"}

type event struct {
	vehicle uint32
	kind    string
	at      int64
	lat     int32
	lon     int32
	value   uint16
}

type source struct {
	state uint64
	clock int64
}

func (s *source) draw(limit uint64) uint64 {
	s.state ^= s.state << 13
	s.state ^= s.state >> 7
	s.state ^= s.state << 17
	return s.state % limit
}

func (s *source) next(e *event) {
	s.clock += int64(s.draw(40))
	e.vehicle = uint32(1000 + s.draw(5000))
	e.kind = kinds[s.draw(uint64(len(kinds)))]
	e.at = s.clock
	e.lat = int32(47000000 + s.draw(8000000))
	e.lon = int32(6000000 + s.draw(9000000))
	e.value = uint16(s.draw(65536))
}

func encode(line []byte, e *event) []byte {
	line = append(line[:0], `{"v":`...)
	line = strconv.AppendUint(line, uint64(e.vehicle), 10)
	line = append(line, `,"k":"`...)
	line = append(line, e.kind...)
	line = append(line, `","t":"`...)
	line = time.UnixMilli(e.at).UTC().AppendFormat(line, time.RFC3339)
	line = append(line, `","p":[`...)
	line = strconv.AppendFloat(line, float64(e.lat)/1e6, 'f', 6, 64)
	line = append(line, ',')
	line = strconv.AppendFloat(line, float64(e.lon)/1e6, 'f', 6, 64)
	line = append(line, `],"x":`...)
	line = strconv.AppendUint(line, uint64(e.value), 10)
	return append(line, '}', '\n')
}

type spool struct {
	folder  string
	limit   int64
	number  int
	written int64
	lines   int
	seal    uint32
	info    os.FileInfo
	file    *os.File
	out     *bufio.Writer
}

func (s *spool) path() string {
	return filepath.Join(s.folder, fmt.Sprintf("fleet-%04d.jsonl", s.number))
}

func (s *spool) open() error {
	s.number++
	file, err := os.Create(s.path())
	if err != nil {
		return err
	}
	s.file = file
	s.written = 0
	s.out = bufio.NewWriterSize(file, 64<<10)
	s.info, err = file.Stat()
	return err
}

func (s *spool) close() error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	return s.file.Close()
}

func (s *spool) moved() bool {
	now, err := os.Stat(s.path())
	return err != nil || !os.SameFile(now, s.info)
}

func (s *spool) write(line []byte) error {
	if s.written+int64(len(line)) > s.limit || s.moved() {
		if err := s.close(); err != nil {
			return err
		}
		if err := s.open(); err != nil {
			return err
		}
	}
	s.written += int64(len(line))
	s.lines++
	s.seal = crc32.Update(s.seal, crc32.IEEETable, line)
	_, err := s.out.Write(line)
	return err
}

func run(folder string, events int) (*spool, error) {
	s := &spool{folder: folder, limit: 4 << 20}
	if err := s.open(); err != nil {
		return nil, err
	}
	feed := &source{state: 88172645463325252, clock: 1700000000000}
	var e event
	var line []byte
	for at := 0; at < events; at++ {
		feed.next(&e)
		line = encode(line, &e)
		if err := s.write(line); err != nil {
			return nil, err
		}
	}
	return s, s.close()
}

func main() {
	events, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	s, err := run(folder, events)
	if err != nil {
		panic(err)
	}
	fmt.Printf("lines=%d files=%d seal=%08x\n", s.lines, s.number, s.seal)
}
