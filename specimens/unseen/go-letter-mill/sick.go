// Prints letters to the members of a society from one form.
package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"
	"text/template"
)

const form = `Dear {{.Title}} {{.Name | proper}},

our meeting is on day {{.Day}} in {{.Town | proper}}.
{{if gt .Owed 0}}Please bring {{.Owed | money}}: it has been due since year {{.Since}}.
{{else}}Thank you for your payment.
{{end}}{{range $i, $topic := .Topics}}  {{$i}}. {{$topic}}
{{end}}
Yours, {{.Clerk | proper}}
`

// Member is one reader of the letters.
type Member struct {
	Title, Name, Town, Clerk string
	Day, Owed, Since         int
	Topics                   []string
}

// Mill turns members into letters.
type Mill struct {
	tools template.FuncMap
	spool chan string
	done  chan uint64
}

func proper(name string) string {
	if name == "" {
		return name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func money(pence int) string {
	return fmt.Sprintf("%d.%02d", pence/100, pence%100)
}

func newMill() *Mill {
	mill := &Mill{
		tools: template.FuncMap{"proper": proper, "money": money},
		spool: make(chan string, 64),
		done:  make(chan uint64),
	}
	go mill.drain()
	return mill
}

func (m *Mill) drain() {
	sum := fnv.New64a()
	for letter := range m.spool {
		_, _ = sum.Write([]byte(letter))
	}
	m.done <- sum.Sum64()
}

func (m *Mill) letter(member *Member) (string, error) {
	var out strings.Builder
	sheet, err := template.New("form").Funcs(m.tools).Parse(form)
	if err != nil {
		return "", err
	}
	err = sheet.Execute(&out, member)
	return out.String(), err
}

func (m *Mill) press(members int) error {
	names := []string{"ames", "birch", "cole", "dunn", "eyre", "frost"}
	towns := []string{"york", "bath", "wells", "ely"}
	for i := 0; i < members; i++ {
		member := &Member{
			Title: "Mr", Name: names[i%len(names)], Town: towns[i%len(towns)], Clerk: names[i*5%len(names)],
			Day: i % 28, Owed: i % 4 * 125, Since: 1990 + i%30, Topics: []string{"roof"},
		}
		letter, err := m.letter(member)
		if err != nil {
			return err
		}
		m.spool <- letter
	}
	close(m.spool)
	return nil
}

func main() {
	members := 100
	if len(os.Args) > 1 {
		members, _ = strconv.Atoi(os.Args[1])
	}
	mill := newMill()
	if err := mill.press(members); err != nil {
		panic(err)
	}
	fmt.Printf("%d letters, %x\n", members, <-mill.done)
}
