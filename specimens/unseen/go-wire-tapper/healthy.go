// Wire tapper: reads telegrams from a line as they come in, byte by byte, and files them.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
)

const end = "=STOP="

// Telegram is one message.
type Telegram struct {
	From, To string
	Words    int
	Sum      uint32
}

// Line is where telegrams come from.
type Line struct {
	wire *bufio.Reader
}

// Next gives the text of the next telegram, without its end mark.
func (l *Line) Next() (string, error) {
	var text bytes.Buffer
	for {
		char, err := l.wire.ReadByte()
		if err != nil {
			return "", err
		}
		text.WriteByte(char)
		if bytes.HasSuffix(text.Bytes(), []byte(end)) {
			return strings.TrimSuffix(text.String(), end), nil
		}
	}
}

func parse(text string) (Telegram, error) {
	head, body, found := strings.Cut(text, "|")
	if !found {
		return Telegram{}, fmt.Errorf("no header in %q", text[:20])
	}
	from, to, _ := strings.Cut(head, ">")
	words := len(strings.FieldsFunc(body, func(r rune) bool { return !unicode.IsLetter(r) }))
	return Telegram{From: from, To: to, Words: words, Sum: crc32.ChecksumIEEE([]byte(body))}, nil
}

// Cabinet files telegrams by receiver.
type Cabinet struct {
	drawers map[string][]Telegram
	index   map[uint32]int
}

func (c *Cabinet) file(telegram Telegram) {
	c.drawers[telegram.To] = append(c.drawers[telegram.To], telegram)
	c.index[telegram.Sum]++
}

func (c *Cabinet) bill() int {
	pence := 0
	for _, drawer := range c.drawers {
		for _, telegram := range drawer {
			pence += 6 + max(telegram.Words-12, 0)/2
		}
	}
	return pence
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}

func station(count int, out *io.PipeWriter) {
	towns := []string{"LEEDS", "YORK", "HULL", "DERBY", "OXFORD"}
	words := strings.Fields("ARRIVE MONDAY SEND TRUNK BOOKS URGENT MOTHER WELL PRICE WOOL FALLING BUY NOTHING")
	writer := bufio.NewWriterSize(out, 4096)
	state := uint32(7)
	for i := 0; i < count; i++ {
		fmt.Fprintf(writer, "%s>%s|", towns[i%5], towns[(i*3+1)%5])
		for size := 0; size < 300+i%9*250; {
			state = state*1664525 + 1013904223
			word := words[state>>16%uint32(len(words))]
			writer.WriteString(word + " ")
			size += len(word) + 1
		}
		writer.WriteString(end)
	}
	writer.Flush()
	out.Close()
}

func main() {
	count := 50
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	in, out := io.Pipe()
	go station(count, out)
	line := &Line{wire: bufio.NewReader(in)}
	cabinet := &Cabinet{drawers: map[string][]Telegram{}, index: map[uint32]int{}}
	for {
		text, err := line.Next()
		if err == io.EOF {
			break
		}
		telegram, err := parse(text)
		if err != nil {
			fmt.Fprintln(os.Stderr, "wire:", err)
			os.Exit(1)
		}
		cabinet.file(telegram)
	}
	fmt.Println("drawers", len(cabinet.drawers), "telegrams", len(cabinet.index), "bill", cabinet.bill())
}
