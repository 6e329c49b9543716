package main

import (
	"flag"
	"fmt"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/pool"
)

// variant is a way to make a table with our builder: make returns a function
// that makes it once.
type variant struct {
	name string
	make func(c tableCase) (func() error, error)
}

const (
	oursNew  = "ours, a new builder"
	oursRows = "ours, row by row"
)

// variants are the ways to do an operation. Serializing, the table is new memory
// except where it is written in place: over the one before.
func variants(op operation) []variant {
	all := []variant{
		{oursNew, newBuilders},
		{oursRows, func(c tableCase) (func() error, error) { return keptBuilder(c, false, false) }},
		{"ours, by batch", func(c tableCase) (func() error, error) { return keptBuilder(c, true, false) }},
	}
	if op == serialize {
		all = append(all,
			variant{"ours, row by row, in place", func(c tableCase) (func() error, error) { return keptBuilder(c, false, true) }},
			variant{"ours, by batch, in place", func(c tableCase) (func() error, error) { return keptBuilder(c, true, true) }})
	}
	return all
}

// newBuilders makes each table with a builder of its own, as Pinot does.
func newBuilders(c tableCase) (func() error, error) {
	values := c.shape.Values(c.Rows)
	return func() error {
		b, err := datatable.NewBuilder(nil, c.shape.Columns(), datatable.Options{})
		if err != nil {
			return err
		}
		values.SetRows(b)
		if c.Operation == build {
			return b.Err()
		}
		_, err = b.AppendTo(nil)
		return err
	}, nil
}

// keptBuilder makes all tables with one builder.
func keptBuilder(c tableCase, byBatch, inPlace bool) (func() error, error) {
	b, err := datatable.NewBuilder(pool.New(pool.Options{}), c.shape.Columns(), datatable.Options{})
	if err != nil {
		return nil, err
	}
	values := c.shape.Values(c.Rows)
	batches := values.Batches()
	fill := func() error {
		b.Reset()
		values.SetRows(b)
		return b.Err()
	}
	if byBatch {
		fill = func() error {
			b.Reset()
			for _, batch := range batches {
				if err := b.AppendBatch(batch); err != nil {
					return err
				}
			}
			return nil
		}
	}
	if c.Operation == build {
		return fill, nil
	}
	var out []byte
	return func() error {
		if err := fill(); err != nil {
			return err
		}
		table, err := b.AppendTo(out[:0])
		if inPlace {
			out = table
		}
		return err
	}, nil
}

// measureOurs measures all variants of a case.
func measureOurs(s settings, c tableCase) ([]sample, error) {
	if err := flag.Set("test.benchtime", s.ourIteration().String()); err != nil {
		return nil, err
	}
	var samples []sample
	for _, v := range variants(c.Operation) {
		once, err := v.make(c)
		if err != nil {
			return nil, err
		}
		one, err := measure(s, once)
		if err != nil {
			return nil, fmt.Errorf("%v, %s: %w", c, v.name, err)
		}
		one.tableCase, one.Variant = c, v.name
		samples = append(samples, one)
	}
	return samples, nil
}

// measure runs once for the iterations of the settings. Go's compiler leaves
// nothing to warm up but the memory, so one iteration is enough for that.
func measure(s settings, once func() error) (sample, error) {
	var one sample
	var failed error
	for i := range s.iterations + 1 {
		r := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				if err := once(); err != nil {
					failed = err
					b.FailNow()
				}
			}
		})
		if failed != nil {
			return one, failed
		}
		if i == 0 {
			continue
		}
		n := float64(r.N)
		one.IterationNs = append(one.IterationNs, float64(r.T.Nanoseconds())/n)
		one.Ns += float64(r.T.Nanoseconds()) / n / float64(s.iterations)
		one.Bytes += float64(r.MemBytes) / n / float64(s.iterations)
		one.Allocs += float64(r.MemAllocs) / n / float64(s.iterations)
	}
	return one, nil
}
