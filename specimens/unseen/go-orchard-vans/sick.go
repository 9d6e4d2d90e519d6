// Collects the picking slips of the orchards' vans and adds up what each variety weighs.
package main

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

const pickers = 8

var varieties = []string{"bramley", "russet", "pippin", "codlin", "costard", "pearmain"}

// Depot keeps the slips; those of the far orchards come from the tape.
type Depot struct {
	door net.Listener
	wait sync.WaitGroup
}

func openDepot() (*Depot, error) {
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &Depot{door: door}
	d.wait.Add(1)
	go func() {
		defer d.wait.Done()
		for {
			link, err := door.Accept()
			if err != nil {
				return
			}
			d.wait.Add(1)
			go d.serve(link)
		}
	}()
	return d, nil
}

func (d *Depot) serve(link net.Conn) {
	defer d.wait.Done()
	defer link.Close()
	lines := bufio.NewReader(link)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		van, _ := strconv.Atoi(strings.TrimSpace(line))
		if van%11 == 3 {
			time.Sleep(42 * time.Millisecond)
		} else {
			time.Sleep(3 * time.Millisecond)
		}
		if _, err := io.WriteString(link, slip(van)); err != nil {
			return
		}
	}
}

func (d *Depot) close() {
	d.door.Close()
	d.wait.Wait()
}

func slip(van int) string {
	state := uint32(van)*2654435761 + 7
	var out strings.Builder
	for i := 0; i < 9; i++ {
		state = state*1664525 + 1013904223
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "%s=%d", varieties[(state>>9)%6], 20+(state>>16)%300)
	}
	out.WriteByte('\n')
	return out.String()
}

// Picker is one standing line to the depot.
type Picker struct {
	link  net.Conn
	lines *bufio.Reader
}

func (p *Picker) fetch(van int) (string, error) {
	if _, err := fmt.Fprintf(p.link, "%d\n", van); err != nil {
		return "", err
	}
	return p.lines.ReadString('\n')
}

func hire(address string) ([]*Picker, error) {
	var crew []*Picker
	for i := 0; i < pickers; i++ {
		link, err := net.Dial("tcp", address)
		if err != nil {
			return nil, err
		}
		crew = append(crew, &Picker{link: link, lines: bufio.NewReader(link)})
	}
	return crew, nil
}

// gather asks for all vans and returns the slips in their order.
func gather(crew []*Picker, vans []int) []string {
	slips := make([]string, len(vans))
	take := func(picker *Picker, at int) {
		text, err := picker.fetch(vans[at])
		if err != nil {
			text = "lost=0\n"
		}
		slips[at] = text
	}
	for from := 0; from < len(vans); from += len(crew) {
		var round sync.WaitGroup
		for i, picker := range crew {
			if from+i >= len(vans) {
				break
			}
			round.Add(1)
			go func(picker *Picker, at int) {
				defer round.Done()
				take(picker, at)
			}(picker, from+i)
		}
		round.Wait()
	}
	return slips
}

func weigh(slips []string) map[string]int {
	sums := map[string]int{}
	for _, text := range slips {
		for _, part := range strings.Split(strings.TrimSpace(text), ",") {
			name, value, _ := strings.Cut(part, "=")
			kilos, _ := strconv.Atoi(value)
			sums[name] += kilos
		}
	}
	return sums
}

func main() {
	count := 300
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	depot, err := openDepot()
	if err != nil {
		fmt.Fprintln(os.Stderr, "depot:", err)
		os.Exit(1)
	}
	crew, err := hire(depot.door.Addr().String())
	if err != nil {
		fmt.Fprintln(os.Stderr, "crew:", err)
		os.Exit(1)
	}
	var vans []int
	for i := 0; i < count; i++ {
		vans = append(vans, i*5+1)
	}
	slips := gather(crew, vans)
	for _, picker := range crew {
		picker.link.Close()
	}
	depot.close()

	sums := weigh(slips)
	var names []string
	for name := range sums {
		names = append(names, name)
	}
	sort.Strings(names)
	seal := fnv.New64a()
	for _, text := range slips {
		io.WriteString(seal, text)
	}
	for _, name := range names {
		fmt.Fprintf(seal, "%s %d\n", name, sums[name])
	}
	fmt.Printf("slips %d %s %d seal %016x\n", len(slips), names[0], sums[names[0]], seal.Sum64())
}
