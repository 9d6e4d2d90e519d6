// Prints the badges of a congress: reads the guest list, sets the day of arrival and the code of each guest.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"sort"
	"strconv"
	"strings"
	"time"
)

type guest struct {
	name    string
	arrives int64
	hall    int
}

type badge struct {
	line string
	code uint32
}

// Printer lays out badges for one congress.
type Printer struct {
	layout string
	badges []badge
}

func (p *Printer) day(moment int64) (string, error) {
	stamp := "@" + strconv.FormatInt(moment, 10)
	command := exec.Command("date", "-u", "-d", stamp, "+"+p.layout)
	text, err := command.Output()
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(text)), nil
}

func (p *Printer) lay(g guest) (badge, error) {
	day, err := p.day(g.arrives)
	if err != nil {
		return badge{}, err
	}
	line := fmt.Sprintf("%-24s | hall %d | from %s", strings.ToUpper(g.name), g.hall, day)
	return badge{line: line, code: code(line)}, nil
}

func (p *Printer) print(guests []guest) error {
	for _, g := range guests {
		b, err := p.lay(g)
		if err != nil {
			return err
		}
		p.badges = append(p.badges, b)
	}
	sort.Slice(p.badges, func(a, b int) bool { return p.badges[a].line < p.badges[b].line })
	return nil
}

func code(line string) uint32 {
	sum := crc32.ChecksumIEEE([]byte(line))
	for round := 0; round < 40000; round++ {
		sum = sum*1664525 + uint32(round) ^ sum>>9
	}
	return sum
}

func writeList(path string, guests int) error {
	var list bytes.Buffer
	start := time.Date(2025, 5, 1, 9, 0, 0, 0, time.UTC)
	for n := 0; n < guests; n++ {
		arrives := start.Add(time.Duration(n*7919%9000) * time.Minute)
		fmt.Fprintf(&list, "guest %d of table %d,%d,%d\n", n, n%17, arrives.Unix(), n%6+1)
	}
	return os.WriteFile(path, list.Bytes(), 0o600)
}

func readList(path string) ([]guest, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var guests []guest
	for lines := bufio.NewScanner(in); lines.Scan(); {
		fields := strings.Split(lines.Text(), ",")
		arrives, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return nil, err
		}
		hall, err := strconv.Atoi(fields[2])
		if err != nil {
			return nil, err
		}
		guests = append(guests, guest{fields[0], arrives, hall})
	}
	return guests, nil
}

func run(path string, count int) (*Printer, error) {
	if err := writeList(path, count); err != nil {
		return nil, err
	}
	guests, err := readList(path)
	if err != nil {
		return nil, err
	}
	printer := &Printer{layout: "%Y-%m-%d %H:%M"}
	return printer, printer.print(guests)
}

func main() {
	count := 20
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	path := fmt.Sprintf("%s/guests-%d.csv", os.TempDir(), os.Getpid())
	defer os.Remove(path)
	printer, err := run(path, count)
	if err != nil {
		panic(err)
	}
	sum := uint32(0)
	for _, b := range printer.badges {
		sum = sum*31 + b.code
	}
	fmt.Printf("badges %d last %q sum %08x\n", len(printer.badges), printer.badges[len(printer.badges)-1].line, sum)
}
