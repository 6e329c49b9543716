package encoding

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// fuzzRows is how far arrays are read, since they may declare billions of rows.
const fuzzRows = 5000

// fuzzMostRows is the number of rows up to which arrays have the default limit.
const fuzzMostRows = 1 << 18

// FuzzOpen reads untrusted arrays: none may panic or take more memory than it
// should, and rows do not depend on how they are read.
func FuzzOpen(f *testing.F) {
	set := loadGolden(f, golden.Dirs(f, "nimble/encodings")[0])
	for _, c := range set.cases {
		f.Add(c.data, c.VarintRowCount)
	}
	for _, c := range hostile {
		f.Add(c.data, false)
	}
	for _, c := range odd {
		f.Add(c.data, false)
	}
	alphabet := trivial32(3, 1, 4, 1, 5, 9)
	s := NewSession(pool.New(pool.Options{}))
	f.Fuzz(func(t *testing.T, data []byte, varint bool) {
		o := Options{VarintRowCount: varint, Alphabet: func(DictionaryScope, uint32) ([]byte, error) { return alphabet, nil }}
		p, _, err := ReadPrefix(data, varint)
		if err != nil {
			return
		}
		if p.Rows > fuzzMostRows {
			// What so many rows may hold is too much for a test.
			o.LimitBytes = bytesPerRow * fuzzMostRows
		}
		switch {
		case p.Type == Bool:
			fuzzBools(t, s, data, o)
		case p.Type == String:
			fuzzValues[vector.View](t, s, data, o)
		case p.Type.Bytes() == 1:
			fuzzValues[uint8](t, s, data, o)
		case p.Type.Bytes() == 2:
			fuzzValues[uint16](t, s, data, o)
		case p.Type.Bytes() == 4:
			fuzzValues[uint32](t, s, data, o)
		default:
			fuzzValues[uint64](t, s, data, o)
		}
		if n := s.Pool().Stats().Outstanding; n != len(s.scratch.blocks) || s.scratch.top != 0 {
			t.Fatalf("%d buffers outstanding with %d blocks of scratch, %d in use", n, len(s.scratch.blocks), s.scratch.top)
		}
	})
}

// checkMemory fails if more is outstanding than the limit allows.
func checkMemory(t *testing.T, s *Session, data []byte, rows int) {
	t.Helper()
	rows = min(rows, fuzzMostRows)
	held := s.Pool().Stats().OutstandingBytes - len(s.scratch.blocks)*blockWords*8
	// A fifth of a buffer may be beyond what was asked for, or it is a loan.
	if limit := pool.LoanFactor * 5 / 4 * (64*rows + 16*(len(data)+64) + spareBytes); held > limit {
		t.Fatalf("%d bytes held for %d rows in %d bytes", held, rows, len(data))
	}
}

func fuzzValues[T Physical](t *testing.T, s *Session, data []byte, o Options) {
	d, err := Open[T](s, data, o)
	if err != nil {
		checkClass(t, err)
		return
	}
	defer d.Close()
	rows := min(d.Rows(), fuzzRows)
	var first [][]byte
	var firstErr error
	for i, batch := range []int{max(rows, 1), 1, 7, 1024, -1} {
		got, err := fuzzRead(s, d, rows, batch)
		if err != nil {
			checkClass(t, err)
		}
		if i == 0 {
			first, firstErr = got, err
			checkMemory(t, s, data, d.Rows())
		}
		if (err == nil) != (firstErr == nil) {
			t.Fatalf("batches of %d: %v, all at once: %v", batch, err, firstErr)
		}
		if err == nil {
			for row := range first {
				if !bytes.Equal(got[row], first[row]) {
					t.Fatalf("batches of %d: row %d is %x, all at once %x", batch, row, got[row], first[row])
				}
			}
		}
		// After an error only Close is of use; another decoder goes on.
		if err != nil {
			d.Close()
			if d, err = Open[T](s, data, o); err != nil {
				t.Fatalf("opened once, then %v", err)
			}
			continue
		}
		d.Rewind()
	}
}

// fuzzRead returns the bytes of the first rows, read in batches, or with -1
// as vectors of random sizes.
func fuzzRead[T Physical](s *Session, d Decoder[T], rows, batch int) ([][]byte, error) {
	rng := rand.New(rand.NewPCG(uint64(rows), 1))
	v := vector.NewVec[T](nil)
	var out [][]byte
	for at := 0; at < rows; {
		n := batch
		if batch < 0 {
			n = rng.IntN(300)
		}
		n = min(n, rows-at)
		values := make([]T, n)
		if batch < 0 {
			if err := d.ReadVec(v, n); err != nil {
				return nil, err
			}
			if err := vector.Check(v); err != nil {
				return nil, err // of no class
			}
			v.Expand(values)
			for i := range values {
				if !vector.Valid(v.Valid, i) {
					values[i] = *new(T)
				}
			}
		} else if err := d.Read(values); err != nil {
			return nil, err
		}
		for i := range values {
			out = append(out, rawRow(&values[i], s.strings.List()))
		}
		at += n
	}
	return out, nil
}

func rawRow[T Physical](x *T, buffers [][]byte) []byte {
	if v, ok := any(x).(*vector.View); ok {
		return bytes.Clone(v.Bytes(buffers))
	}
	return fmt.Append(nil, *x)
}

func fuzzBools(t *testing.T, s *Session, data []byte, o Options) {
	d, err := OpenBool(s, data, o)
	if err != nil {
		checkClass(t, err)
		return
	}
	defer d.Close()
	checkMemory(t, s, data, d.Rows())
	rows := min(d.Rows(), fuzzRows)
	all, some := make([]uint64, vector.Words(rows)), make([]uint64, vector.Words(rows))
	err = d.ReadBits(all, 0, rows)
	for _, batch := range []int{1, 7, 1024} {
		again, openErr := OpenBool(s, data, o)
		if openErr != nil {
			t.Fatalf("opened once, then %v", openErr)
		}
		var someErr error
		for at := 0; at < rows && someErr == nil; at += batch {
			someErr = again.ReadBits(some, at, min(batch, rows-at))
		}
		again.Close()
		if (someErr == nil) != (err == nil) {
			t.Fatalf("batches of %d: %v, all at once: %v", batch, someErr, err)
		}
		for i := range rows {
			if err == nil && vector.Bit(all, i) != vector.Bit(some, i) {
				t.Fatalf("batches of %d: row %d differs", batch, i)
			}
		}
	}
}

func checkClass(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
		t.Fatalf("%q is neither corrupt nor unsupported", err)
	}
}
