package main

import (
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nxadm/tail"
)

func follow(path string) (*tail.Tail, error) {
	return tail.TailFile(path, tail.Config{
		Follow:    true,
		MustExist: true,
		Logger:    tail.DiscardingLogger,
	})
}

func appendJob(log *os.File, job int) error {
	var entry strings.Builder
	for step := 0; step < 500; step++ {
		fmt.Fprintf(&entry, "job %d step %d took %d ms\n", job, step, (job*31+step*7)%90)
	}
	fmt.Fprintf(&entry, "job %d done\n", job)
	_, err := log.WriteString(entry.String())
	return err
}

func awaitJob(t *tail.Tail, job int) int {
	spent := 0
	done := "job " + strconv.Itoa(job) + " done"
	for line := range t.Lines {
		if line.Text == done {
			break
		}
		ms, _ := strconv.Atoi(strings.Fields(line.Text)[5])
		spent += ms
	}
	return spent
}

func main() {
	jobs, _ := strconv.Atoi(os.Args[1])
	folder, err := ioutil.TempDir("", "jobs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	log, _ := os.Create(filepath.Join(folder, "jobs.log"))
	t, err := follow(log.Name())
	if err != nil {
		panic(err)
	}
	time.Sleep(100 * time.Millisecond)
	spent := 0
	for job := 0; job < jobs; job++ {
		if err := appendJob(log, job); err != nil {
			panic(err)
		}
		spent += awaitJob(t, job)
	}
	t.Stop()
	fmt.Println("jobs", jobs, "spent", spent)
}
