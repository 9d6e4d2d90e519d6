// Prices the trips of riders with different concessions on a city's tariff.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type Tariff struct {
	prices map[string]int
	base   *Tariff
}

func zone(n int) string { return "Z" + strconv.Itoa(n) }

func Standard(zones int) *Tariff {
	prices := make(map[string]int, zones*zones/4)
	for a := 0; a < zones; a++ {
		for b := a; b < zones && b < a+12; b++ {
			prices[zone(a)+"-"+zone(b)] = 180 + 35*(b-a) + a%7
		}
	}
	return &Tariff{prices: prices}
}

// With gives a tariff in which some prices differ; the old one stays as it is.
func (t *Tariff) With(changes map[string]int) *Tariff {
	prices := make(map[string]int, len(t.prices))
	for key, price := range t.prices {
		prices[key] = price
	}
	for key, price := range changes {
		prices[key] = price
	}
	return &Tariff{prices: prices}
}

func (t *Tariff) Price(key string) int {
	if price, ok := t.prices[key]; ok || t.base == nil {
		return price
	}
	return t.base.Price(key)
}

type Rider struct {
	Number     int
	Concession int
	Home       int
}

func (r Rider) Changes() map[string]int {
	changes := map[string]int{}
	for k := 0; k < r.Concession; k++ {
		changes[zone(r.Home)+"-"+zone(r.Home+k)] = 90 + 20*k
	}
	return changes
}

func (r Rider) Trips() [][2]int {
	var trips [][2]int
	at := r.Home
	for k := 0; k < 14; k++ {
		next := (at*13 + k*7 + r.Number) % 60
		low, high := at, next
		if low > high {
			low, high = high, low
		}
		if high-low > 11 {
			high = low + 11
		}
		trips = append(trips, [2]int{low, high})
		at = next
	}
	return trips
}

func (t *Tariff) Quote(rider Rider) int {
	own := t.With(rider.Changes())
	sum := 0
	for _, trip := range rider.Trips() {
		sum += own.Price(zone(trip[0]) + "-" + zone(trip[1]))
	}
	return sum
}

func main() {
	riders := 500
	if len(os.Args) > 1 {
		riders, _ = strconv.Atoi(os.Args[1])
	}
	standard := Standard(72)
	total, most := 0, 0
	for n := 0; n < riders; n++ {
		quote := standard.Quote(Rider{Number: n, Concession: n % 4, Home: n * 7 % 60})
		total += quote
		if quote > most {
			most = quote
		}
	}
	fmt.Println("riders", riders, "prices", len(standard.prices), "total", total, "most", most)
}
