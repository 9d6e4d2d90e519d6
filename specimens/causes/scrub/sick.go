// Hides private numbers in support letters before they are filed.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"strconv"
	"strings"
)

type letter struct {
	sender string
	lines  []string
}

type archive struct {
	letters int
	hidden  int
	seal    uint64
}

var patterns = []string{
	`\b\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}\b`,
	`\b[A-Z]{2}\d{2}(?: ?\d{4}){4}\b`,
	`(?i)\b(?:pin|code|password)\s*[:=]\s*\S+`,
}

func mask(text string) (string, int) {
	hidden := 0
	for _, pattern := range patterns {
		expression := regexp.MustCompile(pattern)
		text = expression.ReplaceAllStringFunc(text, func(found string) string {
			hidden++
			return strings.Repeat("*", len(found))
		})
	}
	return text, hidden
}

func write(number int) letter {
	one := letter{sender: "person " + strconv.Itoa(number%311)}
	one.lines = append(one.lines,
		"Good morning, this is about order "+strconv.Itoa(number*7919)+".",
		fmt.Sprintf("My card is %04d 2231 %04d 9177 and nothing else.", number%9999, number*3%9999),
		"Please call back, pin: "+strconv.Itoa(number%9973))
	return one
}

func scrub(into *archive, one letter) {
	sum := fnv.New64a()
	for _, line := range one.lines {
		clean, hidden := mask(line)
		into.hidden += hidden
		sum.Write([]byte(clean))
	}
	into.letters++
	into.seal = into.seal*31 + sum.Sum64() + uint64(len(one.sender))
}

func main() {
	letters := 9000
	if len(os.Args) > 1 {
		letters, _ = strconv.Atoi(os.Args[1])
	}
	filed := &archive{}
	for number := 0; number < letters; number++ {
		scrub(filed, write(number))
	}
	fmt.Printf("%016x %d %d\n", filed.seal, filed.letters, filed.hidden)
}
