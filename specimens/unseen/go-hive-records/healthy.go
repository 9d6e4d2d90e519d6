// Keeps the records of many bee hives in memory and goes through the daily slips of the keepers.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
)

// What the records may take on the small machine in the shed.
const budget = 280 << 20

type Visit struct {
	day    int
	keeper string
	grams  int
	next   *Visit
}

type Hive struct {
	name   string
	queen  *string
	last   *Visit
	visits int
	grams  int
}

type Records struct {
	hives map[string]*Hive
	order []*Hive
}

func newRecords(count int) *Records {
	records := &Records{hives: make(map[string]*Hive, count)}
	for number := 0; number < count; number++ {
		queen := "Q" + strconv.Itoa(number*7%9973)
		hive := &Hive{name: "hive-" + strconv.Itoa(number), queen: &queen}
		for day := 0; day < 6; day++ {
			hive.last = &Visit{day: day, keeper: "keeper-" + strconv.Itoa(number%40), grams: number % 50, next: hive.last}
		}
		records.hives[hive.name] = hive
		records.order = append(records.order, hive)
	}
	return records
}

// slip is what a keeper hands in after a round.
func slip(day, number, hives int) string {
	parts := make([]string, 0, 4)
	seed := uint32(day*7919 + number*104729)
	for hive := 0; hive < 4; hive++ {
		seed = seed*1664525 + 1013904223
		parts = append(parts, "hive-"+strconv.Itoa(int(seed>>8)%hives)+"="+strconv.Itoa(int(seed>>24)))
	}
	return strings.Join(parts, ",")
}

func (r *Records) enter(day int, text string) error {
	for _, part := range strings.Split(text, ",") {
		name, amount, found := strings.Cut(part, "=")
		if !found {
			return fmt.Errorf("bad slip %q", part)
		}
		grams, err := strconv.Atoi(amount)
		if err != nil {
			return err
		}
		hive := r.hives[name]
		hive.visits++
		hive.grams += grams
	}
	return nil
}

// best gives the heaviest hives of the sample that the market asks for.
func (r *Records) best(day int) []*Hive {
	sample := make([]*Hive, 0, 64)
	for place := 0; place < 64; place++ {
		sample = append(sample, r.order[(day*977+place*131)%len(r.order)])
	}
	sort.Slice(sample, func(i, j int) bool {
		if sample[i].grams != sample[j].grams {
			return sample[i].grams > sample[j].grams
		}
		return sample[i].name < sample[j].name
	})
	return sample[:8]
}

func setUp() {
	debug.SetMemoryLimit(budget)
}

func main() {
	days, _ := strconv.Atoi(os.Args[1])
	setUp()
	records := newRecords(60000)
	seal := fnv.New64a()
	for day := 0; day < days; day++ {
		for number := 0; number < 400; number++ {
			if err := records.enter(day, slip(day, number, len(records.order))); err != nil {
				fmt.Println(err)
				return
			}
		}
		for _, hive := range records.best(day) {
			fmt.Fprintf(seal, "%s:%d;", hive.name, hive.grams)
		}
	}
	grams := 0
	for _, hive := range records.order {
		grams += hive.grams
	}
	fmt.Println("days", days, "grams", grams, "seal", strconv.FormatUint(seal.Sum64(), 16))
}
