// Cask labels: prints a label for every cask of a winery, with a seal over its text.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"strconv"
	"text/tabwriter"
)

type Cask struct {
	Number  int
	Grape   string
	Litres  int
	Sampled []float64
}

type Label struct {
	Text string
	Seal string
}

type Sealer interface {
	Seal(text string) (string, error)
}

type sumSealer struct{}

// Seal gives the first letters of the digest of the text.
func (s sumSealer) Seal(text string) (string, error) {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:12], nil
}

func cellar(count int) []Cask {
	grapes := []string{"Savagnin", "Trousseau", "Poulsard", "Chardonnay"}
	casks := make([]Cask, count)
	for i := range casks {
		casks[i] = Cask{Number: i + 1, Grape: grapes[i*i%len(grapes)], Litres: 225 + i%4*10}
		value := 12.0
		for day := 0; day < 8000; day++ {
			value += (13.5 - value) * float64(i%7+1) / 900
			casks[i].Sampled = append(casks[i].Sampled, value)
		}
	}
	return casks
}

func strength(cask Cask) float64 {
	sum := 0.0
	for _, value := range cask.Sampled {
		sum += value
	}
	return sum / float64(len(cask.Sampled))
}

func text(cask Cask) string {
	var buffer bytes.Buffer
	table := tabwriter.NewWriter(&buffer, 0, 4, 1, ' ', 0)
	fmt.Fprintf(table, "No.\t%d\n", cask.Number)
	fmt.Fprintf(table, "Grape\t%s\n", cask.Grape)
	fmt.Fprintf(table, "Content\t%d l\n", cask.Litres)
	fmt.Fprintf(table, "Alcohol\t%.2f %%\n", strength(cask))
	table.Flush()
	return buffer.String()
}

func labels(casks []Cask, sealer Sealer) ([]Label, error) {
	var printed []Label
	for _, cask := range casks {
		label := Label{Text: text(cask)}
		seal, err := sealer.Seal(label.Text)
		if err != nil {
			return nil, err
		}
		label.Seal = seal
		printed = append(printed, label)
	}
	return printed, nil
}

func main() {
	count, err := strconv.Atoi(os.Args[len(os.Args)-1])
	if err != nil {
		count = 20
	}
	printed, err := labels(cellar(count), sumSealer{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	letters := 0
	for _, label := range printed {
		letters += len(label.Text)
	}
	fmt.Println(len(printed), "labels", letters, "letters, last seal", printed[len(printed)-1].Seal)
}
