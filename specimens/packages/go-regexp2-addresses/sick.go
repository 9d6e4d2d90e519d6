// Counts the web addresses of shops in the postcards that people sent in.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/dlclark/regexp2"
)

var shop = regexp2.MustCompile(`market(?:.[a-z]+)+/offers/`, regexp2.IgnoreCase)

var things = []string{"blue-rain-coats", "warm-wool-socks", "tin-lamp", "oak-table"}

func postcards(count int) []string {
	cards := make([]string, count)
	for i := range cards {
		place := "offers/" + strconv.Itoa(i%900)
		if i%3 == 0 {
			place = "goods/" + things[i%len(things)] + "/" + strconv.Itoa(i)
		}
		cards[i] = "seen at www.market.example/" + place + ".html"
	}
	return cards
}

func mentions(card string) bool {
	found, err := shop.MatchString(card)
	return err == nil && found
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	found, letters := 0, 0
	for _, card := range postcards(count) {
		letters += len(card)
		if mentions(card) {
			found++
		}
	}
	fmt.Println(found, "of", count, "name an offer,", letters, "letters read")
}
