package fn

import "unicode"

// fold maps the letters that differ in case only to one of them.
func fold(r rune) rune {
	if r < unicode.MaxASCII {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}
	// The smallest rune of the orbit stands for all.
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A'
	}
	return least
}
