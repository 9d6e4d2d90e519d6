package main

import (
	"fmt"
	"os"
	"strconv"

	"github.com/jinzhu/gorm"
	_ "github.com/mattn/go-sqlite3"
)

type Author struct {
	ID    uint `gorm:"primary_key"`
	Name  string
	Books []Book
}

type Book struct {
	ID       uint `gorm:"primary_key"`
	AuthorID uint `gorm:"index"`
	Title    string
	Pages    int
}

func library(authors int) (*gorm.DB, error) {
	db, err := gorm.Open("sqlite3", ":memory:")
	if err != nil {
		return nil, err
	}
	db.DB().SetMaxOpenConns(1)
	db.AutoMigrate(&Author{}, &Book{})
	count := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
	db.Exec("INSERT INTO authors (name) "+count+"SELECT 'author ' || i FROM n", authors)
	db.Exec("INSERT INTO books (author_id, title, pages) "+count+"SELECT i, 'book ' || i, i % 400 FROM n", authors)
	return db, db.Error
}

func pages(db *gorm.DB) (int, error) {
	var authors []Author
	if err := db.Preload("Books").Find(&authors).Error; err != nil {
		return 0, err
	}
	sum := 0
	for at := range authors {
		for _, book := range authors[at].Books {
			sum += book.Pages
		}
	}
	return sum, nil
}

func main() {
	authors, _ := strconv.Atoi(os.Args[1])
	db, err := library(authors)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	sum, err := pages(db)
	if err != nil {
		panic(err)
	}
	fmt.Println("authors", authors, "pages", sum)
}
