package encoding

import (
	"slices"

	"github.com/decantdb/decant/pool"
)

// exceptions are rows whose values an array holds apart.
type exceptions[T Integer] struct {
	positions pool.Buf[uint32]
	values    pool.Buf[T]
}

// open reads the arrays of positions, which ascend, and of as many values.
func (e *exceptions[T]) open(b *base, positions, values []byte) error {
	s := b.session
	p, err := openPart[uint32](s, "exception positions", positions, anyRows)
	if err != nil {
		return err
	}
	defer p.Close()
	count := p.Rows()
	if count > b.prefix.Rows {
		return corrupt("%d exceptions exceed %d rows", count, b.prefix.Rows)
	}
	v, err := openPart[T](s, "exception values", values, count)
	if err != nil {
		return err
	}
	defer v.Close()
	if e.positions, err = hold[uint32](s, count); err != nil {
		return err
	}
	if e.values, err = hold[T](s, count); err != nil {
		return err
	}
	if err := p.Read(e.positions.S); err != nil {
		return within("exception positions", err)
	}
	if err := v.Read(e.values.S); err != nil {
		return within("exception values", err)
	}
	last := -1
	for _, p := range e.positions.S {
		if int(p) <= last || int(p) >= b.prefix.Rows {
			return corrupt("exception at row %d, behind %d and among %d rows", p, last, b.prefix.Rows)
		}
		last = int(p)
	}
	return nil
}

// between returns the exceptions of rows [begin, end).
func (e *exceptions[T]) between(begin, end int) ([]uint32, []T) {
	i, _ := slices.BinarySearch(e.positions.S, uint32(begin))
	j, _ := slices.BinarySearch(e.positions.S[i:], uint32(end))
	return e.positions.S[i : i+j], e.values.S[i : i+j]
}

func (e *exceptions[T]) close(s *Session) {
	pool.Put(s.pool, &e.positions)
	pool.Put(s.pool, &e.values)
}
