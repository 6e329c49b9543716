package encoding

import "encoding/binary"

const (
	fsstVersion = 20190218
	fsstEscape  = 255
	fsstLongest = 8
	// fsstMaxTable is the size of the largest table.
	fsstMaxTable = 8 + 1 + 8 + fsstEscape*fsstLongest
)

// fsstTable is the symbols of an FSST string encoding, in the form in which the
// FSST library exports them:
//
//	u64 version: high half 20190218
//	u8 zero-terminated: 0
//	8 × u8 number of symbols of length 1 to 8
//	bytes of the symbols, those of length 2 first, up to 8, then of length 1
//
// A symbol's code is its number in this order. Code 255 escapes one byte.
type fsstTable struct {
	symbols [256]fsstText
	count   int
}

// fsstText is what a code stands for. Codes that stand for nothing, and the
// escape, have no bytes.
type fsstText struct{ bytes, length uint64 }

func (t *fsstTable) open(data []byte) error {
	in := input{data: data}
	version := in.bytes(8, "symbol table version")
	zeroTerminated := in.u8("zero-terminated")
	histogram := in.bytes(fsstLongest, "numbers of symbols")
	if in.err != nil {
		return in.err
	}
	if v := binary.LittleEndian.Uint64(version) >> 32; v != fsstVersion {
		return unsupported("symbol table of version %d", v)
	}
	if zeroTerminated != 0 {
		return unsupported("symbol table for zero-terminated strings")
	}
	t.symbols, t.count = [256]fsstText{}, 0
	for i := range fsstLongest {
		length := (i+1)%fsstLongest + 1 // 2 to 8, then 1
		for range histogram[length-1] {
			if t.count == fsstEscape {
				return corrupt("more than %d symbols", fsstEscape)
			}
			var symbol uint64
			for j, b := range in.bytes(length, "symbol") {
				symbol |= uint64(b) << (8 * j)
			}
			t.symbols[t.count] = fsstText{symbol, uint64(length)}
			t.count++
		}
	}
	return in.end()
}

// decode writes the string that codes stand for to dst, which has fsstLongest
// bytes for each code and so many more, and returns its size, or -1 if a code
// is unknown or an escape has no byte.
func (t *fsstTable) decode(dst, codes []byte) int {
	at := 0
	for i := 0; i < len(codes); i++ {
		code := codes[i]
		if s := &t.symbols[code]; s.length > 0 {
			binary.LittleEndian.PutUint64(dst[at:], s.bytes)
			at += int(s.length)
			continue
		}
		i++
		if code != fsstEscape || i == len(codes) {
			return -1
		}
		dst[at] = codes[i]
		at++
	}
	return at
}
