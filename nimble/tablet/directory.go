package tablet

import "github.com/decantdb/decant/internal/flatbuf"

// A Stripe is an entry of the stripe directory, a table of four parallel
// vectors:
//
//	StripeDir { rows:[u32] starts:[u64] lens:[u32] groups:[u32] }
type Stripe struct {
	// FirstRow is the number of rows in the stripes before this one.
	FirstRow uint64
	// Pos is where the stripe begins in the file.
	Pos  uint64
	Rows uint32
	// Len is the length in bytes as the writer noted it; nothing depends on it.
	Len uint32
	// Group is the stripe group that knows the stripe's streams. Groups number
	// the stripes in ascending order without gaps.
	Group uint32
}

// ParseDirectory parses a decompressed stripe directory.
func ParseDirectory(raw []byte) ([]Stripe, error) {
	r := flatbuf.NewReader(raw)
	root := r.Root()
	rows := flatbuf.Vector[uint32](root, 0)
	starts := flatbuf.Vector[uint64](root, 1)
	lens := flatbuf.Vector[uint32](root, 2)
	groups := flatbuf.Vector[uint32](root, 3)
	if r.Err() != nil {
		return nil, corrupt(r.Err())
	}
	n := rows.Len()
	if n == 0 || starts.Len() != n || lens.Len() != n || groups.Len() != n {
		return nil, corruptf("%d row counts, %d positions, %d lengths, %d groups", n, starts.Len(), lens.Len(), groups.Len())
	}
	stripes := make([]Stripe, n)
	var firstRow uint64
	group := uint32(0)
	for i := range stripes {
		s := Stripe{FirstRow: firstRow, Pos: starts.At(i), Rows: rows.At(i), Len: lens.At(i), Group: groups.At(i)}
		if s.Group != group && (i == 0 || s.Group != group+1) {
			return nil, corruptf("stripe %d is in group %d, after group %d", i, s.Group, group)
		}
		group = s.Group
		firstRow += uint64(s.Rows)
		stripes[i] = s
	}
	return stripes, nil
}

// AppendDirectory appends the raw bytes of the directory of stripes to dst.
func AppendDirectory(dst []byte, stripes []Stripe) []byte {
	n := len(stripes)
	rows := make([]uint32, n)
	starts := make([]uint64, n)
	lens := make([]uint32, n)
	groups := make([]uint32, n)
	for i, s := range stripes {
		rows[i], starts[i], lens[i], groups[i] = s.Rows, s.Pos, s.Len, s.Group
	}
	var b flatbuf.Builder
	root := b.Table(
		flatbuf.Ref(flatbuf.PutVector(&b, rows)),
		flatbuf.Ref(flatbuf.PutVector(&b, starts)),
		flatbuf.Ref(flatbuf.PutVector(&b, lens)),
		flatbuf.Ref(flatbuf.PutVector(&b, groups)))
	return append(dst, b.Finish(root, "")...)
}
