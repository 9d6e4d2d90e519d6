// Plays a plague over a country of villages and prints who is left.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type village struct {
	name   *string
	sick   int
	people int
	roads  []*village
}

type visit struct {
	from, to *village
	carriers int
	reason   *string
}

type country struct {
	side     int
	villages []*village
	scratch  []visit
}

func found(side int) *country {
	made := &country{side: side}
	for i := 0; i < side*side; i++ {
		name := "village " + strconv.Itoa(i)
		made.villages = append(made.villages, &village{name: &name, people: 100 + i*7919%900})
	}
	for i, one := range made.villages {
		for _, step := range []int{-side, -1, 1, side} {
			if other := i + step; other >= 0 && other < len(made.villages) {
				one.roads = append(one.roads, made.villages[other])
			}
		}
	}
	made.villages[side*side/2].sick = 60
	return made
}

func neighbours(at *village, visits []visit) []visit {
	reason := at.name
	for _, other := range at.roads {
		visits = append(visits, visit{at, other, at.sick / 9, reason})
	}
	return visits
}

func spread(land *country) int {
	fresh := 0
	for _, at := range land.villages {
		land.scratch = neighbours(at, land.scratch[:0])
		for _, trip := range land.scratch {
			room := trip.to.people - trip.to.sick
			if trip.carriers > 0 && room > 0 {
				step := min(trip.carriers, room)
				trip.to.sick += step
				fresh += step
			}
		}
	}
	return fresh
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func heal(land *country, day int) {
	for i, at := range land.villages {
		if (i+day)%3 == 0 {
			at.sick -= at.sick / 4
		}
	}
}

func census(land *country) uint64 {
	sum := uint64(14695981039346656037)
	for _, at := range land.villages {
		for _, letter := range []byte(*at.name) {
			sum = (sum ^ uint64(letter)) * 1099511628211
		}
		sum += uint64(at.sick)
	}
	return sum
}

func run(days, side int) uint64 {
	land := found(side)
	sum := uint64(0)
	for day := 0; day < days; day++ {
		sum = sum*31 + uint64(spread(land))
		heal(land, day)
		sum += census(land)
	}
	return sum
}

func main() {
	days := 7
	if len(os.Args) > 1 {
		days, _ = strconv.Atoi(os.Args[1])
	}
	fmt.Printf("%016x\n", run(days, 380))
}
