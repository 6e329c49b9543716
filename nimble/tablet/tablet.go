package tablet

import (
	"io"
	"slices"
	"sync"
	"weak"
)

const (
	defaultTailBytes  = 1 << 20
	defaultLimitBytes = 256 << 20
)

// Options say how a file is read. The zero value is fit for use.
type Options struct {
	// TailBytes is how much of the file's end is read at once, in the hope that
	// it holds the footer and the sections. It stays in memory. 0 is 1 MiB; a
	// small value reads the postscript and then exactly the footer.
	TailBytes int
	// LimitBytes bounds the memory of one decompressed section and of one stripe
	// group. 0 is 256 MiB.
	LimitBytes int
	// DecodeGroupArray decodes an encoded array of len(dst) numbers into dst. It
	// is needed for files whose stripe groups are stored stream by stream; without
	// it these are refused with ErrUnsupported.
	DecodeGroupArray func(dst []uint32, array []byte) error
}

// A Tablet is an open file. It may be used by several goroutines; it has nothing
// to close, since the file is its owner's.
type Tablet struct {
	file       io.ReaderAt
	size       uint64
	dataEnd    uint64 // where the footer begins
	opts       Options
	tail       []byte // the file's last bytes
	postscript Postscript
	footer     Footer
	stripes    []Stripe
	groupStart []int // first stripe of each group, then the number of stripes

	mu     sync.Mutex
	groups []weak.Pointer[Group]
	only   *Group // the group, if there is one only
}

// Open reads the postscript, the footer and the stripe directory of a file of
// size bytes. Errors are [PlaceError]s that wrap [ErrCorrupt] or
// [ErrUnsupported], or come from file.
func Open(file io.ReaderAt, size int64, opts Options) (*Tablet, error) {
	if opts.TailBytes == 0 {
		opts.TailBytes = defaultTailBytes
	}
	if opts.LimitBytes == 0 {
		opts.LimitBytes = defaultLimitBytes
	}
	if size < PostscriptLen {
		return nil, at("postscript", 0, corruptf("a file of %d bytes is too short", size))
	}
	t := &Tablet{file: file, size: uint64(size), opts: opts}
	if err := t.readTail(int(min(int64(max(opts.TailBytes, PostscriptLen)), size))); err != nil {
		return nil, err
	}
	if err := t.openPostscript(); err != nil {
		return nil, at("postscript", t.size-PostscriptLen, err)
	}
	if err := t.openFooter(); err != nil {
		return nil, at("footer", t.dataEnd, err)
	}
	if t.footer.Directory == (Extent{}) {
		if t.footer.Rows != 0 || len(t.footer.Groups) != 0 {
			return nil, at("footer", t.dataEnd, corruptf("%d rows and %d stripe groups without stripes", t.footer.Rows, len(t.footer.Groups)))
		}
		return t, nil
	}
	if err := t.openDirectory(); err != nil {
		return nil, at("stripe directory", t.footer.Directory.Pos, err)
	}
	return t, nil
}

// readTail reads the last n bytes.
func (t *Tablet) readTail(n int) error {
	tail := make([]byte, n)
	if err := readFull(t.file, tail, t.size-uint64(n)); err != nil {
		return at("tail", t.size-uint64(n), err)
	}
	t.tail = tail
	return nil
}

func (t *Tablet) openPostscript() error {
	var err error
	if t.postscript, err = parsePostscript(t.tail[len(t.tail)-PostscriptLen:]); err != nil {
		return err
	}
	end := uint64(t.postscript.FooterLen) + PostscriptLen
	if end > t.size {
		return corruptf("a footer of %d bytes in a file of %d", t.postscript.FooterLen, t.size)
	}
	t.dataEnd = t.size - end
	if end > uint64(len(t.tail)) {
		return t.readTail(int(end))
	}
	return nil
}

func (t *Tablet) openFooter() error {
	p := t.postscript
	raw, err := t.read(Extent{Pos: t.dataEnd, Len: p.FooterLen, Codec: p.FooterCodec}, t.size-PostscriptLen)
	if err != nil {
		return err
	}
	t.footer, err = ParseFooter(raw)
	return err
}

func (t *Tablet) openDirectory() error {
	raw, err := t.readRequired(t.footer.Directory)
	if err != nil {
		return err
	}
	if t.stripes, err = ParseDirectory(raw); err != nil {
		return err
	}
	last := t.stripes[len(t.stripes)-1]
	if int(last.Group)+1 != len(t.footer.Groups) {
		return corruptf("%d stripe groups instead of %d", len(t.footer.Groups), last.Group+1)
	}
	if rows := last.FirstRow + uint64(last.Rows); rows != t.footer.Rows {
		return corruptf("stripes of %d rows in a file of %d", rows, t.footer.Rows)
	}
	for i, s := range t.stripes {
		if s.Pos > t.dataEnd {
			return corruptf("stripe %d begins at %d, after the data", i, s.Pos)
		}
		if int(s.Group) == len(t.groupStart) {
			t.groupStart = append(t.groupStart, i)
		}
	}
	t.groupStart = append(t.groupStart, len(t.stripes))
	t.groups = make([]weak.Pointer[Group], len(t.footer.Groups))
	return nil
}

// Size returns the file's length in bytes.
func (t *Tablet) Size() uint64 { return t.size }

// Rows returns the file's number of rows.
func (t *Tablet) Rows() uint64 { return t.footer.Rows }

// Postscript returns the file's postscript.
func (t *Tablet) Postscript() Postscript { return t.postscript }

// Footer returns the file's footer, which must not be changed.
func (t *Tablet) Footer() *Footer { return &t.footer }

// Stripes returns the file's stripes, which must not be changed.
func (t *Tablet) Stripes() []Stripe { return t.stripes }

// StripeAt returns the number of the stripe that holds a row of the file, or the
// number of stripes if the row is beyond the last.
func (t *Tablet) StripeAt(row uint64) int {
	i, _ := slices.BinarySearchFunc(t.stripes, row, func(s Stripe, row uint64) int {
		if s.FirstRow+uint64(s.Rows) > row {
			return 1
		}
		return -1
	})
	return i
}
