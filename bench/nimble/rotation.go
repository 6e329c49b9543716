package main

import (
	"fmt"
	"io"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/rowbatch"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// rotation is five blobs of different trees and sizes that are read in turn, with
// one pool for all of them. Whatever a blob was read with is closed before the next.
type rotation struct {
	form           string
	rows           int
	nsRow          float64
	allocatorCalls uint64       // by the pool in the first round
	later          runtimeUsage // of countedBatches rounds after that
	heldBytes      int
	largestBytes   int // held after reading the largest of the five alone
}

// rotated are the patterns of a rotation and how many keys each has there.
var rotated = []struct {
	name string
	keys int
}{
	{"Forced MainlyConstant", 100},
	{"Forced Dictionary", 40},
	{"Forced RLE", 20},
	{"nullable values", 60},
	{"strings", 10},
}

// rotatedSamples returns the five blobs.
func rotatedSamples() ([]*sample, error) {
	var all []*sample
	for _, want := range rotated {
		for _, p := range patterns() {
			if p.name != want.name {
				continue
			}
			p.keys = want.keys
			s, err := p.sample()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// batchReader is a deserializer of one sample and what it reads into.
type batchReader struct {
	sample *sample
	d      *rowbatch.Deserializer
	rows   *vector.Row
}

func newBatchReader(s *sample, form string, session *encoding.Session) (*batchReader, error) {
	var o rowbatch.Options
	if form == "columns" {
		o.Output = s.columns
	}
	d, err := rowbatch.NewDeserializer(s.schema, session, o)
	if err != nil {
		return nil, err
	}
	return &batchReader{s, d, d.NewRows()}, nil
}

// read reads the blob and gives the rows up.
func (r *batchReader) read() error {
	err := r.d.Read(r.rows, r.sample.blob)
	r.rows.Release()
	return err
}

// check compares the rows with the sample's.
func (r *batchReader) check() error {
	err := r.d.Read(r.rows, r.sample.blob)
	if err == nil {
		err = r.sample.check(r.rows)
	}
	r.rows.Release()
	return err
}

func newMemory() *pool.Pool { return pool.New(pool.Options{LimitBytes: 1 << 30}) }

func measureRotations(e effort, progress io.Writer) ([]rotation, error) {
	samples, err := rotatedSamples()
	if err != nil {
		return nil, err
	}
	var all []rotation
	for _, form := range []string{"maps", "columns"} {
		m, err := measureRotation(samples, form, e)
		if err != nil {
			return nil, fmt.Errorf("rotation into %s: %w", form, err)
		}
		fmt.Fprintf(progress, "rotation into %-7s %8.1f ns a row, %d+%d, held %d of %d\n", form, m.nsRow, m.later.mallocs, m.later.bytes, m.heldBytes, m.largestBytes)
		all = append(all, m)
	}
	return all, nil
}

func measureRotation(samples []*sample, form string, e effort) (rotation, error) {
	memory := newMemory()
	session := encoding.NewSession(memory)
	m := rotation{form: form}
	var readers []*batchReader
	for _, s := range samples {
		alone := newMemory()
		one, err := newBatchReader(s, form, encoding.NewSession(alone))
		if err == nil {
			err = one.check()
		}
		if err != nil {
			return m, err
		}
		m.largestBytes = max(m.largestBytes, alone.Stats().HeldBytes)
		r, err := newBatchReader(s, form, session)
		if err != nil {
			return m, err
		}
		readers = append(readers, r)
		m.rows += s.rows.N
	}
	round := func() error {
		for _, r := range readers {
			if err := r.read(); err != nil {
				return err
			}
		}
		return nil
	}
	if err := round(); err != nil {
		return m, err
	}
	m.allocatorCalls = memory.Stats().Allocs
	var err error
	if m.later, err = usage(round); err != nil {
		return m, err
	}
	t, err := fastest(e, round)
	m.nsRow, m.heldBytes = float64(t.Nanoseconds())/float64(m.rows), memory.Stats().HeldBytes
	return m, err
}

func writeRotations(p printer, all []rotation) {
	p("\n## Five blobs in rotation\n\nFive blobs of 10,000 rows in turn, one pool for all, each blob's decoders closed before the\nnext is opened:")
	for _, r := range rotated {
		p(" %s (%d keys);", r.name, r.keys)
	}
	p(" Go mallocs and bytes are\nof the ten rounds after the first; the largest batch is what the one that needs most holds alone.\n\n")
	p("| into | ns/row | allocator calls, round 1 | Go mallocs | Go bytes | bytes held | largest batch | held/largest |\n|---|---|---|---|---|---|---|---|\n")
	for _, m := range all {
		p("| %s | %.1f | %d | %d | %d | %d | %d | %.2f |\n", m.form, m.nsRow, m.allocatorCalls, m.later.mallocs, m.later.bytes,
			m.heldBytes, m.largestBytes, float64(m.heldBytes)/float64(m.largestBytes))
	}
}
