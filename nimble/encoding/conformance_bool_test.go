package encoding

import (
	"fmt"
	"math/rand/v2"
	"unsafe"

	"github.com/decantdb/decant/vector"
)

// boolCheck is valueCheck for bools.
type boolCheck struct {
	c *goldenCase
	d BoolDecoder
}

func conformBool(s *Session, c *goldenCase) error {
	d, err := OpenBool(s, c.data, c.options())
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Rows() != c.RowCount {
		return fmt.Errorf("%d rows, not %d", d.Rows(), c.RowCount)
	}
	v := boolCheck{c: c, d: d}
	for _, batch := range batches {
		if batch == 0 {
			batch = max(c.RowCount, 1)
		}
		for name, read := range map[string]func(at, n int) error{"ReadBits": v.readBits, "ReadBoolNulls": v.readNulls, "readFlags": v.readFlags} {
			if name == "readFlags" {
				batch = min(batch, blockRows)
			}
			if err := inBatches(d, c.RowCount, batch, read); err != nil {
				return fmt.Errorf("%s of %d: %w", name, batch, err)
			}
			d.Rewind()
		}
	}
	return v.mixed()
}

func (v *boolCheck) want(row int) bool { return v.c.values[row] != 0 }

func (v *boolCheck) compare(at int, got []uint64, begin, n int) error {
	for i := range n {
		if vector.Bit(got, begin+i) != v.want(at+i) {
			return fmt.Errorf("row %d: not %v", at+i, v.want(at+i))
		}
	}
	for i := range len(got) * 64 {
		if (i < begin || i >= begin+n) && vector.Bit(got, i) != (i&1 == 0) {
			return fmt.Errorf("bit %d of the output, outside of [%d, %d), changed", i, begin, begin+n)
		}
	}
	return nil
}

func pattern(n int) []uint64 {
	words := make([]uint64, vector.Words(n))
	for i := range words {
		words[i] = 0x5555555555555555
	}
	return words
}

func (v *boolCheck) readBits(at, n int) error {
	begin := at % 67
	got := pattern(begin + n + 1)
	if err := v.d.ReadBits(got, begin, n); err != nil {
		return err
	}
	return v.compare(at, got, begin, n)
}

func (v *boolCheck) readNulls(at, n int) error {
	const begin = 3
	got, valid := pattern(begin+n+1), pattern(begin+n+1)
	present, err := ReadBoolNulls(v.d, got, valid, begin, n)
	if err != nil {
		return err
	}
	want := 0
	for i := range n {
		null := v.c.null(at + i)
		if !null {
			want++
		}
		if present < n && vector.Bit(valid, begin+i) == null {
			return fmt.Errorf("row %d: wrong presence", at+i)
		}
	}
	if present != want {
		return fmt.Errorf("%d present rows, not %d", present, want)
	}
	return v.compare(at, got, begin, n)
}

// readFlags reads as a parent does.
func (v *boolCheck) readFlags(at, n int) error {
	f, err := v.d.readFlags(make([]uint64, blockRows/64), make([]uint32, blockRows), n)
	if err != nil {
		return err
	}
	words := pattern(n + 1)
	if f.listed {
		fillBits(words, 0, n, !f.flag)
		for _, p := range f.positions {
			fillBits(words, int(p), 1, f.flag)
		}
	} else {
		vector.CopyBits(words, 0, f.words, 0, n)
	}
	if f.rows != n || f.set() != vector.CountBits(words, 0, n) {
		return fmt.Errorf("%d rows with %d set, not %d with %d", f.rows, f.set(), n, vector.CountBits(words, 0, n))
	}
	return v.compare(at, words, 0, n)
}

func (v *boolCheck) skipCount(at, n int) error {
	got, err := v.d.skipCount(n)
	if err != nil {
		return err
	}
	want := 0
	for i := range n {
		if v.want(at + i) {
			want++
		}
	}
	if got != want {
		return fmt.Errorf("skipped %d true rows, not %d", got, want)
	}
	return nil
}

func (v *boolCheck) mixed() error {
	rng := rand.New(rand.NewPCG(uint64(v.c.RowCount), 4))
	ways := []func(at, n int) error{
		v.readBits, v.readNulls, v.skipCount,
		func(at, n int) error {
			if n > blockRows {
				return v.readBits(at, n)
			}
			return v.readFlags(at, n)
		},
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
	return pastEnd(v.d, v.readBits)
}

func bytesOf(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*8)
}

func copyRaw[T Integer](dst []T, src []byte) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), len(dst)*sizeOf[T]()), src)
}
