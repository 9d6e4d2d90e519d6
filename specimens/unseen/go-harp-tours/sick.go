// Harp tours: turns the concerts of a travelling harpist into a calendar in the time of each town.
package main

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"sort"
	"strconv"
	"time"
)

// Town is where a concert takes place.
type Town struct {
	Name string
	Zone string
}

var towns = []Town{
	{"Riga", "Europe/Riga"}, {"Quito", "America/Guayaquil"}, {"Perth", "Australia/Perth"},
	{"Lagos", "Africa/Lagos"}, {"Oslo", "Europe/Oslo"}, {"Lima", "America/Lima"},
	{"Osaka", "Asia/Tokyo"}, {"Boston", "America/New_York"},
}

// Concert is one evening.
type Concert struct {
	Town    Town
	Begins  time.Time
	Minutes int
}

// Calendar collects the evenings.
type Calendar struct {
	page   bytes.Buffer
	hours  [24]int
	towns  map[string]int
	effort uint32
}

// NewCalendar is empty.
func NewCalendar() *Calendar {
	return &Calendar{towns: make(map[string]int)}
}

func (c *Calendar) local(concert Concert) (time.Time, error) {
	zone, err := time.LoadLocation(concert.Town.Zone)
	if err != nil {
		return time.Time{}, err
	}
	return concert.Begins.In(zone), nil
}

// Enter writes one evening down.
func (c *Calendar) Enter(concert Concert) error {
	begins, err := c.local(concert)
	if err != nil {
		return err
	}
	c.page.WriteString(begins.Format("Mon 2 Jan 15:04"))
	c.page.WriteString(" " + concert.Town.Name + " ")
	c.page.WriteString(strconv.Itoa(concert.Minutes))
	c.page.WriteByte('\n')
	c.hours[begins.Hour()]++
	c.towns[concert.Town.Name]++
	c.effort = c.effort*31 + tuning(concert.Minutes)
	return nil
}

// tuning says how long the strings must be tuned before.
func tuning(minutes int) uint32 {
	value := uint32(minutes)
	for str := uint32(0); str < 47*20; str++ {
		value = value*1103515245 + str
	}
	return value >> 20
}

// Seal is a sum over all pages.
func (c *Calendar) Seal() uint64 {
	sum := fnv.New64a()
	sum.Write(c.page.Bytes())
	return sum.Sum64()
}

func concerts(count int) []Concert {
	list := make([]Concert, 0, count)
	state := uint32(1820)
	at := time.Date(2026, 1, 3, 18, 0, 0, 0, time.UTC)
	for i := 0; i < count; i++ {
		state = state*1664525 + 1013904223
		at = at.Add(time.Duration(1+(state>>16)%90) * time.Minute)
		list = append(list, Concert{towns[(state>>8)%uint32(len(towns))], at, 60 + int(state>>24)%50})
	}
	return list
}

func main() {
	count := 100
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	calendar := NewCalendar()
	for _, concert := range concerts(count) {
		if err := calendar.Enter(concert); err != nil {
			fmt.Fprintln(os.Stderr, "harp:", err)
			os.Exit(1)
		}
	}
	names := make([]string, 0, len(calendar.towns))
	for name := range calendar.towns {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Print(name, " ", calendar.towns[name], ", ")
	}
	fmt.Printf("evening %d, effort %d, seal %x\n", calendar.hours[19], calendar.effort, calendar.Seal())
}
