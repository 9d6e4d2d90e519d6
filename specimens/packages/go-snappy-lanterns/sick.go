// Writes what the lanterns of a harbour report into a packed journal and reads it back.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strconv"

	"github.com/golang/snappy"
)

func report(number int) string {
	return fmt.Sprintf("lantern %02d of pier %d lit for %d minutes, oil %d\n", number%40, number%7, number*31%600, number*17%100)
}

func keep(path string, reports int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	journal := snappy.NewWriter(file)
	for number := 0; number < reports; number++ {
		if _, err := io.WriteString(journal, report(number)); err != nil {
			return err
		}
	}
	return journal.Close()
}

func count(path string) (lines, letters int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	scanner := bufio.NewScanner(snappy.NewReader(bufio.NewReader(file)))
	for scanner.Scan() {
		lines++
		letters += len(scanner.Bytes())
	}
	return lines, letters, scanner.Err()
}

func main() {
	reports, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "lanterns")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "journal.sz")
	if err := keep(path, reports); err != nil {
		log.Fatal(err)
	}
	lines, letters, err := count(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lines, "reports,", letters, "letters")
}
