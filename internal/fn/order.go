package fn

import "bytes"

// CompareText orders texts as Java does, by UTF-16 units: it differs from the
// order of bytes where one text has a character beyond U+FFFF and the other one
// from U+E000 on.
func CompareText(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n == len(a) || n == len(b) || a[n] < 0xee || b[n] < 0xee || (a[n] < 0xf0) == (b[n] < 0xf0) {
		return bytes.Compare(a, b)
	}
	if a[n] >= 0xf0 {
		return -1
	}
	return 1
}
