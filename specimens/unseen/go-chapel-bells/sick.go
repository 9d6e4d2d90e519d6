// Keeps the printed hymn sheets of the chapels up to date: asks the diocese which sheets have changed.
package main

import (
	"crypto/tls"
	"crypto/x509"
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

// Diocese is the other side: it knows every sheet and its revision.
type Diocese struct {
	mu    sync.Mutex
	asked int
	text  []string
}

func newDiocese() *Diocese {
	words := []string{"morning", "shepherd", "river", "lantern", "harvest", "evening", "mountain", "anchor"}
	d := &Diocese{}
	state := uint32(11)
	for i := 0; i < 64; i++ {
		var verse strings.Builder
		for verse.Len() < 1400 {
			state = state*1664525 + 1013904223
			verse.WriteString(words[(state>>20)%8])
			verse.WriteByte(' ')
		}
		d.text = append(d.text, verse.String())
	}
	return d
}

func (d *Diocese) revision(sheet int) string {
	sum := fnv.New32a()
	io.WriteString(sum, d.text[sheet%len(d.text)])
	return fmt.Sprintf("%08x-%d", sum.Sum32(), sheet%5)
}

func (d *Diocese) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sheet, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/sheet/"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	d.mu.Lock()
	d.asked++
	d.mu.Unlock()
	w.Header().Set("Etag", d.revision(sheet))
	w.Header().Set("Content-Type", "text/plain")
	io.WriteString(w, d.text[sheet%len(d.text)])
}

// Office is the chapels' side.
type Office struct {
	base   string
	client *http.Client
	held   map[int]string
}

func newOffice(base string, roots *x509.CertPool) *Office {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	transport.MaxIdleConnsPerHost = 8
	return &Office{base: base, client: &http.Client{Transport: transport, Timeout: 20 * time.Second}, held: map[int]string{}}
}

func (o *Office) current(sheet int) (string, error) {
	reply, err := o.client.Get(o.base + "/sheet/" + strconv.Itoa(sheet))
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return "", fmt.Errorf("sheet %d: %s", sheet, reply.Status)
	}
	return reply.Header.Get("Etag"), nil
}

func (o *Office) compare(sheets []int) ([]int, error) {
	var stale []int
	for _, sheet := range sheets {
		now, err := o.current(sheet)
		if err != nil {
			return nil, err
		}
		if o.held[sheet] != now {
			stale = append(stale, sheet)
			o.held[sheet] = now
		}
	}
	return stale, nil
}

// plan puts the stale sheets into print runs of at most ten.
func plan(stale []int) [][]int {
	sort.Ints(stale)
	var runs [][]int
	for len(stale) > 0 {
		size := 10
		if size > len(stale) {
			size = len(stale)
		}
		runs = append(runs, stale[:size])
		stale = stale[size:]
	}
	return runs
}

func seal(runs [][]int, held map[int]string) uint64 {
	sum := fnv.New64a()
	for number, run := range runs {
		fmt.Fprintf(sum, "run %d:", number)
		for _, sheet := range run {
			fmt.Fprintf(sum, " %d/%s", sheet, held[sheet])
		}
	}
	return sum.Sum64()
}

func main() {
	count := 600
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	diocese := newDiocese()
	server := httptest.NewUnstartedServer(diocese)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	office := newOffice(server.URL, roots)
	defer office.client.CloseIdleConnections()

	var sheets []int
	for i := 0; i < count; i++ {
		sheets = append(sheets, i*37%911)
	}
	stale, err := office.compare(sheets)
	if err != nil {
		fmt.Fprintln(os.Stderr, "office:", err)
		os.Exit(1)
	}
	runs := plan(stale)
	fmt.Printf("asked %d stale %d runs %d seal %016x\n", diocese.asked, len(stale), len(runs), seal(runs, office.held))
}
