// Finch rosters: pays the night hours of ward staff in many towns.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata"
)

// Ward is a place of work.
type Ward struct {
	Name string `json:"name"`
	Zone string `json:"zone"`
	Rate int    `json:"rate"`
}

// Shift is one turn of one person.
type Shift struct {
	Person string
	Ward   string
	From   time.Time
	Hours  int
}

// Rule says what an hour is worth.
type Rule interface {
	Factor(local time.Time) int
}

type nightRule struct{ from, to int }

func (r nightRule) Factor(local time.Time) int {
	if hour := local.Hour(); hour >= r.from || hour < r.to {
		return 25
	}
	return 0
}

type sundayRule struct{}

func (sundayRule) Factor(local time.Time) int {
	if local.Weekday() == time.Sunday {
		return 50
	}
	return 0
}

// Directory knows the wards.
type Directory struct {
	mu     sync.RWMutex
	wards  map[string]Ward
	places map[string]*time.Location
}

// Load reads the wards from JSON.
func Load(from io.Reader) (*Directory, error) {
	var list []Ward
	if err := json.NewDecoder(from).Decode(&list); err != nil {
		return nil, err
	}
	d := &Directory{wards: make(map[string]Ward, len(list)), places: map[string]*time.Location{}}
	for _, ward := range list {
		d.wards[ward.Name] = ward
		place, err := time.LoadLocation(ward.Zone)
		if err != nil {
			return nil, err
		}
		d.places[ward.Name] = place
	}
	return d, nil
}

// Ward finds a ward and its time zone.
func (d *Directory) Ward(name string) (Ward, *time.Location, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	ward, ok := d.wards[name]
	if !ok {
		return Ward{}, nil, fmt.Errorf("no ward %q", name)
	}
	return ward, d.places[name], nil
}

var line = regexp.MustCompile(`^(\w+);([\w-]+);(\S+);(\d+)$`)

func parse(text string) (Shift, error) {
	parts := line.FindStringSubmatch(text)
	if parts == nil {
		return Shift{}, fmt.Errorf("bad shift %q", text)
	}
	from, err := time.Parse(time.RFC3339, parts[3])
	if err != nil {
		return Shift{}, err
	}
	hours, err := strconv.Atoi(parts[4])
	return Shift{parts[1], parts[2], from, hours}, err
}

// Payroll adds up what everybody gets.
type Payroll struct {
	wards *Directory
	rules []Rule
	owed  map[string]int
}

// Enter pays one shift, hour by hour.
func (p *Payroll) Enter(shift Shift) error {
	ward, place, err := p.wards.Ward(shift.Ward)
	if err != nil {
		return err
	}
	amount := 0
	for hour := 0; hour < shift.Hours; hour++ {
		local := shift.From.Add(time.Duration(hour) * time.Hour).In(place)
		factor := 100
		for _, rule := range p.rules {
			factor += rule.Factor(local)
		}
		amount += ward.Rate * factor / 100
	}
	p.owed[shift.Person] += amount
	return nil
}

func (p *Payroll) run(from io.Reader) error {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		shift, err := parse(lines.Text())
		if err == nil {
			err = p.Enter(shift)
		}
		if err != nil {
			return err
		}
	}
	return lines.Err()
}

func (p *Payroll) print() {
	names := make([]string, 0, len(p.owed))
	sum := 0
	for name, amount := range p.owed {
		names = append(names, name)
		sum += amount
	}
	sort.Slice(names, func(a, b int) bool {
		if p.owed[names[a]] != p.owed[names[b]] {
			return p.owed[names[a]] > p.owed[names[b]]
		}
		return names[a] < names[b]
	})
	fmt.Println("people", len(names), "sum", sum, "most", names[0], p.owed[names[0]])
}

func wardList() string {
	zones := []string{"Europe/Berlin", "Europe/London", "America/New_York", "Asia/Tokyo", "America/Sao_Paulo", "Australia/Sydney"}
	var list []Ward
	for i := 0; i < 48; i++ {
		list = append(list, Ward{fmt.Sprintf("ward-%d", i), zones[i%len(zones)], 1800 + i*13})
	}
	text, _ := json.Marshal(list)
	return string(text)
}

func shiftList(count int) string {
	var text strings.Builder
	start := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	state := uint32(362436069)
	for i := 0; i < count; i++ {
		state = state*1664525 + 1013904223
		from := start.Add(time.Duration(state>>9%9000) * time.Hour)
		fmt.Fprintf(&text, "nurse%d;ward-%d;%s;%d\n", state>>6%700, state>>16%48, from.Format(time.RFC3339), 4+state>>24%8)
	}
	return text.String()
}

func main() {
	count := 1000
	if len(os.Args) > 1 {
		count, _ = strconv.Atoi(os.Args[1])
	}
	wards, err := Load(strings.NewReader(wardList()))
	if err == nil {
		payroll := &Payroll{wards, []Rule{nightRule{22, 6}, sundayRule{}}, map[string]int{}}
		if err = payroll.run(strings.NewReader(shiftList(count))); err == nil {
			payroll.print()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rosters:", err)
		os.Exit(1)
	}
}
