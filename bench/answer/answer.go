// Package answer is what the two halves of the benchmark exchange: one JSON
// object a line for each query that an engine has run.
package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// Query is one entry of queries.json.
type Query struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`
}

// Answer is one query's time and rows.
type Answer struct {
	Engine    string  `json:"engine"` // name and version
	Query     string  `json:"query"`
	Threads   int     `json:"threads"`
	MedianMs  float64 `json:"medianMs"`
	FileBytes int64   `json:"fileBytes"` // of the table that was read
	Rows      [][]any `json:"rows"`      // string, float64 (any number) or nil
}

// Measure runs a query warm and returns the median of repeats runs, and the rows
// of the last. Half as many runs and one more go before and are not counted.
// Run must read and decode the table anew each time.
func Measure(repeats int, run func() ([][]any, error)) (medianMs float64, rows [][]any, err error) {
	if repeats < 1 {
		return 0, nil, fmt.Errorf("answer: %d repeats", repeats)
	}
	for range repeats/2 + 1 {
		if _, err := run(); err != nil {
			return 0, nil, err
		}
	}
	timesMs := make([]float64, repeats)
	for i := range timesMs {
		began := time.Now()
		rows, err = run()
		timesMs[i] = float64(time.Since(began)) / float64(time.Millisecond)
		if err != nil {
			return 0, nil, err
		}
	}
	return median(timesMs), rows, nil
}

// median sorts values, of which there is at least one.
func median(values []float64) float64 {
	slices.Sort(values)
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle]
	}
	return (values[middle-1] + values[middle]) / 2
}

// ReadAll reads answers until the end of r.
func ReadAll(r io.Reader) ([]Answer, error) {
	var answers []Answer
	for d := json.NewDecoder(r); ; {
		var a Answer
		err := d.Decode(&a)
		if errors.Is(err, io.EOF) {
			return answers, nil
		}
		if err != nil {
			return nil, fmt.Errorf("answer %d: %w", len(answers)+1, err)
		}
		answers = append(answers, a)
	}
}

// Same returns an error that names the first difference between the rows of two
// answers. Numbers are equal within 1e-9 of the larger.
func Same(a, b Answer) error {
	if len(a.Rows) != len(b.Rows) {
		return fmt.Errorf("%s: %d rows from %s, %d from %s", a.Query, len(a.Rows), a.Engine, len(b.Rows), b.Engine)
	}
	for i := range a.Rows {
		if !slices.EqualFunc(a.Rows[i], b.Rows[i], sameValue) {
			return fmt.Errorf("%s: row %d is %v from %s, %v from %s", a.Query, i+1, a.Rows[i], a.Engine, b.Rows[i], b.Engine)
		}
	}
	return nil
}

func sameValue(a, b any) bool {
	x, isNumber := a.(float64)
	y, both := b.(float64)
	if isNumber && both {
		return math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))
	}
	return a == b
}
