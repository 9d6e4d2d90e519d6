// Files the parcels that a scanner has seen, and counts those of one depot.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

var bucket = []byte("parcels")

type parcel struct {
	number uint64
	depot  string
}

func scanned(count int) []parcel {
	parcels := make([]parcel, count)
	for i := range parcels {
		parcels[i] = parcel{uint64(i)*7919 + 1, "depot-" + strconv.Itoa(i%12)}
	}
	return parcels
}

func put(tx *bolt.Tx, p parcel) error {
	key := make([]byte, 8)
	binary.BigEndian.PutUint64(key, p.number)
	return tx.Bucket(bucket).Put(key, []byte(p.depot))
}

func file(db *bolt.DB, parcels []parcel) error {
	return db.Update(func(tx *bolt.Tx) error {
		for _, p := range parcels {
			if err := put(tx, p); err != nil {
				return err
			}
		}
		return nil
	})
}

func tally(db *bolt.DB, depot string) (total int, err error) {
	err = db.View(func(tx *bolt.Tx) error {
		return tx.Bucket(bucket).ForEach(func(_, value []byte) error {
			if string(value) == depot {
				total++
			}
			return nil
		})
	})
	return total, err
}

func work(path string, count int) (int, error) {
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	if err := db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket(bucket); return err }); err != nil {
		return 0, err
	}
	if err := file(db, scanned(count)); err != nil {
		return 0, err
	}
	return tally(db, "depot-3")
}

func main() {
	count, _ := strconv.Atoi(os.Args[1])
	folder, err := os.MkdirTemp("", "parcels-")
	if err != nil {
		panic(err)
	}
	total, err := work(filepath.Join(folder, "parcels.db"), count)
	os.RemoveAll(folder)
	fmt.Println(total, err)
}
