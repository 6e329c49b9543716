package rowbatch

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// pattern is a flat map column of some kind of data, of the shape that the
// format's own benchmark has: every row has the keys 0, 1, 2, … and values are
// drawn row by row.
type pattern struct {
	name    string
	kind    nimble.Kind // of the values, BigInt if 0
	layout  *encoding.Layout
	next    func(r *rand.Rand, i int) int64 // value of the i-th entry
	sparse  int                             // in how many percent of the rows a key is, 100 if 0
	nullPct int                             // how many percent of the values are null
	codec   encoding.Compression
}

// forced is a layout whose top is given and whose rest is selected.
func forced(k encoding.Kind) *encoding.Layout {
	return &encoding.Layout{Kind: k, Children: make([]*encoding.Layout, 3)}
}

func patterns() []pattern {
	random := func(r *rand.Rand, _ int) int64 { return int64(r.Uint64()) }
	mainly := func(r *rand.Rand, _ int) int64 {
		if r.IntN(100) < 95 {
			return 42
		}
		return int64(r.Uint64())
	}
	low := func(r *rand.Rand, _ int) int64 { return int64(r.IntN(64)) }
	runs := func() func(r *rand.Rand, i int) int64 {
		value, left := int64(0), 0
		return func(r *rand.Rand, _ int) int64 {
			if left == 0 {
				value, left = int64(r.IntN(1000)), 10+r.IntN(50)
			}
			left--
			return value
		}
	}
	rising := func() func(r *rand.Rand, i int) int64 {
		sum := int64(0)
		return func(r *rand.Rand, _ int) int64 {
			sum += int64(r.IntN(10))
			return sum
		}
	}
	return []pattern{
		{name: "mainly-constant", layout: forced(encoding.KindMainlyConstant), next: mainly},
		{name: "constant", next: func(*rand.Rand, int) int64 { return 7 }},
		{name: "dictionary", layout: forced(encoding.KindDictionary), next: low},
		{name: "random", layout: forced(encoding.KindTrivial), next: random},
		{name: "fixed-bit-width", layout: forced(encoding.KindFixedBitWidth), next: random},
		{name: "delta", layout: forced(encoding.KindDelta), next: rising()},
		{name: "run-length", layout: forced(encoding.KindRLE), next: runs()},
		{name: "sparse-keys", next: low, sparse: 20},
		{name: "nullable-values", next: low, nullPct: 10},
		{name: "strings", kind: nimble.Varchar, next: low},
		{name: "zstd", next: rising(), codec: encoding.Zstd},
		{name: "zstd-strings", kind: nimble.Varchar, next: low, codec: encoding.Zstd},
		{name: "auto-random", next: random},
		{name: "auto-mainly-constant", next: mainly},
	}
}

// sample is a pattern's blob with what it takes to read it.
type sample struct {
	pattern
	rows, keys int
	schema     *Schema
	blob       []byte
	columns    *nimble.Type // the output with keys as columns
	input      *vector.Row
}

func (p pattern) sample(tb testing.TB, rows, keys int) sample {
	tb.Helper()
	if p.kind == 0 {
		p.kind = nimble.BigInt
	}
	value := &nimble.Type{Kind: p.kind}
	features := &nimble.Type{Kind: nimble.FlatMap, Children: []*nimble.Type{{Kind: nimble.Integer}, value}}
	id := &nimble.Type{Kind: nimble.BigInt}
	schema, err := NewSchema(nimble.RowOf([]string{"id", "features"}, []*nimble.Type{id, features}), nil)
	if err != nil {
		tb.Fatal(err)
	}
	s := sample{pattern: p, rows: rows, keys: keys, input: p.vectors(rows, keys)}
	layouts := &Layouts{Children: []*Layouts{nil, {Keys: map[string]*Layouts{}}}}
	columns := &nimble.Type{Kind: nimble.Row}
	for k := range keys {
		name := fmt.Sprint(k)
		layouts.Children[1].Keys[name] = &Layouts{Own: p.layout}
		columns.Names = append(columns.Names, name)
		columns.Children = append(columns.Children, value)
	}
	s.columns = nimble.RowOf([]string{"id", "features"}, []*nimble.Type{id, columns})
	w, err := NewSerializer(schema, nil, SerializerOptions{Layouts: layouts, Encode: encoding.EncodeOptions{Compression: p.codec}})
	if err != nil {
		tb.Fatal(err)
	}
	if s.blob, err = w.Append(nil, s.input); err != nil {
		tb.Fatalf("%s: %v", p.name, err)
	}
	s.schema = w.Schema()
	return s
}

// vectors returns the pattern's rows.
func (p pattern) vectors(rows, keys int) *vector.Row {
	r := rand.New(rand.NewPCG(1, 2))
	id, key := vector.NewVec[int64](nil), vector.NewVec[int32](nil)
	numbers, texts := vector.NewVec[int64](nil), vector.NewVec[vector.View](nil)
	var values vector.Vector = numbers
	if p.kind == nimble.Varchar {
		values = texts
	}
	m := vector.NewMap(nil, key, values)
	for row := range rows {
		id.Append(int64(row))
		for k := range keys {
			if p.sparse > 0 && r.IntN(100) >= p.sparse {
				continue
			}
			key.Append(int32(k))
			x := p.next(r, row*keys+k)
			switch {
			case p.kind == nimble.Varchar:
				vector.AppendString(texts, fmt.Appendf(nil, "a string of some length, number %d", x))
			case r.IntN(100) < p.nullPct:
				numbers.AppendNull()
			default:
				numbers.Append(x)
			}
		}
		m.Append()
	}
	return &vector.Row{N: rows, Fields: []vector.Vector{id, m}}
}

// options returns how the sample is read, into maps or into columns.
func (s *sample) options(asColumns bool) Options {
	if asColumns {
		return Options{Output: s.columns}
	}
	return Options{}
}

func (s *sample) deserializer(tb testing.TB, session *encoding.Session, asColumns bool) *Deserializer {
	tb.Helper()
	d, err := NewDeserializer(s.schema, session, s.options(asColumns))
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func newTestPool() *pool.Pool { return pool.New(pool.Options{LimitBytes: 1 << 30}) }
