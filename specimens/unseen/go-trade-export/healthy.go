// Trade export: turns the day's trades into the fixed-width file that the clearing house wants.
package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"os"
	"path/filepath"
	"strconv"
)

// Trade is one execution.
type Trade struct {
	ID     uint32
	Symbol string
	Side   byte
	Shares int
	Price  int // in 1/100
	Milli  int // of the day
}

var symbols = []string{"ADS", "ALV", "BAS", "BAYN", "BMW", "CON", "DBK", "DTE", "EOAN", "FRE", "IFX", "LIN", "MRK", "SAP"}

// tape makes the trades of a day, in the order of time.
func tape(count int) []Trade {
	trades := make([]Trade, count)
	state := uint64(88172645463325252)
	step := 8 * 3600 * 1000 / count
	for i := range trades {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		side := byte('B')
		if state>>40&1 == 1 {
			side = 'S'
		}
		trades[i] = Trade{
			ID:     uint32(i + 1),
			Symbol: symbols[state%uint64(len(symbols))],
			Side:   side,
			Shares: 1 + int(state>>20%5000),
			Price:  500 + int(state>>33%25000),
			Milli:  9*3600*1000 + i*step,
		}
	}
	return trades
}

// Totals is what the trailer of the file says.
type Totals struct {
	Lines  int
	Bought int64
	Sold   int64
}

func (t *Totals) add(trade Trade) {
	t.Lines++
	value := int64(trade.Shares) * int64(trade.Price)
	if trade.Side == 'B' {
		t.Bought += value
	} else {
		t.Sold += value
	}
}

func clock(milli int) string {
	second := milli / 1000
	return fmt.Sprintf("%02d%02d%02d%03d", second/3600, second/60%60, second%60, milli%1000)
}

// Writer knows the format.
type Writer struct {
	out io.Writer
}

func (w *Writer) header(day string, count int) error {
	_, err := fmt.Fprintf(w.out, "H%s%09d\r\n", day, count)
	return err
}

func (w *Writer) trade(trade Trade) error {
	if _, err := fmt.Fprintf(w.out, "T%09d%s", trade.ID, clock(trade.Milli)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w.out, "%-6s%c", trade.Symbol, trade.Side); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w.out, "%08d%010d\r\n", trade.Shares, trade.Price)
	return err
}

func (w *Writer) trailer(totals Totals) error {
	_, err := fmt.Fprintf(w.out, "Z%09d%018d%018d\r\n", totals.Lines, totals.Bought, totals.Sold)
	return err
}

func export(path string, trades []Trade) (Totals, error) {
	var totals Totals
	file, err := os.Create(path)
	if err != nil {
		return totals, err
	}
	defer file.Close()
	buffer := bufio.NewWriterSize(file, 1<<16)
	writer := &Writer{out: buffer}
	if err := writer.header("20240517", len(trades)); err != nil {
		return totals, err
	}
	for _, trade := range trades {
		if err := writer.trade(trade); err != nil {
			return totals, err
		}
		totals.add(trade)
	}
	if err := writer.trailer(totals); err != nil {
		return totals, err
	}
	return totals, buffer.Flush()
}

func fingerprint(path string) (uint32, int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	sum := crc32.NewIEEE()
	size, err := io.CopyBuffer(sum, file, make([]byte, 1<<18))
	return sum.Sum32(), size, err
}

func main() {
	count := 280000
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	folder, err := os.MkdirTemp("", "clearing-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "trades.txt")
	totals, err := export(path, tape(count))
	if err != nil {
		log.Panic(err)
	}
	sum, size, err := fingerprint(path)
	if err != nil {
		log.Panic(err)
	}
	fmt.Printf("lines %d bought %d sold %d bytes %d crc %08x\n", totals.Lines, totals.Bought, totals.Sold, size, sum)
}
