package encoding

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// TestGoldenDecode reads every array that the reference wrote in every way.
func TestGoldenDecode(t *testing.T) {
	s := NewSession(pool.New(pool.Options{}))
	var refused, read int
	forGolden(t, func(t *testing.T, c *goldenCase) {
		err := conform(s, c)
		switch {
		case c.refused() && !errors.Is(err, ErrUnsupported):
			t.Errorf("%s: got %v where it is to be refused", c.File, err)
		case c.refused():
			refused++
		case err != nil:
			t.Errorf("%s: %v", c.File, err)
		default:
			read++
		}
	})
	t.Logf("%d read, %d refused by name", read, refused)
	s.Release()
	if out := s.Pool().Stats().Outstanding; out != 0 {
		t.Errorf("%d buffers did not come back", out)
	}
}

func conform(s *Session, c *goldenCase) error {
	switch c.DataType {
	case "bool":
		return conformBool(s, c)
	case "string":
		return conformValues(s, c, stringRows(c))
	case "int8", "uint8":
		return conformValues(s, c, integerRows[uint8](c))
	case "int16", "uint16":
		return conformValues(s, c, integerRows[uint16](c))
	case "int32", "uint32", "float":
		return conformValues(s, c, integerRows[uint32](c))
	default:
		return conformValues(s, c, integerRows[uint64](c))
	}
}

// rowCheck compares rows of T, from row at on, with what a case expects.
type rowCheck[T Physical] func(at int, got []T, buffers [][]byte) error

func integerRows[T Integer](c *goldenCase) rowCheck[T] {
	want := make([]T, len(c.values)/sizeOf[T]())
	copyRaw(want, c.values)
	return func(at int, got []T, _ [][]byte) error {
		for i, x := range got {
			if x != want[at+i] {
				return fmt.Errorf("row %d: %#x, not %#x", at+i, x, want[at+i])
			}
		}
		return nil
	}
}

func stringRows(c *goldenCase) rowCheck[vector.View] {
	want := c.strings()
	return func(at int, got []vector.View, buffers [][]byte) error {
		for i := range got {
			if b := got[i].Bytes(buffers); !bytes.Equal(b, want[at+i]) {
				return fmt.Errorf("row %d: %q, not %q", at+i, b, want[at+i])
			}
		}
		return nil
	}
}

// batches are the sizes in which rows are read; 0 stands for all at once.
var batches = []int{0, 1, 7, 1024}

func conformValues[T Physical](s *Session, c *goldenCase, check rowCheck[T]) error {
	var strings vector.Buffers
	o := c.options()
	o.Strings = &strings
	d, err := Open[T](s, c.data, o)
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Rows() != c.RowCount {
		return fmt.Errorf("%d rows, not %d", d.Rows(), c.RowCount)
	}
	v := valueCheck[T]{c: c, d: d, check: check, strings: &strings, buf: make([]T, c.RowCount), vec: vector.NewVec[T](s.Pool())}
	defer v.vec.Release()
	for _, batch := range batches {
		if batch == 0 {
			batch = max(c.RowCount, 1)
		}
		for _, way := range []struct {
			name string
			read func(at, n int) error
		}{{"Read", v.read}, {"ReadNulls", v.readNulls}, {"ReadVec", v.readVec}, {"ReadSel", v.readSel}} {
			if err := inBatches(d, c.RowCount, batch, way.read); err != nil {
				return fmt.Errorf("%s of %d: %w", way.name, batch, err)
			}
			d.Rewind()
		}
	}
	if err := v.mixed(); err != nil {
		return fmt.Errorf("skips and reads: %w", err)
	}
	return nil
}

// reader is what all decoders have in common.
type reader interface {
	Rows() int
	Skip(n int) error
	Rewind()
}

func inBatches(d reader, rows, batch int, read func(at, n int) error) error {
	for at := 0; at < rows; at += batch {
		if err := read(at, min(batch, rows-at)); err != nil {
			return err
		}
	}
	return pastEnd(d, read)
}

// pastEnd checks that there is nothing behind the last row.
func pastEnd(d reader, read func(at, n int) error) error {
	if err := read(d.Rows(), 0); err != nil {
		return fmt.Errorf("no rows at the end: %w", err)
	}
	if err := d.Skip(1); !errors.Is(err, ErrPastEnd) {
		return fmt.Errorf("a skip past the end: got %v", err)
	}
	return nil
}

// valueCheck reads rows in the ways that there are and compares them.
type valueCheck[T Physical] struct {
	c       *goldenCase
	d       Decoder[T]
	check   rowCheck[T]
	strings *vector.Buffers
	buf     []T
	vec     *vector.Vec[T]
}

func (v *valueCheck[T]) read(at, n int) error {
	if err := v.d.Read(v.buf[:n]); err != nil {
		return err
	}
	return v.check(at, v.buf[:n], v.strings.List())
}

func (v *valueCheck[T]) readNulls(at, n int) error {
	const begin = 3
	valid := make([]uint64, vector.Words(begin+n+1))
	for i := range valid {
		valid[i] = 0x5555555555555555
	}
	untouched := bytes.Clone(bytesOf(valid))
	present, err := ReadNulls(v.d, v.buf[:n], valid, begin)
	if err != nil {
		return err
	}
	want := 0
	for i := range n {
		if !v.c.null(at + i) {
			want++
		}
	}
	if present != want {
		return fmt.Errorf("%d present rows, not %d", present, want)
	}
	if present == n && !bytes.Equal(untouched, bytesOf(valid)) {
		return errors.New("validity touched where all rows are present")
	}
	for i := range n {
		if present < n && vector.Bit(valid, begin+i) == v.c.null(at+i) {
			return fmt.Errorf("row %d: wrong presence", at+i)
		}
	}
	return v.check(at, v.buf[:n], v.strings.List())
}

func (v *valueCheck[T]) readVec(at, n int) error {
	if err := v.d.ReadVec(v.vec, n); err != nil {
		return err
	}
	if v.vec.N != n {
		return fmt.Errorf("vector of %d rows, not %d", v.vec.N, n)
	}
	if err := vector.Check(v.vec); err != nil {
		return err
	}
	v.vec.Expand(v.buf[:n])
	for i := range n {
		if vector.Valid(v.vec.Valid, i) == v.c.null(at+i) {
			return fmt.Errorf("row %d: wrong presence", at+i)
		}
		if v.c.null(at + i) {
			var zero T
			v.buf[i] = zero
		}
		if x, present := v.vec.At(i); present && x != v.buf[i] {
			return fmt.Errorf("row %d: expanded to another value than at the row", at+i)
		}
	}
	return v.check(at, v.buf[:n], v.vec.Buffers.List())
}

func (v *valueCheck[T]) readSel(at, n int) error {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(at)))
	keep := []float64{0.01, 0.3, 1}[rng.IntN(3)]
	var sel []int32
	for i := range n {
		if rng.Float64() <= keep {
			sel = append(sel, int32(i))
		}
	}
	if err := ReadSel(v.d, v.buf[:len(sel)], n, sel); err != nil {
		return err
	}
	for i, row := range sel {
		if err := v.check(at+int(row), v.buf[i:i+1], v.strings.List()); err != nil {
			return err
		}
	}
	return nil
}

// mixed takes random turns of skipping and reading, twice.
func (v *valueCheck[T]) mixed() error {
	rng := rand.New(rand.NewPCG(uint64(v.c.RowCount), 4))
	ways := []func(at, n int) error{
		v.read, v.readNulls, v.readVec, v.readSel,
		func(_, n int) error { return v.d.Skip(n) },
		func(_, n int) error { return v.d.Skip(n) },
	}
	for range 2 {
		v.d.Rewind()
		for at := 0; at < v.c.RowCount; {
			n := min(rng.IntN(1+rng.IntN(1500)), v.c.RowCount-at)
			if err := ways[rng.IntN(len(ways))](at, n); err != nil {
				return fmt.Errorf("at row %d, %d rows: %w", at, n, err)
			}
			at += n
		}
	}
	return pastEnd(v.d, v.read)
}
