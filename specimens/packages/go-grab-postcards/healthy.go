// Fetches the pictures of a postcard collection and adds up their sizes.
package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strconv"
	"time"

	"github.com/cavaliergopher/grab/v3"
)

func museum() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		number, _ := strconv.Atoi(path.Base(request.URL.Path))
		picture := bytes.Repeat([]byte{byte(number)}, 2000+number*31%900)
		time.Sleep(8 * time.Millisecond)
		http.ServeContent(answer, request, "", time.Time{}, bytes.NewReader(picture))
	}))
}

func addresses(museum string, count int) []string {
	addresses := make([]string, count)
	for i := range addresses {
		addresses[i] = museum + "/cards/" + strconv.Itoa(i)
	}
	return addresses
}

func fetch(folder string, addresses []string) (int64, error) {
	var total int64
	cards, err := grab.GetBatch(8, folder, addresses...)
	if err != nil {
		return 0, err
	}
	for card := range cards {
		if err := card.Err(); err != nil {
			return 0, err
		}
		total += card.BytesComplete()
	}
	return total, nil
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	museum := museum()
	defer museum.Close()
	folder, err := os.MkdirTemp("", "postcards")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	total, err := fetch(folder, addresses(museum.URL, count))
	fmt.Println(count, "cards,", total, "bytes", err)
}
