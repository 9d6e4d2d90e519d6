// Asks all depots which revision of their manifest they hold and lists those which are behind.
package main

import (
	"bufio"
	"bytes"
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
)

const depots = 24

type head struct {
	Depot    string `json:"depot"`
	Revision int    `json:"revision"`
	Entries  int    `json:"entries"`
}

type entry struct {
	Article string `json:"article"`
	Pieces  int    `json:"pieces"`
}

// archive serves the manifests: a line with the head and one line for each entry.
type archive struct {
	sheets map[string][]byte
}

func newArchive() *archive {
	a := &archive{sheets: make(map[string][]byte)}
	for number := 0; number < depots; number++ {
		name := depotName(number)
		var sheet bytes.Buffer
		lines := json.NewEncoder(&sheet)
		lines.Encode(head{Depot: name, Revision: 400 + number*number%37, Entries: 420})
		for n := 0; n < 420; n++ {
			lines.Encode(entry{Article: fmt.Sprintf("A-%05d", n*13+number), Pieces: (n + 3) * (number + 1) % 90})
		}
		a.sheets[name] = sheet.Bytes()
	}
	return a
}

func (a *archive) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/manifest/")
	sheet, ok := a.sheets[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Write(sheet)
}

func depotName(number int) string {
	return "depot-" + strconv.Itoa(100+number)
}

// catalog reads manifests over the wire.
type catalog struct {
	client *http.Client
	base   string
}

func (c *catalog) open(name string) (io.ReadCloser, error) {
	answer, err := c.client.Get(c.base + "/manifest/" + name)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("%s: %s", name, answer.Status)
	}
	return answer.Body, nil
}

// peek reads the head of a manifest; the entries do not matter to the caller.
func (c *catalog) peek(name string) (head, error) {
	var first head
	sheet, err := c.open(name)
	if err != nil {
		return first, err
	}
	defer sheet.Close()
	err = json.NewDecoder(sheet).Decode(&first)
	return first, err
}

// pieces adds up a whole manifest.
func (c *catalog) pieces(name string) (int, error) {
	sheet, err := c.open(name)
	if err != nil {
		return 0, err
	}
	defer sheet.Close()
	sum := 0
	lines := bufio.NewScanner(sheet)
	for lines.Scan() {
		var one entry
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return 0, err
		}
		sum += one.Pieces
	}
	return sum, lines.Err()
}

// watch remembers the revisions of a round and says who is behind.
type watch struct {
	catalog *catalog
	latest  map[string]int
}

func (w *watch) round(wanted int) ([]string, error) {
	var behind []string
	for number := 0; number < depots; number++ {
		first, err := w.catalog.peek(depotName(number))
		if err != nil {
			return nil, err
		}
		w.latest[first.Depot] = first.Revision
		if first.Revision < wanted {
			behind = append(behind, first.Depot)
		}
	}
	sort.Slice(behind, func(i, j int) bool {
		return w.latest[behind[i]] < w.latest[behind[j]] || w.latest[behind[i]] == w.latest[behind[j]] && behind[i] < behind[j]
	})
	return behind, nil
}

func main() {
	rounds := 40
	if len(os.Args) > 1 {
		rounds, _ = strconv.Atoi(os.Args[1])
	}
	server := httptest.NewUnstartedServer(newArchive())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	w := &watch{catalog: &catalog{client: server.Client(), base: server.URL}, latest: make(map[string]int)}
	seal := fnv.New64a()
	count, pieces := 0, 0
	for n := 0; n < rounds; n++ {
		behind, err := w.round(400 + n%37)
		if err != nil {
			fmt.Fprintln(os.Stderr, "round:", err)
			os.Exit(1)
		}
		for _, name := range behind {
			count++
			seal.Write([]byte(name))
		}
		if len(behind) > 0 && n%5 == 0 {
			sum, err := w.catalog.pieces(behind[0])
			if err != nil {
				fmt.Fprintln(os.Stderr, "pieces:", err)
				os.Exit(1)
			}
			pieces += sum
		}
	}
	server.Client().CloseIdleConnections()
	server.Close()
	fmt.Printf("rounds %d behind %d pieces %d seal %016x\n", rounds, count, pieces, seal.Sum64())
}
