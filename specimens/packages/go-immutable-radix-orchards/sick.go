// Reads the register of an orchard's trees and counts those of each row that bear fruit.
package main

import (
	"fmt"
	"os"
	"strconv"

	iradix "github.com/hashicorp/go-immutable-radix"
)

type tree struct {
	kind  int
	grown int
}

func key(number int) []byte {
	return []byte(fmt.Sprintf("orchard%02d/row%03d/tree%02d", number/4800%12, number/32%150, number%32))
}

func register(count int) *iradix.Tree {
	trees := iradix.New()
	for number := 0; number < count; number++ {
		trees, _, _ = trees.Insert(key(number), tree{number % 9, number * 13 % 80})
	}
	return trees
}

func bearing(trees *iradix.Tree, orchard int) int {
	total := 0
	prefix := []byte(fmt.Sprintf("orchard%02d/", orchard))
	trees.Root().WalkPrefix(prefix, func(_ []byte, value interface{}) bool {
		if found := value.(tree); found.grown > 3 && found.kind != 0 {
			total++
		}
		return false
	})
	return total
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	trees := register(count)
	for orchard := 0; orchard < 12; orchard++ {
		fmt.Print(bearing(trees, orchard), " ")
	}
	fmt.Println("of", trees.Len())
}
