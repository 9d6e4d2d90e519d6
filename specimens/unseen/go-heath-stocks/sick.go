// Lists the stock of a chain of shops from a small store that speaks lines of text.
package main

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"net"
	"os"
	"sort"
	"strconv"
	"strings"
	"time"
)

// store answers GET and MGET, with the distance of a neighbouring rack.
type store struct {
	items map[string]string
	door  net.Listener
}

func newStore(count int) (*store, error) {
	door, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &store{items: make(map[string]string, count), door: door}
	for n := 0; n < count; n++ {
		s.items[key(n)] = fmt.Sprintf("%d,%d", n*37%900, 5+n*13%70)
	}
	return s, nil
}

func (s *store) serve() {
	for {
		conn, err := s.door.Accept()
		if err != nil {
			return
		}
		go s.answer(conn)
	}
}

func (s *store) answer(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	out := bufio.NewWriter(conn)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		time.Sleep(900 * time.Microsecond)
		for i, name := range words[1:] {
			if i > 0 {
				out.WriteByte(' ')
			}
			out.WriteString(s.items[name])
		}
		out.WriteByte('\n')
		out.Flush()
	}
}

// client is the shop's side of the line.
type client struct {
	conn net.Conn
	in   *bufio.Reader
}

func dial(address string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{conn: conn, in: bufio.NewReader(conn)}, nil
}

func (c *client) ask(words ...string) ([]string, error) {
	if _, err := fmt.Fprintln(c.conn, strings.Join(words, " ")); err != nil {
		return nil, err
	}
	line, err := c.in.ReadString('\n')
	if err != nil {
		return nil, err
	}
	return strings.Fields(line), nil
}

type article struct {
	name         string
	pieces, cost int
}

func key(n int) string { return "shop" + strconv.Itoa(n%40) + ":item" + strconv.Itoa(n) }

func parse(name, text string) article {
	pieces, cost, _ := strings.Cut(text, ",")
	p, _ := strconv.Atoi(pieces)
	c, _ := strconv.Atoi(cost)
	return article{name, p, c}
}

// shelf reads the articles of one shelf.
func shelf(c *client, names []string) ([]article, error) {
	list := make([]article, 0, len(names))
	for _, name := range names {
		values, err := c.ask("GET", name)
		if err != nil {
			return nil, err
		}
		list = append(list, parse(name, values[0]))
	}
	return list, nil
}

func scarce(list []article) []article {
	sort.Slice(list, func(i, j int) bool {
		if list[i].pieces != list[j].pieces {
			return list[i].pieces < list[j].pieces
		}
		return list[i].name < list[j].name
	})
	return list[:len(list)/10]
}

func worth(list []article) (sum int) {
	for _, a := range list {
		sum += a.pieces * a.cost
	}
	return sum
}

func run(count int) error {
	s, err := newStore(count)
	if err != nil {
		return err
	}
	defer s.door.Close()
	go s.serve()
	c, err := dial(s.door.Addr().String())
	if err != nil {
		return err
	}
	defer c.conn.Close()
	mark := crc32.NewIEEE()
	total := 0
	for first := 0; first < count; first += 50 {
		var names []string
		for n := first; n < first+50 && n < count; n++ {
			names = append(names, key(n))
		}
		list, err := shelf(c, names)
		if err != nil {
			return err
		}
		total += worth(list)
		for _, a := range scarce(list) {
			fmt.Fprintf(mark, "%s=%d;", a.name, a.pieces)
		}
	}
	fmt.Printf("%d articles, worth %d, scarce %08x\n", count, total, mark.Sum32())
	return nil
}

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	if err := run(count); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
