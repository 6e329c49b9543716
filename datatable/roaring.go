package datatable

import (
	"encoding/binary"
	"math/bits"

	"github.com/decantdb/decant/vector"
)

// Null bitmaps are Roaring bitmaps in the portable form, little-endian:
//
//	without runs  u32 12346, u32 containers
//	with runs     u32 12347 | (containers-1) << 16, 1 bit a container: is of runs
//	both          containers × (u16 high half of the values, u16 values - 1)
//	              containers × u32 offset, unless with runs and fewer than 4
//	              containers: ≤ 4096 values: u16 each
//	                          more:          8192 bytes, 1 bit a value
//	                          runs:          u16 runs, runs × (u16 first, u16 more)
//
// Containers ascend by their high half, values within them as well.
const (
	roaringCookie     = 12346
	roaringRunCookie  = 12347
	roaringMinOffsets = 4 // containers from which on the form with runs has offsets
	arrayMax          = 4096
	containerBits     = 1 << 16
	containerWords    = containerBits / 64
	bitmapBytes       = containerBits / 8
)

func containers(dense []uint64) int { return (len(dense) + containerWords - 1) / containerWords }

// container returns the words of container c of a dense bitmap.
func container(dense []uint64, c int) []uint64 {
	return dense[c*containerWords : min((c+1)*containerWords, len(dense))]
}

func countWords(words []uint64) int {
	n := 0
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

func containerBytes(count int) int {
	if count > arrayMax {
		return bitmapBytes
	}
	return 2 * count
}

// roaringBytes returns the length of what appendRoaring appends.
func roaringBytes(dense []uint64) int {
	size := 8
	for c := range containers(dense) {
		if n := countWords(container(dense, c)); n > 0 {
			size += 8 + containerBytes(n)
		}
	}
	return size
}

// appendRoaring appends the portable form of a dense bitmap to dst. It never
// writes runs, as the reference does not.
func appendRoaring(dst []byte, dense []uint64) []byte {
	begin := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, roaringCookie)
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	used := 0
	for c := range containers(dense) {
		if n := countWords(container(dense, c)); n > 0 {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(c))
			dst = binary.LittleEndian.AppendUint16(dst, uint16(n-1))
			used++
		}
	}
	binary.LittleEndian.PutUint32(dst[begin+4:], uint32(used))
	offset := len(dst) - begin + 4*used
	for c := range used {
		n := int(binary.LittleEndian.Uint16(dst[begin+8+4*c+2:])) + 1
		dst = binary.LittleEndian.AppendUint32(dst, uint32(offset))
		offset += containerBytes(n)
	}
	for c := range used {
		header := dst[begin+8+4*c:]
		words := container(dense, int(binary.LittleEndian.Uint16(header)))
		if n := int(binary.LittleEndian.Uint16(header[2:])) + 1; n > arrayMax {
			for i := range containerWords {
				w := uint64(0)
				if i < len(words) {
					w = words[i]
				}
				dst = binary.LittleEndian.AppendUint64(dst, w)
			}
			continue
		}
		for i, w := range words {
			for ; w != 0; w &= w - 1 {
				dst = binary.LittleEndian.AppendUint16(dst, uint16(i*64+bits.TrailingZeros64(w)))
			}
		}
	}
	return dst
}

// roaringReader reads one blob. bad names the first thing that is wrong.
type roaringReader struct {
	blob []byte
	at   int
	bad  string
}

func (r *roaringReader) take(n int) []byte {
	if r.bad != "" || n > len(r.blob)-r.at {
		r.fail("a bitmap that ends early")
		return nil
	}
	r.at += n
	return r.blob[r.at-n : r.at]
}

func (r *roaringReader) fail(what string) {
	if r.bad == "" {
		r.bad = what
	}
}

// readRoaring clears the bits of the blob's values, all of which must be below
// rows, in valid. It returns the place and the reason if the blob is damaged.
func readRoaring(blob []byte, valid []uint64, rows int) (at int, bad string) {
	r := &roaringReader{blob: blob}
	head := r.take(4)
	if head == nil {
		return r.at, r.bad
	}
	cookie := binary.LittleEndian.Uint32(head)
	var count int
	var runs []byte
	switch {
	case cookie == roaringCookie:
		if head = r.take(4); head == nil {
			return r.at, r.bad
		}
		// More do not fit, so a larger number ends at the next take.
		count = int(min(binary.LittleEndian.Uint32(head), containerBits+1))
	case cookie&0xffff == roaringRunCookie:
		count = int(cookie>>16) + 1
		runs = r.take((count + 7) / 8)
	default:
		return 0, "a bitmap of an unknown form"
	}
	headers := r.take(4 * count)
	if runs == nil || count >= roaringMinOffsets {
		r.take(4 * count) // containers follow each other, so offsets say nothing new
	}
	last := -1
	for c := 0; c < count && r.bad == ""; c++ {
		key := int(binary.LittleEndian.Uint16(headers[4*c:]))
		if key <= last {
			r.fail("containers that do not ascend")
			break
		}
		last = key
		n := int(binary.LittleEndian.Uint16(headers[4*c+2:])) + 1
		rowsLeft := rows - key*containerBits
		if rowsLeft <= 0 {
			r.fail("a null row beyond the last")
			break
		}
		words := valid[key*containerWords:]
		switch {
		case runs != nil && runs[c/8]>>(c%8)&1 != 0:
			r.runs(words, rowsLeft)
		case n > arrayMax:
			r.bitmap(words, rowsLeft)
		default:
			r.array(words, rowsLeft, n)
		}
	}
	return r.at, r.bad
}

func (r *roaringReader) array(valid []uint64, rows, n int) {
	values := r.take(2 * n)
	for ; len(values) > 0; values = values[2:] {
		row := int(binary.LittleEndian.Uint16(values))
		if row >= rows {
			r.fail("a null row beyond the last")
			return
		}
		vector.ClearBit(valid, row)
	}
}

func (r *roaringReader) bitmap(valid []uint64, rows int) {
	words := r.take(bitmapBytes)
	for i := 0; len(words) > 0; i++ {
		w := binary.LittleEndian.Uint64(words)
		words = words[8:]
		if w == 0 {
			continue
		}
		if i*64+bits.Len64(w) > rows {
			r.fail("a null row beyond the last")
			return
		}
		valid[i] &^= w
	}
}

func (r *roaringReader) runs(valid []uint64, rows int) {
	head := r.take(2)
	if head == nil {
		return
	}
	pairs := r.take(4 * int(binary.LittleEndian.Uint16(head)))
	for end := 0; len(pairs) > 0; pairs = pairs[4:] {
		first := int(binary.LittleEndian.Uint16(pairs))
		if first < end {
			r.fail("runs that do not ascend")
			return
		}
		end = first + int(binary.LittleEndian.Uint16(pairs[2:])) + 1
		if end > min(rows, containerBits) {
			r.fail("a null row beyond the last")
			return
		}
		vector.ClearBits(valid, first, end)
	}
}
