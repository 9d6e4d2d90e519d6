// `twin split [SECONDS]`: the Go twin of split.c; the log is described in truth.h.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

var result uint64 = 1

type mark struct {
	wall   time.Time
	queued float64
}

func queued() float64 {
	text, _ := os.ReadFile("/proc/thread-self/schedstat")
	queued, _ := strconv.ParseFloat(strings.Fields(string(text))[1], 64)
	return queued / 1e9
}

// Both at one moment: a thread that lost its CPU between the two reads them again.
func now() mark {
	for {
		before, wall := queued(), time.Now()
		if before == queued() {
			return mark{wall, before}
		}
	}
}

//go:noinline
func heavy() {
	x := result
	for i := 0; i < 700*1000; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	result = x
}

//go:noinline
func light() {
	x := result
	for i := 0; i < 300*1000; i++ {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	result = x
}

func main() {
	runtime.LockOSThread()
	seconds := 1.0
	if len(os.Args) > 2 {
		seconds, _ = strconv.ParseFloat(os.Args[2], 64)
	}
	began := now()
	at := began
	own := [2]float64{}
	functions := [2]func(){heavy, light}
	for i := 0; i < int(seconds*500); i++ {
		for which, function := range functions {
			function()
			then := at
			at = now()
			own[which] += at.wall.Sub(then.wall).Seconds() - (at.queued - then.queued)
		}
	}
	link, _ := os.Readlink("/proc/thread-self")
	thread := filepath.Base(link)
	log := fmt.Sprintf("{\"wall\": %.9f, \"thread\": %s}\n", at.wall.Sub(began.wall).Seconds(), thread)
	log += fmt.Sprintf("{\"leaf\": \"on-cpu\", \"seconds\": %.9f, \"thread\": %s}\n", own[0]+own[1], thread)
	log += fmt.Sprintf("{\"leaf\": \"runnable\", \"seconds\": %.9f, \"thread\": %s}\n", at.queued-began.queued, thread)
	log += fmt.Sprintf("{\"function\": \"heavy\", \"seconds\": %.9f, \"thread\": %s}\n", own[0], thread)
	log += fmt.Sprintf("{\"function\": \"light\", \"seconds\": %.9f, \"thread\": %s}\n", own[1], thread)
	if path := os.Getenv("SLOWPATH_TRUTH"); path != "" {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			panic(err)
		}
		_, _ = file.WriteString(log)
		_ = file.Close()
	}
}
