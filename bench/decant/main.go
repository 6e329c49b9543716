// Decant answers the questions of the benchmark:
//
//	decant FLIGHTS.nimble THREADS REPEATS
//
// It prints one [answer.Answer] a line for each query of queries.json, which is in
// the folder that it runs in. Every run reads and decodes the table anew.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/bench/answer"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: decant FLIGHTS.nimble THREADS REPEATS")
		os.Exit(2)
	}
	threads, err := strconv.Atoi(os.Args[2])
	if err == nil {
		var repeats int
		if repeats, err = strconv.Atoi(os.Args[3]); err == nil {
			err = run(os.Stdout, os.Args[1], threads, repeats)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "decant:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, table string, threads, repeats int) error {
	raw, err := os.ReadFile("queries.json")
	if err != nil {
		return err
	}
	var queries []answer.Query
	if err := json.Unmarshal(raw, &queries); err != nil {
		return fmt.Errorf("queries.json: %w", err)
	}
	info, err := os.Stat(table)
	if err != nil {
		return err
	}
	db, err := decant.Open(context.Background(), decant.Options{Workers: threads}, "flights="+table)
	if err != nil {
		return err
	}
	defer db.Close()
	enc := json.NewEncoder(out)
	for _, q := range queries {
		median, rows, err := answer.Measure(repeats, func() ([][]any, error) { return ask(db, q.SQL) })
		if err != nil {
			return fmt.Errorf("%s: %w", q.Name, err)
		}
		a := answer.Answer{
			Engine: "Decant", Query: q.Name, Threads: threads,
			MedianMs: median, FileBytes: info.Size(), Rows: rows,
		}
		if err := enc.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

// ask runs a query and returns its rows, every number as a float64.
func ask(db *decant.DB, sql string) ([][]any, error) {
	rows, err := db.Query(context.Background(), sql)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all [][]any
	for rows.Next() {
		values := make([]any, len(rows.Columns()))
		places := make([]any, len(values))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			return nil, err
		}
		for i, v := range values {
			switch v := v.(type) {
			case int32:
				values[i] = float64(v)
			case int64:
				values[i] = float64(v)
			case float32:
				values[i] = float64(v)
			}
		}
		all = append(all, values)
	}
	return all, rows.Err()
}
