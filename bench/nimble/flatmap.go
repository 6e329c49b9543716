package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/rowbatch"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

const (
	mapRows = 10_000
	// countedBatches is how many batches allocations are counted over.
	countedBatches = 10
)

// pattern is the values of a flat map in which every row has all keys. They are
// drawn row by row.
type pattern struct {
	name string
	keys int
	top  *encoding.Layout // of the values, selected if nil
	next generator[uint64]
	kind nimble.Kind // BigInt or Varchar
	// Of 100 entries, how many are not there, and how many are null.
	missing, null int
}

// patterns are those of the recorded figures, and then some that have none.
func patterns() []pattern {
	random := generator[uint64]((*rand.Rand).Uint64)
	top := func(k encoding.Kind) *encoding.Layout {
		return &encoding.Layout{Kind: k, Children: make([]*encoding.Layout, 3)}
	}
	return []pattern{
		{name: "Forced MainlyConstant", top: top(encoding.KindMainlyConstant), next: mostly(42, random)},
		{name: "Forced Trivial", top: top(encoding.KindTrivial), next: random},
		{name: "Forced Dictionary", top: top(encoding.KindDictionary), next: below(32)},
		{name: "Forced FixedBitWidth", top: top(encoding.KindFixedBitWidth), next: random},
		{name: "Forced Delta", top: top(encoding.KindDelta), next: rising(10)},
		{name: "Forced RLE", top: top(encoding.KindRLE), next: inRuns(below(1000))},
		{name: "Auto random", next: random},
		{name: "Auto mainlyconst", next: mostly(42, random)},
		{name: "Auto 50 keys random", keys: 50, next: random},
		{name: "Auto 200 keys random", keys: 200, next: random},
		{name: "constant", next: below(1)},
		{name: "sparse keys", next: below(64), missing: 80},
		{name: "nullable values", next: below(64), null: 10},
		{name: "strings", next: below(64), kind: nimble.Varchar},
	}
}

// sample is the blob of a pattern, and how to read it.
type sample struct {
	schema  *rowbatch.Schema
	blob    []byte
	rows    *vector.Row
	columns *nimble.Type // the output with a column for each key
}

func (p pattern) sample() (*sample, error) {
	if p.keys == 0 {
		p.keys = 100
	}
	if p.kind == 0 {
		p.kind = nimble.BigInt
	}
	value := &nimble.Type{Kind: p.kind}
	features := &nimble.Type{Kind: nimble.FlatMap, Children: []*nimble.Type{{Kind: nimble.Integer}, value}}
	schema, err := rowbatch.NewSchema(nimble.RowOf([]string{"features"}, []*nimble.Type{features}), nil)
	if err != nil {
		return nil, err
	}
	layouts := map[string]*rowbatch.Layouts{}
	columns := &nimble.Type{Kind: nimble.Row}
	for k := range p.keys {
		name := fmt.Sprint(k)
		layouts[name] = &rowbatch.Layouts{Own: p.top}
		columns.Names = append(columns.Names, name)
		columns.Children = append(columns.Children, value)
	}
	w, err := rowbatch.NewSerializer(schema, nil, rowbatch.SerializerOptions{
		Layouts: &rowbatch.Layouts{Children: []*rowbatch.Layouts{{Keys: layouts}}},
	})
	if err != nil {
		return nil, err
	}
	s := &sample{rows: p.rows(), columns: nimble.RowOf([]string{"features"}, []*nimble.Type{columns})}
	if s.blob, err = w.Append(nil, s.rows); err != nil {
		return nil, err
	}
	s.schema = w.Schema()
	return s, nil
}

func (p pattern) rows() *vector.Row {
	r := rand.New(rand.NewPCG(20, 26))
	keys, numbers, texts := vector.NewVec[int32](nil), vector.NewVec[int64](nil), vector.NewVec[vector.View](nil)
	var values vector.Vector = numbers
	if p.kind == nimble.Varchar {
		values = texts
	}
	m := vector.NewMap(nil, keys, values)
	for range mapRows {
		for k := range p.keys {
			if r.IntN(100) < p.missing {
				continue
			}
			keys.Append(int32(k))
			x := p.next(r)
			switch {
			case p.kind == nimble.Varchar:
				vector.AppendString(texts, fmt.Appendf(nil, "a string of some length, number %d", x))
			case r.IntN(100) < p.null:
				numbers.AppendNull()
			default:
				numbers.Append(int64(x))
			}
		}
		m.Append()
	}
	return &vector.Row{N: mapRows, Fields: []vector.Vector{m}}
}

// batchReading is one way to read a sample, measured.
type batchReading struct {
	recordedBatch // zero but for pattern, form and pool if there are no figures
	ownBlobBytes  int
	ownMs         float64
	// Of the first batches: buffers that the pool made and was asked for, or what
	// Go allocated if there is no pool.
	allocatorCalls, requests uint64
	later                    runtimeUsage // of as many batches after these
	heldBytes                int
}

// runtimeUsage is what was allocated from Go's heap.
type runtimeUsage struct{ mallocs, bytes uint64 }

func measureBatches(p pattern, recorded []recordedBatch, e effort) ([]batchReading, error) {
	s, err := p.sample()
	if err != nil {
		return nil, err
	}
	var all []batchReading
	for _, form := range []string{"maps", "columns"} {
		for _, memory := range []string{"pool", "nopool"} {
			m := batchReading{recordedBatch: recordedBatch{pattern: p.name, form: form, pool: memory}}
			for _, r := range recorded {
				if r.pattern == p.name && r.form == form && r.pool == memory {
					m.recordedBatch = r
				}
			}
			if err := s.measure(&m, e); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", form, memory, err)
			}
			all = append(all, m)
		}
	}
	return all, nil
}

func (s *sample) measure(m *batchReading, e effort) error {
	var memory *pool.Pool
	if m.pool == "pool" {
		memory = pool.New(pool.Options{LimitBytes: 1 << 30})
	}
	var o rowbatch.Options
	if m.form == "columns" {
		o.Output = s.columns
	}
	d, err := rowbatch.NewDeserializer(s.schema, encoding.NewSession(memory), o)
	if err != nil {
		return err
	}
	rows := d.NewRows()
	// A batch's rows are given up, as the original drops its output.
	read := func() error {
		err := d.Read(rows, s.blob)
		rows.Release()
		return err
	}
	first, err := usage(read)
	if err != nil {
		return err
	}
	m.allocatorCalls = first.mallocs
	if memory != nil {
		m.allocatorCalls, m.requests = memory.Stats().Allocs, memory.Stats().Gets
	}
	if m.later, err = usage(read); err != nil {
		return err
	}
	if err := d.Read(rows, s.blob); err != nil {
		return err
	}
	if err := s.check(rows); err != nil {
		return err
	}
	rows.Release()
	t, err := fastest(e, read)
	m.ownBlobBytes, m.ownMs, m.heldBytes = len(s.blob), t.Seconds()*1000, memory.Stats().HeldBytes
	return err
}

// usage returns what countedBatches runs allocate.
func usage(run func() error) (runtimeUsage, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range countedBatches {
		if err := run(); err != nil {
			return runtimeUsage{}, err
		}
	}
	runtime.ReadMemStats(&after)
	return runtimeUsage{after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc}, nil
}
