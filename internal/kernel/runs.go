package kernel

// Runs writes value i of values lengths[i] times, for whole runs as long as
// they fit in dst, and returns the numbers of runs and of entries written.
// values has as many entries as lengths.
func Runs[T any](dst, values []T, lengths []uint32) (runs, rows int) {
	values = values[:len(lengths)]
	for i, n := range lengths {
		rest := dst[rows:]
		if int(n) > len(rest) {
			return i, rows
		}
		v := values[i]
		if n <= 8 && len(rest) >= 8 {
			// What is too much is overwritten by the runs after it, or was
			// going to be: the caller reads dst no further than written.
			d := (*[8]T)(rest)
			d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7] = v, v, v, v, v, v, v, v
		} else {
			Fill(rest[:n], v)
		}
		rows += int(n)
	}
	return len(lengths), rows
}

// FillEnds fills dst with runs: entries up to ends[0] become values[0], from
// there up to ends[1] values[1], and so on. The ends ascend and lie within dst;
// values has as many entries.
func FillEnds[T any](dst, values []T, ends []uint32) {
	values = values[:len(ends)]
	at := 0
	for i, end := range ends {
		v := values[i]
		if rest := dst[at:]; int(end)-at <= 8 && len(rest) >= 8 {
			d := (*[8]T)(rest)
			d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7] = v, v, v, v, v, v, v, v
		} else {
			Fill(dst[at:end], v)
		}
		at = int(end)
	}
}
