// Reads the packed records of a network of seismographs and looks for the quakes in them.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/ulikunitz/xz/lzma"
)

func record(bytesOfDay int) []byte {
	var packed bytes.Buffer
	packer, _ := lzma.WriterConfig{DictCap: 1 << 16}.NewWriter(&packed)
	state, line := uint32(5), make([]byte, bytesOfDay)
	for at := range line {
		state = state*1664525 + 1013904223
		line[at] = byte(128 + int32(state>>28) - 8)
		if at%200000 < 90 {
			line[at] = byte(state >> 24)
		}
	}
	packer.Write(line)
	packer.Close()
	return packed.Bytes()
}

func unpack(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unpacker, err := lzma.NewReader(file)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(unpacker)
}

func quakes(line []byte) (found int) {
	for at, last := 0, -1000; at < len(line); at++ {
		if (line[at] > 200 || line[at] < 50) && at-last > 1000 {
			found++
			last = at
		}
	}
	return found
}

func main() {
	stations, _ := strconv.Atoi(os.Args[1])
	folder, _ := os.MkdirTemp("", "seismographs")
	defer os.RemoveAll(folder)
	day, found := record(800000), 0
	for station := 0; station < stations; station++ {
		path := filepath.Join(folder, fmt.Sprintf("station-%d.lzma", station))
		os.WriteFile(path, day, 0o644)
		line, err := unpack(path)
		if err != nil {
			panic(err)
		}
		found += quakes(line)
	}
	fmt.Println(stations, "stations,", found, "quakes")
}
