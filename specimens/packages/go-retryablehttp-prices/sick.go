// Asks a price service for every article; a small one stands for it, which is now and then too busy.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/hashicorp/go-retryablehttp"
)

func service() *httptest.Server {
	var asked int64
	return httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		if atomic.AddInt64(&asked, 1)%50 == 0 {
			answer.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		article, _ := strconv.Atoi(request.URL.Query().Get("article"))
		json.NewEncoder(answer).Encode(map[string]int{"cents": 100 + article*37%900})
	}))
}

func client() *retryablehttp.Client {
	client := retryablehttp.NewClient()
	client.Logger = nil
	return client
}

func price(client *retryablehttp.Client, base string, article int) (int, error) {
	answer, err := client.Get(fmt.Sprintf("%s/price?article=%d", base, article))
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	var found struct{ Cents int }
	err = json.NewDecoder(answer.Body).Decode(&found)
	return found.Cents, err
}

func main() {
	articles, _ := strconv.Atoi(os.Args[1])
	server := service()
	defer server.Close()
	client, total := client(), 0
	for article := 0; article < articles; article++ {
		cents, err := price(client, server.URL, article)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		total += cents
	}
	fmt.Println(total)
}
