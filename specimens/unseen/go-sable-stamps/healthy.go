// Sable stamps: has the receipts of a shop signed by a time stamp office and checks what comes back.
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"sync/atomic"
)

// Receipt is what the shop wants signed.
type Receipt struct {
	Number int    `json:"number"`
	Total  int    `json:"total"`
	Text   string `json:"text"`
}

// Stamp is the answer of the office.
type Stamp struct {
	Number int    `json:"number"`
	Seal   string `json:"seal"`
	Tick   int    `json:"tick"`
}

func seal(number, total int) string {
	var block [16]byte
	binary.LittleEndian.PutUint64(block[:8], uint64(number))
	binary.LittleEndian.PutUint64(block[8:], uint64(total))
	sum := sha256.Sum256(block[:])
	for round := 0; round < 200; round++ {
		sum = sha256.Sum256(sum[:])
	}
	return hex.EncodeToString(sum[:])
}

func office() http.Handler {
	var ticks int64
	mux := http.NewServeMux()
	mux.HandleFunc("/stamp", func(writer http.ResponseWriter, request *http.Request) {
		var receipt Receipt
		if err := json.NewDecoder(request.Body).Decode(&receipt); err != nil {
			http.Error(writer, err.Error(), http.StatusBadRequest)
			return
		}
		stamp := Stamp{receipt.Number, seal(receipt.Number, receipt.Total), int(atomic.AddInt64(&ticks, 1))}
		writer.Header().Set("Content-Type", "application/json")
		writer.WriteHeader(http.StatusOK)
		json.NewEncoder(writer).Encode(&stamp)
		if flusher, can := writer.(http.Flusher); can {
			flusher.Flush()
		}
		fmt.Fprintf(writer, "\n%064d\n", stamp.Tick)
	})
	return mux
}

// Till talks with the office.
type Till struct {
	client *http.Client
	place  string
}

func (till *Till) post(path string, value interface{}, answer interface{}) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	response, err := till.client.Post(till.place+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the office says %s", response.Status)
	}
	return decode(response.Body, answer)
}

func decode(body io.Reader, answer interface{}) error {
	if err := json.NewDecoder(body).Decode(answer); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, body)
	return err
}

func (till *Till) stamp(receipt *Receipt) (*Stamp, error) {
	stamp := &Stamp{}
	if err := till.post("/stamp", receipt, stamp); err != nil {
		return nil, err
	}
	if stamp.Number != receipt.Number || stamp.Seal != seal(receipt.Number, receipt.Total) {
		return nil, fmt.Errorf("receipt %d: wrong seal", receipt.Number)
	}
	return stamp, nil
}

func receipts(count int) []Receipt {
	list := make([]Receipt, count)
	state := uint32(5)
	for n := range list {
		state = state*1664525 + 1013904223
		list[n] = Receipt{n, int(state>>16) % 9000, fmt.Sprintf("till %d", state%12)}
	}
	return list
}

func run(count int) error {
	server := httptest.NewUnstartedServer(office())
	server.StartTLS()
	defer server.Close()
	till := &Till{server.Client(), server.URL}
	mark, total := sha256.New(), 0
	for _, receipt := range receipts(count) {
		stamp, err := till.stamp(&receipt)
		if err != nil {
			return err
		}
		io.WriteString(mark, stamp.Seal)
		total += receipt.Total
	}
	fmt.Printf("receipts %d total %d mark %x\n", count, total, mark.Sum(nil)[:8])
	return nil
}

func main() {
	count := 100
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	if err := run(count); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
