// Packs the events of a web shop for its message queue and says how much room they take.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/klauspost/compress/zstd"
)

var encoder, _ = zstd.NewWriter(nil)

type event struct {
	ID    int      `json:"id"`
	Kind  string   `json:"kind"`
	Page  string   `json:"page"`
	Items []string `json:"items"`
}

func visit(id int) event {
	items := make([]string, 0, 12)
	for i := 0; i < 12; i++ {
		items = append(items, "article-"+strconv.Itoa((id*31+i*17)%5000))
	}
	return event{id, []string{"view", "basket", "order"}[id%3], "/shop/page/" + strconv.Itoa(id%400), items}
}

func pack(e event) ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return encoder.EncodeAll(text, nil), nil
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	total := 0
	for id := 0; id < count; id++ {
		packed, err := pack(visit(id))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		total += len(packed)
	}
	fmt.Println(total)
}
