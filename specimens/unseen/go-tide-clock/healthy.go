// Tide clock: a simulated sensor sends a level every 25 milliseconds; the clock smooths and shows each as it comes.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"strconv"
	"time"
)

const beat = 25 * time.Millisecond

type level struct {
	Number uint32
	Metres float64
}

// sensor sends levels at its own pace: the sea does not hurry.
func sensor(line net.Conn, levels int) {
	defer line.Close()
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for number := 0; number < levels; number++ {
		<-ticker.C
		metres := 3*math.Sin(float64(number)/20) + float64(number*7%5)/50
		if binary.Write(line, binary.LittleEndian, level{uint32(number), metres}) != nil {
			return
		}
	}
}

type clock struct {
	window [32]float64
	seen   int
	high   float64
	marks  []int
}

func (c *clock) show(l level) {
	c.window[c.seen%len(c.window)] = l.Metres
	c.seen++
	mean := c.mean()
	if mean > c.high {
		c.high = mean
	}
	c.marks = append(c.marks, c.wave(mean))
}

func (c *clock) mean() float64 {
	count := c.seen
	if count > len(c.window) {
		count = len(c.window)
	}
	sum := 0.0
	for _, metres := range c.window[:count] {
		sum += metres
	}
	return sum / float64(count)
}

// wave draws the next piece of the curve.
func (c *clock) wave(mean float64) int {
	sum := 0.0
	for k := 1; k <= 200000; k++ {
		sum += math.Cos(mean*float64(k)) / float64(k)
	}
	return int(sum * 1000)
}

func main() {
	levels := 10
	if len(os.Args) > 1 {
		levels, _ = strconv.Atoi(os.Args[1])
	}
	far, near := net.Pipe()
	go sensor(far, levels)
	c := &clock{high: math.Inf(-1)}
	for {
		var l level
		err := binary.Read(near, binary.LittleEndian, &l)
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "clock:", err)
			os.Exit(1)
		}
		c.show(l)
	}
	sum := 0
	for _, mark := range c.marks {
		sum = (sum*31 + mark) % 1000003
	}
	fmt.Printf("high %.4f marks %d\n", c.high, sum)
}
