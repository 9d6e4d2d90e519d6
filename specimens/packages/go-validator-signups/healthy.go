// Checks the forms of people who sign up and counts the good ones.
package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/go-playground/validator/v10"
)

var validate = validator.New()

type address struct {
	Street string `validate:"required,max=80"`
	City   string `validate:"required,max=60"`
	Zip    string `validate:"required,len=5,numeric"`
}

type signup struct {
	Name    string  `validate:"required,min=2,max=60"`
	Mail    string  `validate:"required,contains=@"`
	Age     int     `validate:"gte=18,lte=130"`
	Plan    string  `validate:"oneof=free pro team"`
	Address address `validate:"required"`
}

func forms(count int) []signup {
	forms := make([]signup, count)
	for i := range forms {
		where := address{"Main Street", "Ulm", strconv.Itoa(10000 + i%80000)}
		forms[i] = signup{"Person " + strconv.Itoa(i), "p@example.org", 10 + i%90, "pro", where}
	}
	return forms
}

func good(form signup) bool {
	return validate.Struct(form) == nil
}

func main() {
	count, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	total := 0
	for _, form := range forms(count) {
		if good(form) {
			total++
		}
	}
	fmt.Println(total)
}
