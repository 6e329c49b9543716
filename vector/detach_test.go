package vector_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

// text prints row i of v with all that is below it.
func text(v vector.Vector, i int) string {
	if !vector.Valid(v.Validity(), i) {
		return "null"
	}
	switch v := v.(type) {
	case *vector.Vec[int32]:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *vector.Vec[vector.View]:
		x, _ := v.At(i)
		return fmt.Sprintf("%q", x.Bytes(v.Buffers.List()))
	case *vector.Bools:
		x, _ := v.At(i)
		return fmt.Sprint(x)
	case *vector.Timestamps:
		x, _ := v.Micros.At(i)
		return fmt.Sprintf("%dus+%dns", x, v.Nanos[i])
	case *vector.List:
		s := "["
		for begin, end := v.Span(i); begin < end; begin++ {
			s += text(v.Elem, begin) + ";"
		}
		return s + "]"
	case *vector.Map:
		s := "{"
		for begin, end := v.Span(i); begin < end; begin++ {
			s += text(v.Keys, begin) + ":" + text(v.Values, begin) + ";"
		}
		return s + "}"
	case *vector.Row:
		s := "("
		for _, f := range v.Fields {
			s += text(f, i) + ";"
		}
		return s + ")"
	}
	return fmt.Sprintf("a %T", v)
}

func texts(v vector.Vector) []string {
	s := make([]string, v.Len())
	for i := range s {
		s[i] = text(v, i)
	}
	return s
}

// makeColumns returns empty vectors of every shape over p: numbers, strings,
// bools, timestamps, lists of strings, maps of numbers to strings, rows.
func makeColumns(p *pool.Pool) []vector.Vector {
	number := func() vector.Vector { return vector.NewVec[int32](p) }
	str := func() vector.Vector { return vector.NewVec[vector.View](p) }
	return []vector.Vector{
		number(), str(), vector.NewBools(p), vector.NewTimestamps(p),
		vector.NewList(p, str()), vector.NewMap(p, number(), str()),
		vector.NewRow(p, number(), vector.NewList(p, number())),
	}
}

// appendRow appends the row that seed stands for to v.
func appendRow(v vector.Vector, seed int) {
	null := seed%7 == 3
	switch v := v.(type) {
	case *vector.Vec[int32]:
		if null {
			v.AppendNull()
		} else {
			v.Append(int32(seed))
		}
	case *vector.Vec[vector.View]:
		if null {
			v.AppendNull()
		} else {
			vector.AppendString(v, fmt.Appendf(nil, "%*d", seed%20, seed))
		}
	case *vector.Bools:
		if null {
			v.AppendNull()
		} else {
			v.Append(seed%2 == 0)
		}
	case *vector.Timestamps:
		if null {
			v.AppendNull()
		} else {
			v.Append(int64(seed), uint16(seed%1000))
		}
	case *vector.List:
		if null {
			v.AppendNull()
			return
		}
		for i := range seed % 4 {
			appendRow(v.Elem, seed+i)
		}
		v.Append()
	case *vector.Map:
		if null {
			v.AppendNull()
			return
		}
		for i := range seed % 4 {
			v.Keys.(*vector.Vec[int32]).Append(int32(i))
			appendRow(v.Values, seed+i)
		}
		v.Append()
	case *vector.Row:
		if null {
			v.Append(false)
			v.Fields[0].(*vector.Vec[int32]).AppendNull()
			v.Fields[1].(*vector.List).AppendNull()
			return
		}
		v.Append(true)
		appendRow(v.Fields[0], seed+1)
		appendRow(v.Fields[1], seed+2)
	}
}

func TestDetachIsIndependent(t *testing.T) {
	p := pool.New(pool.Options{})
	batch := vector.NewBatch(p, makeColumns(p)...)
	rapid.Check(t, func(t *rapid.T) {
		batch.Reset()
		batch.N = rapid.IntRange(0, 60).Draw(t, "rows")
		for range batch.N {
			seed := rapid.IntRange(0, 1000).Draw(t, "seed")
			for _, c := range batch.Columns {
				appendRow(c, seed)
			}
		}
		copy(batch.ReserveSel(batch.N/2), []int32{0, 2, 4, 6, 8})
		var want [][]string
		for _, c := range batch.Columns {
			want = append(want, texts(c))
		}
		detached := vector.DetachBatch(batch)
		wantRows := batch.Rows()
		batch.Release()
		if got := p.Stats().Outstanding; got != 0 {
			t.Fatalf("%d buffers are outstanding", got)
		}
		if detached.Rows() != wantRows {
			t.Fatalf("%d rows are selected, not %d", detached.Rows(), wantRows)
		}
		spoil(p)
		for i, c := range detached.Columns {
			if got := texts(c); !reflect.DeepEqual(got, want[i]) {
				t.Fatalf("column %d of kind %v is\n%v, not\n%v", i, c.Kind(), got, want[i])
			}
		}
	})
}

// spoil overwrites what p holds.
func spoil(p *pool.Pool) {
	var bufs []pool.Buf[byte]
	for n := 64; n < 1<<16; n *= 2 {
		for range 20 {
			b := pool.Get[byte](p, n)
			for i := range b.S {
				b.S[i] = 0xa5
			}
			bufs = append(bufs, b)
		}
	}
	for i := range bufs {
		pool.Put(p, &bufs[i])
	}
}

func TestDetachKeepsTheForm(t *testing.T) {
	long := []byte("longer than a view holds")
	bufs := &vector.Buffers{}
	id := bufs.Add(long)
	v := &vector.Vec[vector.View]{
		Form: vector.Dictionary, N: 3, Index: []uint32{1, 0, 1}, Buffers: bufs,
		Values: []vector.View{vector.InlineView([]byte("a")), vector.MakeView(long, id, 0)},
	}
	d := vector.Detach(v).(*vector.Vec[vector.View])
	clear(long)
	if d.Form != vector.Dictionary || len(d.Values) != 2 {
		t.Fatalf("%v of %d values", d.Form, len(d.Values))
	}
	want := []string{`"longer than a view holds"`, `"a"`, `"longer than a view holds"`}
	if got := texts(d); !reflect.DeepEqual(got, want) {
		t.Errorf("detached: %v", got)
	}
}

func TestDetachOfReservedRoom(t *testing.T) {
	v := vector.NewVec[vector.View](nil)
	v.AppendNull()
	v.ReserveValues(1000) // more room than rows
	v.Values[999] = vector.View{99, 99}
	d := vector.Detach(v).(*vector.Vec[vector.View])
	if len(d.Values) != 1 || d.N != 1 {
		t.Errorf("%d values, %d rows", len(d.Values), d.N)
	}
}
