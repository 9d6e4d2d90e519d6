// Bracken mails: writes the reminders of a library to its readers, from a list of loans.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
)

// Loan is one line of the list.
type Loan struct {
	Reader string
	Title  string
	Days   int
	Fee    int
	Kind   string
}

var bodies = map[string]string{
	"first": `Dear {{.Reader}},
{{if gt .Days 28}}your loan "{{.Title}}" is long overdue{{else}}please return "{{.Title}}"{{end}}.
{{with .Fee}}The fee so far is {{euro .}}.{{else}}There is no fee yet.{{end}}
{{range rules .Days}} - {{upper .}}
{{end}}The library`,
	"last": `Dear {{.Reader}}, this is the last reminder for "{{.Title | upper}}" after {{.Days}} days.
{{if .Fee}}You owe us {{.Fee | euro}}{{if gt .Fee 900}}, and we will call{{end}}.{{end}}
{{range $n, $rule := rules .Days}}{{if $n}}, {{end}}{{$rule}}{{end}}
The library`,
}

var helpers = template.FuncMap{
	"euro":  func(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) },
	"upper": strings.ToUpper,
	"rules": rules,
}

func rules(days int) []string {
	all := []string{"return", "renew", "pay"}
	return all[:1+days%3]
}

// Desk writes the letters.
type Desk struct {
	letter bytes.Buffer
	mark   uint32
	bytes  int
	count  map[string]int
}

func newDesk() *Desk {
	return &Desk{count: map[string]int{}}
}

var letters = map[string]*template.Template{}

func body(kind string) (*template.Template, error) {
	if letter, known := letters[kind]; known {
		return letter, nil
	}
	letter, err := template.New(kind).Funcs(helpers).Parse(bodies[kind])
	letters[kind] = letter
	return letter, err
}

func (desk *Desk) write(loan *Loan) error {
	letter, err := body(loan.Kind)
	if err != nil {
		return err
	}
	desk.letter.Reset()
	if err := letter.Execute(&desk.letter, loan); err != nil {
		return err
	}
	desk.file(loan)
	return nil
}

func (desk *Desk) file(loan *Loan) {
	desk.mark = crc32.Update(desk.mark, crc32.IEEETable, desk.letter.Bytes())
	desk.bytes += desk.letter.Len()
	desk.count[loan.Kind]++
}

func parse(line string) (*Loan, error) {
	parts := strings.Split(line, ";")
	if len(parts) != 4 {
		return nil, fmt.Errorf("bad line %q", line)
	}
	days, err := strconv.Atoi(parts[2])
	if err != nil {
		return nil, err
	}
	fee, err := strconv.Atoi(parts[3])
	if err != nil {
		return nil, err
	}
	loan := &Loan{Reader: parts[0], Title: parts[1], Days: days, Fee: fee, Kind: "first"}
	if days > 40 {
		loan.Kind = "last"
	}
	return loan, nil
}

func makeList(path string, count int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	state := uint64(17)
	for n := 0; n < count; n++ {
		state = state*6364136223846793005 + 1442695040888963407
		fmt.Fprintf(out, "Reader %d;Volume %d;%d;%d\n", n, (state>>40)%5000, 7+(state>>33)%60, (state>>45)%1500)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return file.Close()
}

func run(count int) error {
	folder, err := os.MkdirTemp("", "bracken")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "loans.txt")
	if err := makeList(path, count); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	desk := newDesk()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		loan, err := parse(lines.Text())
		if err != nil {
			return err
		}
		if err := desk.write(loan); err != nil {
			return err
		}
	}
	fmt.Printf("first %d last %d bytes %d mark %08x\n", desk.count["first"], desk.count["last"], desk.bytes, desk.mark)
	return lines.Err()
}

func main() {
	count := 1000
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	if err := run(count); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
