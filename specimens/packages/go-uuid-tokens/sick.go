// Hands out a token for each visitor and counts how they begin.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/google/uuid"
)

func tokens(count int) []string {
	tokens := make([]string, 0, count)
	for i := 0; i < count; i++ {
		tokens = append(tokens, uuid.New().String())
	}
	return tokens
}

func starts(tokens []string) map[byte]int {
	starts := make(map[byte]int)
	for _, token := range tokens {
		starts[token[0]]++
	}
	return starts
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Println(len(starts(tokens(count))))
}
