package encoding

import (
	"encoding/binary"
	"math"

	"github.com/decantdb/decant/vector"
)

// cutViews sets dst to views of consecutive strings of buffer, whose number is
// id, from byte at on. They lie within it.
func cutViews(dst []vector.View, lengths []uint32, buffer []byte, at int, id uint32) {
	dst = dst[:len(lengths)]
	done, at := cutRoomy(dst, lengths, buffer, at, uint64(id))
	for i, n := range lengths[done:] {
		dst[done+i] = vector.MakeView(buffer[at:at+int(n)], id, uint32(at))
		at += int(n)
	}
}

// viewMasks are, by the number of bytes of a string, which of the parts that a
// view may have it has: text behind the length, text in the second word, or a
// reference there. The last entry is for all strings that are not held inline.
var viewMasks = makeViewMasks()

type viewMask struct{ head, tail, reference uint64 }

func makeViewMasks() (masks [16]viewMask) {
	for n := range masks {
		if n > vector.InlineBytes {
			masks[n] = viewMask{head: math.MaxUint32 << 32, reference: math.MaxUint64}
			continue
		}
		masks[n].head = (1<<(8*min(n, 4)) - 1) << 32
		masks[n].tail = 1<<(8*(max(n, 4)-4)) - 1
	}
	return masks
}

// setView sets v to the view of the n bytes at the front of text, without
// a branch; reference says where they are. It stores the words one by one:
// a view that is put together elsewhere and copied whole has to wait for its parts.
func setView(v *vector.View, text *[16]byte, n uint32, reference uint64) {
	// The smaller of n and 15, which compiles to a branch where it says min.
	mask := &viewMasks[(uint64(n)|uint64((15-int64(n))>>63))&15]
	v[0] = uint64(n) | binary.LittleEndian.Uint64(text[:])<<32&mask.head
	v[1] = binary.LittleEndian.Uint64(text[4:])&mask.tail | reference&mask.reference
}

// cutRoomy is cutViews as long as there are 16 bytes to load, and returns the
// number of strings and where the next starts.
func cutRoomy(dst []vector.View, lengths []uint32, buffer []byte, at int, id uint64) (done, end int) {
	dst = dst[:len(lengths)]
	for i, n := range lengths {
		if len(buffer)-at < 16 {
			return i, at
		}
		setView(&dst[i], (*[16]byte)(buffer[at:]), n, id|uint64(at)<<32)
		at += int(n)
	}
	return len(lengths), at
}
