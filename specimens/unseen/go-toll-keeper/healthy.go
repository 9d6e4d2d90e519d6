// Toll keeper: asks the road office which lorries may pass.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"time"
)

// Permit is the answer of the office.
type Permit struct {
	Plate   string   `json:"plate"`
	Axles   int      `json:"axles"`
	Remarks []string `json:"remarks"`
}

// Office is the road office.
type Office struct{}

func (o *Office) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	plate := strings.TrimPrefix(r.URL.Path, "/permit/")
	axles := 2 + int(plate[len(plate)-1])%4
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Axles", strconv.Itoa(axles))
	if axles == 5 {
		w.Header().Set("X-Escort", "yes")
	}
	permit := Permit{Plate: plate, Axles: axles}
	for i := 0; i < 40; i++ {
		permit.Remarks = append(permit.Remarks, fmt.Sprintf("bridge %d: limit %d tons", i, 12+i%30))
	}
	json.NewEncoder(w).Encode(permit)
}

// Keeper lets lorries through.
type Keeper struct {
	client *http.Client
	base   string
	taken  int
	seal   [32]byte
}

// NewKeeper asks the office at base.
func NewKeeper(server *httptest.Server) *Keeper {
	client := server.Client()
	client.Timeout = 10 * time.Second
	return &Keeper{client: client, base: server.URL}
}

func (k *Keeper) look(plate string) (axles int, escort bool, err error) {
	answer, err := k.client.Get(k.base + "/permit/" + plate)
	if err != nil {
		return 0, false, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return 0, false, fmt.Errorf("office says %s", answer.Status)
	}
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0, false, err
	}
	axles, err = strconv.Atoi(answer.Header.Get("X-Axles"))
	return axles, answer.Header.Get("X-Escort") == "yes", err
}

func fare(axles int, escort bool) int {
	amount := 350 * axles
	if escort {
		amount += 1200
	}
	return amount
}

func (k *Keeper) stamp(plate string, amount int) {
	for round := 0; round < 200; round++ {
		k.seal = sha256.Sum256(append(k.seal[:], plate+strconv.Itoa(amount+round)...))
	}
}

// Pass takes the toll of one lorry.
func (k *Keeper) Pass(plate string) error {
	axles, escort, err := k.look(plate)
	if err != nil {
		return err
	}
	amount := fare(axles, escort)
	k.taken += amount
	k.stamp(plate, amount)
	return nil
}

func plates(count int) []string {
	list := make([]string, 0, count)
	state := uint32(2463534242)
	for i := 0; i < count; i++ {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		list = append(list, fmt.Sprintf("%c%c-%05d", 'A'+state%26, 'A'+(state>>8)%26, state%100000))
	}
	return list
}

func main() {
	count := 20
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	log.SetOutput(io.Discard)
	server := httptest.NewTLSServer(&Office{})
	defer server.Close()
	keeper := NewKeeper(server)
	for _, plate := range plates(count) {
		if err := keeper.Pass(plate); err != nil {
			fmt.Fprintln(os.Stderr, "toll:", err)
			os.Exit(1)
		}
	}
	fmt.Println("taken", keeper.taken, "seal", hex.EncodeToString(keeper.seal[:6]))
}
