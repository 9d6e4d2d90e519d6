// Adds up the lines of a year's invoices, with tax, for each branch.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/shopspring/decimal"
)

type line struct {
	branch   int
	quantity int64
	cents    int64
}

func book(count int) []line {
	lines := make([]line, count)
	state := uint64(88172645463325252)
	for i := range lines {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		lines[i] = line{int(state % 40), int64(1 + state>>20%9), int64(100 + state>>30%90000)}
	}
	return lines
}

func totals(lines []line) [40]string {
	var sums [40]decimal.Decimal
	tax := decimal.New(119, -2)
	for _, l := range lines {
		net := decimal.New(l.cents, -2).Mul(decimal.New(l.quantity, 0))
		sums[l.branch] = sums[l.branch].Add(net.Mul(tax))
	}
	var texts [40]string
	for branch, sum := range sums {
		texts[branch] = sum.StringFixed(4)
	}
	return texts
}

func best(texts [40]string) (int, string) {
	branch, most := 0, 0.0
	for i, text := range texts {
		amount, _ := strconv.ParseFloat(text, 64)
		if amount > most {
			branch, most = i, amount
		}
	}
	return branch, texts[branch]
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	lines := book(count)
	texts := totals(lines)
	branch, amount := best(texts)
	fmt.Println(len(lines), "lines, best branch", branch, "with", amount, "and first", texts[0])
}
