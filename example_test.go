package decant_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/vector"
)

func Example() {
	db, err := decant.OpenFiles("examples/flights.nimble")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(context.Background(), `
		SELECT carrier, COUNT(*) AS flights, AVG(arr_delay) AS delay
		FROM flights GROUP BY carrier ORDER BY flights DESC LIMIT 3`)
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var carrier string
		var flights int
		var delay float64
		if err := rows.Scan(&carrier, &flights, &delay); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %d %.1f\n", carrier, flights, delay)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// UA 58665 3.6
	// B6 54635 9.5
	// EV 54173 15.8
}

// Batches give whole columns, without a copy for each value.
func ExampleRows_NextBatch() {
	db, err := decant.OpenFiles("trips=examples/flights.nimble")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(context.Background(), "SELECT distance FROM trips WHERE origin = 'JFK'")
	if err != nil {
		log.Fatal(err)
	}
	defer rows.Close()
	miles := int64(0)
	for {
		batch, err := rows.NextBatch()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		distances := batch.Columns[0].(*vector.Vec[int32])
		distances.Flatten()
		for _, d := range distances.Values[:batch.N] {
			miles += int64(d)
		}
	}
	fmt.Println(miles, "miles")
	// Output: 140906931 miles
}

// Errors of a query say where in its text they are.
func ExampleDB_Query_error() {
	db, err := decant.OpenFiles("examples/flights.nimble")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	_, err = db.Query(context.Background(), "SELECT carrier FROM flight")
	var at *decant.SQLError
	if errors.As(err, &at) && errors.Is(err, decant.ErrUnknownTable) {
		fmt.Printf("line %d, column %d: %s\n", at.Line, at.Column, at.Msg)
	}
	// Output: line 1, column 21: unknown table "flight", there is flights
}
