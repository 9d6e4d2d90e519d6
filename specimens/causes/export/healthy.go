// Exports measured rows as a table to a file and prints the digest of what was written.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strconv"
)

type row struct {
	station string
	values  [9]float64
}

type ledger struct {
	rows []row
	mean [9]float64
}

func measure(rows int) *ledger {
	made := &ledger{}
	state := uint32(5)
	for i := 0; i < rows; i++ {
		one := row{station: "station-" + strconv.Itoa(i%500)}
		for j := range one.values {
			state = state*1664525 + 1013904223
			one.values[j] = float64(state>>12) / 64
			made.mean[j] += one.values[j]
		}
		made.rows = append(made.rows, one)
	}
	return made
}

func writeRow(to io.Writer, one row) error {
	if _, err := io.WriteString(to, one.station); err != nil {
		return err
	}
	for _, value := range one.values {
		if _, err := to.Write([]byte{';'}); err != nil {
			return err
		}
		if _, err := to.Write(strconv.AppendFloat(nil, value, 'f', 3, 64)); err != nil {
			return err
		}
	}
	_, err := to.Write([]byte{'\n'})
	return err
}

func export(from *ledger, file *os.File) error {
	to := bufio.NewWriterSize(file, 1<<16)
	defer to.Flush()
	for _, one := range from.rows {
		if err := writeRow(to, one); err != nil {
			return err
		}
	}
	return nil
}

func digest(file *os.File) (uint64, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	sum, lines := fnv.New64a(), bufio.NewScanner(file)
	for lines.Scan() {
		sum.Write(lines.Bytes())
	}
	return sum.Sum64(), lines.Err()
}

func main() {
	rows := 45000
	if len(os.Args) > 1 {
		rows, _ = strconv.Atoi(os.Args[1])
	}
	file, err := os.CreateTemp("", "export-")
	if err != nil {
		os.Exit(1)
	}
	defer os.Remove(file.Name())
	from := measure(rows)
	if err := export(from, file); err != nil {
		os.Exit(1)
	}
	sum, err := uint64(0), error(nil)
	for pass := 0; pass < 4 && err == nil; pass++ {
		sum, err = digest(file)
	}
	if err != nil {
		os.Exit(1)
	}
	fmt.Printf("%016x %.2f\n", sum, from.mean[0])
}
