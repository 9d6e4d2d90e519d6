// Copies leaves of a chronicle, wraps their lines and seals every leaf with the checksum of POSIX.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

type Leaf struct {
	Number int
	Lines  []string
}

type Scribe struct {
	width int
	seals map[int]uint64
}

var words = strings.Fields("anno domini rex regina castrum flumen pons turris episcopus monasterium bellum pax annona")

func text(number int) string {
	state := uint32(number)*2654435761 + 1
	var out strings.Builder
	for n := 0; n < 260; n++ {
		state = state*1664525 + 1013904223
		out.WriteString(words[int(state>>10)%len(words)])
		out.WriteByte(' ')
	}
	return out.String()
}

func (s *Scribe) wrap(text string) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if len(line)+len(word)+1 > s.width {
			lines = append(lines, line)
			line = word
			continue
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// seal asks the tool of the house for the checksum.
func (s *Scribe) seal(leaf Leaf) (uint64, error) {
	command := exec.Command("cksum")
	command.Stdin = strings.NewReader(strings.Join(leaf.Lines, "\n"))
	out, err := command.Output()
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(strings.Fields(string(out))[0], 10, 64)
}

func (s *Scribe) Copy(number int) error {
	leaf := Leaf{number, s.wrap(text(number))}
	seal, err := s.seal(leaf)
	if err != nil {
		return err
	}
	s.seals[number] = seal
	return nil
}

func (s *Scribe) total() uint64 {
	var sum uint64
	for number := 0; number < len(s.seals); number++ {
		sum = sum*31 + s.seals[number]
	}
	return sum
}

func main() {
	leaves := 20
	if len(os.Args) > 1 {
		leaves, _ = strconv.Atoi(os.Args[1])
	}
	candle := time.NewTicker(400 * time.Millisecond)
	burnt := 0
	go func() {
		for range candle.C {
			burnt++
		}
	}()
	scribe := &Scribe{width: 64, seals: map[int]uint64{}}
	for number := 0; number < leaves; number++ {
		if err := scribe.Copy(number); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	candle.Stop()
	fmt.Println("leaves", len(scribe.seals), "total", scribe.total())
}
