package encoding

// rleBool is runs of bools, which alternate:
//
//	u32 size | run lengths: array of u32 | u8 value of the first run
type rleBool struct {
	base
	runs  runs
	first bool
}

func (d *rleBool) open(body []byte) error {
	in := input{data: body}
	lengths := in.sized("run lengths")
	d.first = in.u8("first value") != 0
	if in.err != nil {
		return in.err
	}
	return d.runs.open(&d.base, lengths)
}

// each calls fn with the place, among the next n rows, of each run that is
// true, and moves past them.
func (d *rleBool) each(n int, fn func(at, rows int)) error {
	if err := d.need(n); err != nil {
		return err
	}
	r := &d.runs
	for at := 0; at < n; {
		if r.empty() {
			if err := r.load(&d.base); err != nil {
				return err
			}
		}
		take := min(n-at, r.left)
		run := r.taken - len(r.loaded) + r.next
		if d.first == (run&1 == 0) {
			fn(at, take)
		}
		r.step(take)
		at += take
		d.pos += take
	}
	return nil
}

func (d *rleBool) Skip(n int) error { return d.each(n, func(int, int) {}) }

func (d *rleBool) skipCount(n int) (int, error) {
	count := 0
	err := d.each(n, func(_, rows int) { count += rows })
	return count, err
}

func (d *rleBool) ReadBits(dst []uint64, begin, n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	fillBits(dst, begin, n, false)
	return d.each(n, func(at, rows int) { fillBits(dst, begin+at, rows, true) })
}

func (d *rleBool) readFlags(words []uint64, _ []uint32, n int) (flags, error) {
	return readDense(d, words, n)
}

func (d *rleBool) Rewind() {
	d.runs.rewind()
	d.pos = 0
}

func (d *rleBool) Close() {
	if d.stop() {
		d.runs.close(d.session)
		recycleBools(d)
	}
}
