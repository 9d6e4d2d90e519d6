// Command wimple writes the reminder letters of a lending house and seals the pile.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/template"
)

type item struct {
	Title string
	Days  int
}

type reader struct {
	Name   string
	Branch string
	Items  []item
	Junior bool
	Fee    int
}

const letter = `{{define "head"}}{{.Branch | title}} branch{{if .Junior}} (young readers){{end}}{{end -}}
{{define "firm"}}Your card stays closed until the books are back and {{money .Fee}} is paid at the desk.{{end -}}
{{define "soft"}}Please bring them back soon{{if gt .Fee 0}}; so far {{money .Fee}} is due{{end}}.{{end -}}
{{define "young"}}No fee is taken from young readers, {{.Name}}, but others wait for these books.{{end -}}
{{define "hours"}}{{if eq .Branch "harbour"}}Open Monday to Friday, ten to six, and by the night box.
{{- else if eq .Branch "castle"}}Open Tuesday to Saturday, nine to five, and on the first Sunday of the month.
{{- else if eq .Branch "station"}}Open every day, six to ten, next to the left luggage office.
{{- else}}Open on Wednesdays, two to six, and on market days.{{end}}{{end -}}
{{define "foot"}}With kind regards, the {{.Branch}} desk. {{template "hours" .}}{{end -}}
{{template "head" .}}

Dear {{.Name}},
these are overdue:
{{range .Items}} - {{.Title}}, {{.Days}} {{if eq .Days 1}}day{{else}}days{{end}}
{{end}}
{{- if .Junior}}{{template "young" .}}{{else if gt .Fee 500}}{{template "firm" .}}{{else}}{{template "soft" .}}{{end}}
{{template "foot" .}}
`

var helpers = template.FuncMap{
	"title": func(text string) string { return strings.ToUpper(text[:1]) + text[1:] },
	"money": func(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) },
}

type press struct {
	form    *template.Template
	page    bytes.Buffer
	letters int
	seal    [sha256.Size]byte
}

func newPress(funcs template.FuncMap) *press {
	return &press{form: template.Must(template.New("letter").Funcs(funcs).Parse(letter))}
}

func (p *press) sheet(r *reader) ([]byte, error) {
	p.page.Reset()
	err := p.form.Execute(&p.page, r)
	return p.page.Bytes(), err
}

func (p *press) post(r *reader) error {
	page, err := p.sheet(r)
	if err != nil {
		return err
	}
	p.letters++
	p.seal = sha256.Sum256(append(p.seal[:], page...))
	return nil
}

var (
	names    = []string{"Ada Quill", "Bo Marsh", "Cy Tern", "Dot Fields", "Eli Crane", "Fay Brook"}
	branches = []string{"harbour", "castle", "station", "meadow"}
	titles   = []string{"The Long Tide", "A Field of Bees", "Stone and Rope", "Lamps", "Northern Birds"}
)

func borrower(number int) *reader {
	seed := uint32(number)*2654435761 + 97
	r := &reader{
		Name:   names[seed%6],
		Branch: branches[(seed>>4)%4],
		Junior: (seed>>9)%5 == 0,
	}
	for i := 0; i <= int((seed>>12)%3); i++ {
		days := 1 + int(seed>>(14+i))%60
		r.Items = append(r.Items, item{titles[int(seed>>3+uint32(i))%5], days})
		r.Fee += days * 12
	}
	return r
}

func overdue(r *reader) bool {
	for _, i := range r.Items {
		if i.Days > 2 {
			return true
		}
	}
	return false
}

func remind(p *press, readers int) error {
	for i := 0; i < readers; i++ {
		r := borrower(i)
		if !overdue(r) {
			continue
		}
		if err := p.post(r); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	readers := 1000
	if len(os.Args) > 1 {
		readers, _ = strconv.Atoi(os.Args[1])
	}
	p := newPress(helpers)
	if err := remind(p, readers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("letters %d seal %x\n", p.letters, p.seal[:8])
}
