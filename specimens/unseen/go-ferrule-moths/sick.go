// Command ferrule looks up catalogue numbers at a collection server and files what it learns.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"sort"
	"strconv"
	"strings"
)

const secret = "wing-and-pin"

func proof(challenge string) string {
	sum := sha256.Sum256([]byte(challenge + secret))
	return hex.EncodeToString(sum[:])
}

type museum struct {
	listener net.Listener
	families []string
}

func openMuseum() (*museum, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &museum{listener, []string{"hawk", "emperor", "tiger", "plume", "clearwing", "owlet"}}
	go func() {
		for visit := 1; ; visit++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go m.serve(conn, visit)
		}
	}()
	return m, nil
}

func (m *museum) serve(conn net.Conn, visit int) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	challenge := fmt.Sprintf("visit-%d", visit)
	fmt.Fprintf(conn, "hello %s\n", challenge)
	if !lines.Scan() || lines.Text() != "proof "+proof(challenge) {
		return
	}
	fmt.Fprintf(conn, "welcome\n")
	for lines.Scan() {
		number, err := strconv.Atoi(strings.TrimPrefix(lines.Text(), "get "))
		if err != nil {
			return
		}
		mix := uint32(number) * 2654435761
		fmt.Fprintf(conn, "%s %d\n", m.families[(mix>>7)%6], 20+(mix>>20)%140)
	}
}

type session struct {
	conn  net.Conn
	reply *bufio.Reader
}

func login(address string) (*session, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	s := &session{conn, bufio.NewReader(conn)}
	greeting, err := s.line()
	if err != nil {
		return nil, err
	}
	answer, err := s.call("proof " + proof(strings.TrimPrefix(greeting, "hello ")))
	if err == nil && answer != "welcome" {
		err = errors.New("not let in")
	}
	return s, err
}

func (s *session) line() (string, error) {
	text, err := s.reply.ReadString('\n')
	return strings.TrimSuffix(text, "\n"), err
}

func (s *session) call(text string) (string, error) {
	if _, err := s.conn.Write([]byte(text + "\n")); err != nil {
		return "", err
	}
	return s.line()
}

type catalogue struct {
	address string
}

type moth struct {
	family string
	span   int
}

func (c *catalogue) find(number int) (moth, error) {
	s, err := login(c.address)
	if err != nil {
		return moth{}, err
	}
	defer s.conn.Close()
	text, err := s.call("get " + strconv.Itoa(number))
	if err != nil {
		return moth{}, err
	}
	words := strings.Fields(text)
	span, err := strconv.Atoi(words[1])
	return moth{words[0], span}, err
}

type drawer struct {
	spans []int
}

func (d *drawer) file(span int) {
	at := sort.SearchInts(d.spans, span)
	d.spans = append(d.spans, 0)
	copy(d.spans[at+1:], d.spans[at:])
	d.spans[at] = span
}

func survey(c *catalogue, count int) (map[string]*drawer, error) {
	drawers := make(map[string]*drawer)
	for i := 0; i < count; i++ {
		found, err := c.find(i * 13)
		if err != nil {
			return nil, err
		}
		if drawers[found.family] == nil {
			drawers[found.family] = &drawer{}
		}
		drawers[found.family].file(found.span)
	}
	return drawers, nil
}

func main() {
	count := 500
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	m, err := openMuseum()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer m.listener.Close()
	c := &catalogue{address: m.listener.Addr().String()}
	drawers, err := survey(c, count)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, family := range m.families {
		spans := drawers[family].spans
		fmt.Printf("%s %d/%d ", family, len(spans), spans[len(spans)/2])
	}
	fmt.Println("filed")
}
