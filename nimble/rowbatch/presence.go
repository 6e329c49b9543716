package rowbatch

import (
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// blockRows is the number of rows that are worked on at a time where scratch
// memory is needed.
const blockRows = 512

const blockWords = blockRows / 64

// presence is a stream that says which rows are present, of rows and flat maps.
// If it is absent all are.
type presence struct{ *boolStream }

// into reads which of n rows are present, where streams have those of m, into
// bits [begin, begin+n) of valid, which is left alone if all are. It returns
// which rows are in the streams below.
func (p presence) into(valid []uint64, begin, n int, m mask) (below mask, err error) {
	if !p.boolStream.present() || m.count(n) == 0 {
		if m.all() || n == 0 {
			return mask{}, nil
		}
		vector.CopyBits(valid, begin, m.bits, m.begin, n)
		return mask{bits: valid, begin: begin, set: m.set}, nil
	}
	if err := p.flags(valid, begin, m.count(n)); err != nil {
		return mask{}, err
	}
	if !m.all() {
		m.spreadBits(valid, begin, n)
	}
	set := vector.CountBits(valid, begin, begin+n)
	if set == n {
		return mask{}, nil
	}
	return mask{bits: valid, begin: begin, set: set}, nil
}

// eachBlock reads n rows of flags in blocks and calls fn with the rows of each
// and how many of them are set. If the stream is absent all are, in one block.
func (p presence) eachBlock(n int, fn func(rows, set int) error) error {
	if err := p.ready(n); err != nil {
		return err
	}
	if !p.boolStream.present() {
		return fn(n, n)
	}
	words := pool.Get[uint64](p.session.Pool(), blockWords)
	defer pool.Put(p.session.Pool(), &words)
	for n > 0 {
		rows := min(n, blockRows)
		if err := p.flags(words.S, 0, rows); err != nil {
			return err
		}
		if err := fn(rows, vector.CountBits(words.S, 0, rows)); err != nil {
			return err
		}
		n -= rows
	}
	return nil
}
