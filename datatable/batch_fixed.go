package datatable

import (
	"encoding/binary"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// putFixed writes the slots of a column of a batch, in one pass over its rows,
// if the column's values are in the slots. dst begins at the first row's slot;
// all is zero there, which is the placeholder of null cells.
func (b *Builder) putFixed(dst []byte, c *column, v vector.Vector, sel []int32, rows int) bool {
	s := strided{dst: dst, stride: b.rowSize, valid: v.Validity(), sel: sel, rows: rows}
	switch v := v.(type) {
	case *vector.Vec[int8]:
		put32(b.pool, s, v)
	case *vector.Vec[int16]:
		put32(b.pool, s, v)
	case *vector.Vec[int32]:
		put32(b.pool, s, v)
	case *vector.Vec[float32]:
		put32(b.pool, s, vector.As[uint32](v))
	case *vector.Vec[int64]:
		if c.typ == BigDecimal || c.typ == Unknown {
			return false
		}
		put64(b.pool, s, v)
	case *vector.Vec[float64]:
		put64(b.pool, s, vector.As[uint64](v))
	case *vector.Bools:
		s.bools(v.Bits)
	case *vector.Timestamps:
		s.millis(b.pool, &v.Micros)
	default:
		return false
	}
	return c.typ != Unknown
}

// strided is the slots of one column and the rows of a batch that go there.
type strided struct {
	dst    []byte
	stride int
	valid  []uint64
	sel    []int32
	rows   int
}

// row returns the batch's row that goes to slot r, and whether it is present.
func (s *strided) row(r int) (row int, present bool) {
	if s.sel != nil {
		r = int(s.sel[r])
	}
	return r, vector.Valid(s.valid, r)
}

// dense reports whether the rows are those of the batch and all present.
func (s *strided) dense() bool { return s.sel == nil && s.valid == nil }

func put32[T int8 | int16 | int32 | uint32](p *pool.Pool, s strided, v *vector.Vec[T]) {
	var scratch pool.Buf[T]
	values := flat(p, v, &scratch)
	at := 0
	if s.dense() {
		for _, x := range values[:s.rows] {
			binary.BigEndian.PutUint32(s.dst[at:], uint32(x))
			at += s.stride
		}
	} else {
		for r := range s.rows {
			if row, present := s.row(r); present {
				binary.BigEndian.PutUint32(s.dst[at:], uint32(values[row]))
			}
			at += s.stride
		}
	}
	pool.Put(p, &scratch)
}

func put64[T int64 | uint64](p *pool.Pool, s strided, v *vector.Vec[T]) {
	var scratch pool.Buf[T]
	values := flat(p, v, &scratch)
	at := 0
	if s.dense() {
		for _, x := range values[:s.rows] {
			binary.BigEndian.PutUint64(s.dst[at:], uint64(x))
			at += s.stride
		}
	} else {
		for r := range s.rows {
			if row, present := s.row(r); present {
				binary.BigEndian.PutUint64(s.dst[at:], uint64(values[row]))
			}
			at += s.stride
		}
	}
	pool.Put(p, &scratch)
}

func (s *strided) bools(bits []uint64) {
	for r := range s.rows {
		if row, present := s.row(r); present && vector.Bit(bits, row) {
			s.dst[r*s.stride+3] = 1
		}
	}
}

func (s *strided) millis(p *pool.Pool, micros *vector.Vec[int64]) {
	var scratch pool.Buf[int64]
	values := flat(p, micros, &scratch)
	for r := range s.rows {
		if row, present := s.row(r); present {
			binary.BigEndian.PutUint64(s.dst[r*s.stride:], uint64(floorMillis(values[row])))
		}
	}
	pool.Put(p, &scratch)
}

// floorMillis returns the milliseconds that have passed at micros.
func floorMillis(micros int64) int64 {
	millis := micros / 1000
	if micros%1000 < 0 {
		millis--
	}
	return millis
}
