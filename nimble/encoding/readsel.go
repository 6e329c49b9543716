package encoding

// pointRows is how many rows there are to a selected one from which on single
// rows are decoded and not blocks.
const pointRows = 16

// ReadSel moves past the next n rows and reads those of them that sel lists,
// in ascending order and relative to the first, into dst, which has as many
// entries. Null rows are zero. It fails if sel lists a row that is not among
// the n.
func ReadSel[T Physical](d Decoder[T], dst []T, n int, sel []int32) error {
	dst = dst[:len(sel)]
	for i, row := range sel {
		if int(row) < 0 || int(row) >= n || i > 0 && row <= sel[i-1] {
			return ErrPastEnd
		}
	}
	return readSel(d, dst, 0, n, sel)
}

// readSel moves past the next n rows, which sel numbers from `from` on, and
// reads those that it lists into dst, which has as many entries.
func readSel[T Physical](d Decoder[T], dst []T, from, n int, sel []int32) error {
	switch len(sel) {
	case 0:
		return d.Skip(n)
	case n:
		return d.Read(dst)
	}
	if err := d.header().need(n); err != nil {
		return err
	}
	return d.readSel(dst, from, n, sel)
}

// selectRows is readSel for decoders that read blocks, and skip those without
// a selected row.
func selectRows[T Physical](d Decoder[T], dst []T, from, n int, sel []int32) error {
	b := d.header()
	defer b.session.release(b.session.mark())
	block := carve[T](b.session)
	at, end := from, from+n
	for len(sel) > 0 {
		if first := int(sel[0]); first > at {
			if err := d.Skip(first - at); err != nil {
				return err
			}
			at = first
		}
		// The selected rows of this block, and the rows up to the last of them.
		count, rows := 0, 0
		for count < len(sel) && int(sel[count]) < at+blockRows {
			rows = int(sel[count]) - at + 1
			count++
		}
		if err := d.Read(block[:rows]); err != nil {
			return err
		}
		for i, row := range sel[:count] {
			dst[i] = block[int(row)-at]
		}
		at += rows
		dst, sel = dst[count:], sel[count:]
	}
	return d.Skip(end - at)
}
