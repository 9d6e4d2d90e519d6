// A buyer asks the auction house for the price of each lot of tea.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// Buyer bids for one merchant.
type Buyer struct {
	house string
	roots *x509.CertPool
	spent int
	aroma uint32
}

func (b *Buyer) client() *http.Client {
	settings := &tls.Config{RootCAs: b.roots}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: settings}}
}

func (b *Buyer) quote(lot int) (int, error) {
	answer, err := b.client().Get(b.house + "/lot/" + strconv.Itoa(lot))
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(text))
}

func (b *Buyer) taste(lot int) {
	leaf := uint32(lot)
	for sip := 0; sip < 20000; sip++ {
		leaf = leaf*22695477 + 1
	}
	b.aroma ^= leaf >> 8
}

func (b *Buyer) round(lots int) error {
	for lot := 0; lot < lots; lot++ {
		price, err := b.quote(lot)
		if err != nil {
			return err
		}
		b.taste(lot)
		if price < 600 {
			b.spent += price
		}
	}
	return nil
}

func auctionHouse() {
	prices := func(w http.ResponseWriter, r *http.Request) {
		lot, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/lot/"))
		fmt.Fprint(w, 100+lot*7919%900)
	}
	server := httptest.NewTLSServer(http.HandlerFunc(prices))
	fmt.Println(server.URL, base64.StdEncoding.EncodeToString(server.Certificate().Raw))
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func visit() (*Buyer, func(), error) {
	house := exec.Command(os.Args[0], "house")
	door, err := house.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	pipe, err := house.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := house.Start(); err != nil {
		return nil, nil, err
	}
	card, _ := bufio.NewReader(pipe).ReadString('\n')
	words := strings.Fields(card)
	raw, _ := base64.StdEncoding.DecodeString(words[1])
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, nil, err
	}
	buyer := &Buyer{house: words[0], roots: x509.NewCertPool()}
	buyer.roots.AddCert(certificate)
	leave := func() {
		_ = door.Close()
		_ = house.Wait()
	}
	return buyer, leave, nil
}

func main() {
	lots := 50
	if len(os.Args) > 1 {
		if os.Args[1] == "house" {
			auctionHouse()
			return
		}
		lots, _ = strconv.Atoi(os.Args[1])
	}
	buyer, leave, err := visit()
	if err != nil {
		panic(err)
	}
	err = buyer.round(lots)
	leave()
	if err != nil {
		panic(err)
	}
	fmt.Printf("spent %d, aroma %x\n", buyer.spent, buyer.aroma)
}
