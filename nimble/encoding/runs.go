package encoding

import "github.com/decantdb/decant/pool"

// runPage is the number of runs that are taken from the children at a time.
const runPage = 256

// runs is the lengths of the runs of an array, taken in pages.
type runs struct {
	lengths Decoder[uint32]
	page    pool.Buf[uint32]
	loaded  []uint32 // the page's runs
	taken   int      // runs of this page and of those before
	covered int      // rows of these
	next    int      // run of the page at which reading is
	left    int      // rows of it that are not yet read
}

func (r *runs) open(b *base, lengths []byte) (err error) {
	if r.lengths, err = openPart[uint32](b.session, "run lengths", lengths, anyRows); err != nil {
		return err
	}
	count := r.lengths.Rows()
	if count > b.prefix.Rows {
		return corrupt("%d runs exceed %d rows", count, b.prefix.Rows)
	}
	r.page, err = hold[uint32](b.session, min(count, runPage))
	r.rewind()
	return err
}

func (r *runs) rewind() {
	r.loaded, r.taken, r.covered, r.next, r.left = nil, 0, 0, 0, 0
	if r.lengths != nil {
		r.lengths.Rewind()
	}
}

func (r *runs) close(s *Session) {
	shut(&r.lengths)
	pool.Put(s.pool, &r.page)
	r.loaded = nil
}

// load takes the next page, for rows behind those covered so far. Its runs lie
// within the array's rows, and the last page's end where these do.
func (r *runs) load(b *base) error {
	count := min(r.lengths.Rows()-r.taken, runPage)
	if count == 0 {
		return b.fail("runs of %d rows where there are %d", r.covered, b.prefix.Rows)
	}
	r.loaded = r.page.S[:count]
	if err := r.lengths.Read(r.loaded); err != nil {
		return b.childFail("run lengths", err)
	}
	rows := b.prefix.Rows
	var sum uint64
	var odd uint32
	for _, n := range r.loaded {
		sum += uint64(n)
		odd |= n - 1 // its high bit is set if n is 0, or huge
	}
	if odd>>31 != 0 || sum > uint64(rows-r.covered) {
		if err := r.refuse(b); err != nil {
			return err
		}
	}
	r.covered += int(sum)
	r.taken += count
	r.next, r.left = 0, int(r.loaded[0])
	if r.taken == r.lengths.Rows() && r.covered != rows {
		return b.fail("runs of %d rows where there are %d", r.covered, rows)
	}
	return nil
}

// refuse returns the error of the first run of the page that is not possible,
// nil if there is none.
func (r *runs) refuse(b *base) error {
	left := b.prefix.Rows - r.covered
	for _, n := range r.loaded {
		if n == 0 {
			return b.fail("run of no rows")
		}
		if int(n) > left {
			return b.fail("run of %d exceeds %d rows", n, left)
		}
		left -= int(n)
	}
	return nil
}

// step moves past n rows of the run at which reading is.
func (r *runs) step(n int) {
	r.left -= n
	if r.left == 0 {
		r.advance(1)
	}
}

// advance moves to the start of the run that is n runs on.
func (r *runs) advance(n int) {
	r.next += n
	if r.next < len(r.loaded) {
		r.left = int(r.loaded[r.next])
	}
}

// empty reports whether the page is used up.
func (r *runs) empty() bool { return r.next == len(r.loaded) }
