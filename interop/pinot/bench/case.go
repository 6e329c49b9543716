package main

import (
	"fmt"

	"github.com/decantdb/decant/datatable"
	pinot "github.com/decantdb/decant/interop/pinot"
)

// operation is what is measured, by the name that its JMH method has.
type operation string

const (
	build     operation = "build"     // construction
	serialize operation = "serialize" // construction and serialization
)

// tableCase is an operation on a table of some shape and size.
type tableCase struct {
	Operation operation `json:"operation"`
	Shape     string    `json:"shape"`
	Rows      int       `json:"rows"`

	shape pinot.Shape
}

// String names the case.
func (c tableCase) String() string { return fmt.Sprintf("%s %s %d", c.Operation, c.Shape, c.Rows) }

// cases are the original's four operations, each with many rows and with one.
func cases() []tableCase {
	var all []tableCase
	for _, rows := range []int{5000, 1} {
		for _, shape := range pinot.Shapes[:2] { // without arrays
			for _, op := range []operation{build, serialize} {
				all = append(all, tableCase{op, shape.Name, rows, shape})
			}
		}
	}
	return all
}

// table returns the serialized table.
func (c tableCase) table() ([]byte, error) {
	b, err := datatable.NewBuilder(nil, c.shape.Columns(), datatable.Options{})
	if err != nil {
		return nil, err
	}
	c.shape.Values(c.Rows).SetRows(b)
	return b.AppendTo(nil)
}

// sample is what one variant took in one of the pairs, for each table.
type sample struct {
	tableCase
	Variant string  `json:"variant"`
	Pair    int     `json:"pair"`
	Ns      float64 `json:"ns"`
	Bytes   float64 `json:"bytes"`
	// Allocs are -1 if they are not known: JMH counts bytes alone.
	Allocs float64 `json:"allocs"`
	// IterationNs are the iterations of which Ns is the mean.
	IterationNs []float64 `json:"iterationNs"`
}
