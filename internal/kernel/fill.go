package kernel

import "unsafe"

// fillDoubling is the number of entries from which on doubling what is there
// is faster than storing one by one.
const fillDoubling = 128

// Fill sets each entry of dst to x, a value without pointers.
func Fill[T any](dst []T, x T) {
	if !fillVector(dst, x) {
		fillScalar(dst, x)
	}
}

func fillScalar[T any](dst []T, x T) {
	head := min(len(dst), fillDoubling)
	fillShort(dst[:head], x)
	// The source stays in the first cache.
	const most = 1024
	for done := head; done > 0 && done < len(dst); {
		done += copy(dst[done:], dst[:min(done, most)])
	}
}

// fillShort stores eight bytes at a time, the last eight over those before if
// the number of bytes is odd.
func fillShort[T any](dst []T, x T) {
	size := int(unsafe.Sizeof(x))
	bytes := len(dst) * size
	if size > 8 || bytes < 8 {
		for i := range dst {
			dst[i] = x
		}
		return
	}
	word := broadcast(x)
	at := unsafe.Pointer(unsafe.SliceData(dst))
	for i := 0; i+8 <= bytes; i += 8 {
		*(*uint64)(unsafe.Add(at, i)) = word
	}
	*(*uint64)(unsafe.Add(at, bytes-8)) = word
}

// broadcast repeats x, which is up to eight bytes long, to eight bytes.
func broadcast[T any](x T) uint64 {
	switch unsafe.Sizeof(x) {
	case 1:
		return uint64(*(*uint8)(unsafe.Pointer(&x))) * 0x0101010101010101
	case 2:
		return uint64(*(*uint16)(unsafe.Pointer(&x))) * 0x0001000100010001
	case 4:
		return uint64(*(*uint32)(unsafe.Pointer(&x))) * 0x0000000100000001
	default:
		return *(*uint64)(unsafe.Pointer(&x))
	}
}

// Runs writes value i of values lengths[i] times, for whole runs as long as
// they fit in dst, and returns the numbers of runs and of entries written.
// values has as many entries as lengths. Entries behind those written may
// change.
func Runs[T any](dst, values []T, lengths []uint32) (runs, rows int) {
	values = values[:len(lengths)]
	runs, rows = runsVector(dst, values, lengths, true)
	for i, n := range lengths[runs:] {
		if int(n) > len(dst)-rows {
			return runs + i, rows
		}
		// What fillRun does, without a call for short runs.
		if len(dst)-rows < 4 {
			Fill(dst[rows:rows+int(n)], values[runs+i])
		} else {
			d, x := (*[4]T)(dst[rows:]), values[runs+i]
			d[0], d[1], d[2], d[3] = x, x, x, x
			if n > 4 {
				fillLong(dst[rows:rows+int(n)], x)
			}
		}
		rows += int(n)
	}
	return len(lengths), rows
}

// FillEnds fills dst with runs: entries up to ends[0] become values[0], from
// there up to ends[1] values[1], and so on. The ends ascend and lie within dst;
// values has as many entries. Entries behind the last end may change.
func FillEnds[T any](dst, values []T, ends []uint32) {
	runs, at := runsVector(dst, values, ends, false)
	values, ends, dst = values[runs:len(ends)], ends[runs:], dst[at:]
	for i, end := range ends {
		fillRun(dst, int(end)-at, values[i])
		dst = dst[int(end)-at:]
		at = int(end)
	}
}

// fillRun sets the first n entries of dst to x, and perhaps more.
func fillRun[T any](dst []T, n int, x T) {
	if len(dst) < 4 {
		Fill(dst[:n], x)
		return
	}
	d := (*[4]T)(dst)
	d[0], d[1], d[2], d[3] = x, x, x, x
	if n > 4 {
		fillLong(dst[:n], x)
	}
}

// fillLong is Fill for at least four entries, the last of which overlap with
// those before.
func fillLong[T any](dst []T, x T) {
	if len(dst) > fillDoubling {
		Fill(dst, x)
		return
	}
	last := dst[len(dst)-4:]
	for len(dst) >= 8 {
		d := (*[8]T)(dst)
		d[0], d[1], d[2], d[3] = x, x, x, x
		d[4], d[5], d[6], d[7] = x, x, x, x
		dst = dst[8:]
	}
	if len(dst) >= 4 {
		d := (*[4]T)(dst)
		d[0], d[1], d[2], d[3] = x, x, x, x
	}
	d := (*[4]T)(last)
	d[0], d[1], d[2], d[3] = x, x, x, x
}
