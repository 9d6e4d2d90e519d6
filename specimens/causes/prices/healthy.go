// Asks a local price service over HTTP for every article of a basket.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
)

type quote struct {
	Article int    `json:"article"`
	Cents   int    `json:"cents"`
	Note    string `json:"note"`
}

type client struct {
	base string
	web  *http.Client
}

func serve() (string, error) {
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/price", func(to http.ResponseWriter, asked *http.Request) {
		article, _ := strconv.Atoi(asked.URL.Query().Get("article"))
		json.NewEncoder(to).Encode(quote{article, 100 + article*7919%9000, "per piece"})
	})
	go http.Serve(door, mux)
	return "http://" + door.Addr().String(), nil
}

func newClient(base string) *client {
	return &client{base, &http.Client{Transport: &http.Transport{}}}
}

func (c *client) price(article int) (quote, error) {
	var found quote
	answer, err := c.web.Get(c.base + "/price?article=" + strconv.Itoa(article))
	if err != nil {
		return found, err
	}
	defer answer.Body.Close()
	return found, json.NewDecoder(answer.Body).Decode(&found)
}

func discount(one quote, rounds int) uint64 {
	sum := uint64(one.Cents)
	for i := 0; i < rounds; i++ {
		sum = (sum ^ uint64(i+one.Article)) * 1099511628211
	}
	return sum
}

func total(c *client, basket []int) (uint64, error) {
	sum := uint64(0)
	for _, article := range basket {
		found, err := c.price(article)
		if err != nil {
			return 0, err
		}
		sum = sum*31 + uint64(found.Cents) + discount(found, 1000)
	}
	return sum, nil
}

func fill(articles int) []int {
	var basket []int
	for i := 0; i < articles; i++ {
		basket = append(basket, i*31%997)
	}
	return basket
}

func main() {
	articles := 5000
	if len(os.Args) > 1 {
		articles, _ = strconv.Atoi(os.Args[1])
	}
	base, err := serve()
	if err != nil {
		os.Exit(1)
	}
	var group sync.WaitGroup
	sums := make([]uint64, 2)
	for i := range sums {
		group.Add(1)
		go func(place int) {
			defer group.Done()
			sums[place], err = total(newClient(base), fill(articles+place))
		}(i)
	}
	group.Wait()
	if err != nil {
		os.Exit(1)
	}
	fmt.Printf("%016x\n", sums[0]*31+sums[1])
}
