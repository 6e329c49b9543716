package kernel

// Restate undoes delta coding where some entries are given as they are: entry i
// of dst is the next of restatements where bit i of restated is set, and the
// entry before, or last for the first, plus the next of deltas where it is
// clear. It returns the last entry. Both sources have at least as many entries
// as are taken from them, and one more.
func Restate[T Integer](dst, deltas, restatements []T, restated []uint64, last T) T {
	var j, k int
	for i := range dst {
		// Both candidates are loaded and one is chosen without a branch.
		bit := restated[i>>6] >> (i & 63) & 1
		keep := T(bit) - 1
		last = (last+deltas[k])&keep | restatements[j]&^keep
		dst[i] = last
		j += int(bit)
		k += int(1 - bit)
	}
	return last
}
