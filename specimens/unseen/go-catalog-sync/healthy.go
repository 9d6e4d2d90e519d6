// Catalog sync: asks the suppliers' API for the stock and price of each article and updates the shop's list.
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Offer is what a supplier says about one article.
type Offer struct {
	Article string `json:"article"`
	Stock   int    `json:"stock"`
	Cents   int    `json:"cents"`
	Notes   string `json:"notes"`
}

func offerFor(article string) Offer {
	h := fnv.New32a()
	h.Write([]byte(article))
	n := int(h.Sum32() & 0x7fffffff)
	return Offer{Article: article, Stock: n % 250, Cents: 199 + n/7%90000, Notes: strings.Repeat("n/a ", n%12)}
}

// supplier stands for the API on the other side.
func supplier() *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/offers/", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sync" {
			http.Error(w, "who?", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(offerFor(strings.TrimPrefix(r.URL.Path, "/v1/offers/")))
	})
	server := httptest.NewUnstartedServer(mux)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	return server
}

// API is the supplier as the shop sees it.
type API struct {
	base string
	http *http.Client
}

func newAPI(server *httptest.Server) *API {
	transport := server.Client().Transport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 8
	return &API{base: server.URL, http: &http.Client{Timeout: 5 * time.Second, Transport: transport}}
}

func (a *API) offer(article string) (Offer, error) {
	var offer Offer
	request, err := http.NewRequest(http.MethodGet, a.base+"/v1/offers/"+article, nil)
	if err != nil {
		return offer, err
	}
	request.Header.Set("Authorization", "Bearer sync")
	response, err := a.http.Do(request)
	if err != nil {
		return offer, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return offer, fmt.Errorf("%s: %s", article, response.Status)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return offer, err
	}
	return offer, json.Unmarshal(body, &offer)
}

// Shelf is the shop's own list.
type Shelf struct {
	mu     sync.Mutex
	offers map[string]Offer
}

func (s *Shelf) put(offer Offer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offers[offer.Article] = offer
}

func (s *Shelf) summary() string {
	names := make([]string, 0, len(s.offers))
	for name := range s.offers {
		names = append(names, name)
	}
	sort.Strings(names)
	h := fnv.New64a()
	stock, cents := 0, 0
	for _, name := range names {
		offer := s.offers[name]
		fmt.Fprintf(h, "%s %d %d %s;", offer.Article, offer.Stock, offer.Cents, strings.TrimSpace(offer.Notes))
		stock += offer.Stock
		cents += offer.Cents
	}
	return fmt.Sprintf("articles %d stock %d cents %d check %016x", len(names), stock, cents, h.Sum64())
}

func refresh(api *API, articles []string, workers int) (*Shelf, error) {
	shelf := &Shelf{offers: make(map[string]Offer, len(articles))}
	queue := make(chan string)
	failed := make(chan error, workers)
	var group sync.WaitGroup
	for i := 0; i < workers; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for article := range queue {
				offer, err := api.offer(article)
				if err != nil {
					select {
					case failed <- err:
					default:
					}
					continue
				}
				shelf.put(offer)
			}
		}()
	}
	for _, article := range articles {
		queue <- article
	}
	close(queue)
	group.Wait()
	close(failed)
	return shelf, <-failed
}

func main() {
	count := 450
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	articles := make([]string, count)
	for i := range articles {
		articles[i] = fmt.Sprintf("A%06d", i*7919%1000000)
	}
	server := supplier()
	shelf, err := refresh(newAPI(server), articles, 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shelf.summary())
	os.Exit(0)
}
