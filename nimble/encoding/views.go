package encoding

import (
	"encoding/binary"

	"github.com/decantdb/decant/vector"
)

// cutViews sets dst to views of consecutive strings of buffer, whose number is
// id, from byte at on. They lie within it.
func cutViews(dst []vector.View, lengths []uint32, buffer []byte, at int, id uint32) {
	dst = dst[:len(lengths)]
	for i, n := range lengths {
		end := at + int(n)
		if rest := buffer[at:]; len(rest) >= 16 {
			dst[i] = viewOf((*[16]byte)(rest), n, id, uint32(at))
		} else {
			dst[i] = vector.MakeView(buffer[at:end], id, uint32(at))
		}
		at = end
	}
}

// viewOf is vector.MakeView for a string of n bytes with 16 readable bytes,
// whose inline form is cut out of two loads.
func viewOf(text *[16]byte, n, id, offset uint32) vector.View {
	first := uint64(n) | uint64(binary.LittleEndian.Uint32(text[:]))<<32
	if n > vector.InlineBytes {
		return vector.View{first, uint64(id) | uint64(offset)<<32}
	}
	// Bytes behind the string are zero: of the first word those from 4+n on, of
	// the second those from n-4 on.
	low, high := min(n, 4)*8, max(n, 4)*8-32
	return vector.View{
		first & (1<<(32+low) - 1),
		binary.LittleEndian.Uint64(text[4:]) & (1<<high - 1),
	}
}
