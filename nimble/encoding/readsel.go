package encoding

// selReader is implemented by nodes that can reach single rows.
type selReader[T Physical] interface {
	// readSel moves past the next n rows, which sel numbers from `from` on, and
	// reads those that it lists.
	readSel(dst []T, from, n int, sel []int32) error
}

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
	return readSel(d.(node[T]), dst, 0, n, sel)
}

// readSel is selReader for any node. dst has as many entries as sel.
func readSel[T Physical](d node[T], dst []T, from, n int, sel []int32) error {
	switch len(sel) {
	case 0:
		return d.Skip(n)
	case n:
		return d.Read(dst)
	}
	if r, ok := d.(selReader[T]); ok {
		if err := d.header().need(n); err != nil {
			return err
		}
		return r.readSel(dst, from, n, sel)
	}
	return selectRows(d, dst, from, n, sel)
}

// selectRows is readSel by reading blocks, and skipping those without a
// selected row.
func selectRows[T Physical](d node[T], dst []T, from, n int, sel []int32) error {
	b := d.header()
	if err := b.need(n); err != nil {
		return err
	}
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
