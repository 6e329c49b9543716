package encoding

import "github.com/decantdb/decant/vector"

// flags are bools as encodings hand them to each other: bits, or where they
// are rare the rows of one kind.
type flags struct {
	rows int
	// words holds a bit for each row, unless listed.
	words []uint64
	// listed says that rows are one flag except at positions, which ascend.
	listed    bool
	flag      bool // at positions
	positions []uint32
}

// set returns the number of rows that are true.
func (f *flags) set() int {
	switch {
	case !f.listed:
		return vector.CountBits(f.words, 0, f.rows)
	case f.flag:
		return len(f.positions)
	default:
		return f.rows - len(f.positions)
	}
}

// readDense is readFlags for decoders whose rows are bits.
func readDense(d BoolDecoder, words []uint64, n int) (flags, error) {
	if err := d.ReadBits(words, 0, n); err != nil {
		return flags{}, err
	}
	return flags{rows: n, words: words}, nil
}
