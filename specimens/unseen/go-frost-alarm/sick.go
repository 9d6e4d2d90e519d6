// Frost alarm: sensors in a vineyard report, a watch raises the alarm when they fall silent or it freezes.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"
)

// Reading is one report.
type Reading struct {
	Sensor int
	Tenths int
}

// Watch looks at the readings of a slope.
type Watch struct {
	slope   int
	in      chan Reading
	silence time.Duration
	alarms  int
	last    [64]int
	sum     uint64
}

func newWatch(slope int) *Watch {
	return &Watch{slope: slope, in: make(chan Reading, 256), silence: 5 * time.Minute}
}

func (w *Watch) judge(r Reading) {
	before := w.last[r.Sensor%64]
	w.last[r.Sensor%64] = (before*3 + r.Tenths) / 4
	if r.Tenths < 0 && before < 5 {
		w.alarms++
	}
	w.sum = w.sum*31 + uint64(r.Tenths+200)
}

// Run takes readings until the slope is closed.
func (w *Watch) Run(ctx context.Context) error {
	for {
		select {
		case reading, open := <-w.in:
			if !open {
				return nil
			}
			w.judge(reading)
		case <-time.After(w.silence):
			return fmt.Errorf("slope %d is silent", w.slope)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Mast sends the readings of one slope.
type Mast struct {
	state uint32
}

func (m *Mast) next(i int) Reading {
	m.state ^= m.state << 13
	m.state ^= m.state >> 17
	m.state ^= m.state << 5
	return Reading{Sensor: i, Tenths: int(m.state%90) - 15}
}

func (m *Mast) send(count int, out chan<- Reading) {
	for i := 0; i < count; i++ {
		out <- m.next(i)
	}
	close(out)
}

func monitor(ctx context.Context, tick time.Duration) int {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	beats := 0
	for {
		select {
		case <-ticker.C:
			beats++
		case <-ctx.Done():
			return beats
		}
	}
}

func main() {
	count := 1000
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	ctx, cancel := context.WithCancel(context.Background())
	go monitor(ctx, 50*time.Millisecond)
	watches := make([]*Watch, 2)
	var group sync.WaitGroup
	for slope := range watches {
		watch := newWatch(slope)
		watches[slope] = watch
		mast := &Mast{state: uint32(slope)*7919 + 17}
		go mast.send(count, watch.in)
		group.Add(1)
		go func() {
			defer group.Done()
			if err := watch.Run(ctx); err != nil {
				fmt.Fprintln(os.Stderr, "frost:", err)
			}
		}()
	}
	group.Wait()
	cancel()
	alarms, sum := 0, uint64(0)
	for _, watch := range watches {
		alarms += watch.alarms
		sum ^= watch.sum
	}
	fmt.Printf("alarms %d sum %x\n", alarms, sum)
}
