package nimble

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// ColumnStats is what a file says of the values of one of its types. Nothing in
// it is proven: a file may say what it likes.
type ColumnStats struct {
	// Values and Nulls count the rows that reach the type.
	Values, Nulls uint64
	// LogicalBytes is the size of the values as such, PhysicalBytes that of
	// their chunks, each with all types below.
	LogicalBytes, PhysicalBytes uint64
	// Bounded says that the bounds of the type's kind are known: integers,
	// floats or strings, if there is any value that is not null. Those of floats
	// hold, if at all, for the values that are not NaN: a NaN can make both NaN,
	// and the reference writer's can leave out values that stand behind a NaN in
	// a batch; files of this package's writer never do.
	Bounded              bool
	MinInt, MaxInt       int64
	MinFloat, MaxFloat   float64
	MinString, MaxString string
}

func (s *ColumnStats) widenInts(lowest, highest int64) {
	if !s.Bounded {
		s.Bounded, s.MinInt, s.MaxInt = true, lowest, highest
	}
	s.MinInt, s.MaxInt = min(s.MinInt, lowest), max(s.MaxInt, highest)
}

// widenFloats keeps a NaN that is there and takes over one that comes first.
func (s *ColumnStats) widenFloats(lowest, highest float64) {
	if !s.Bounded {
		s.Bounded, s.MinFloat, s.MaxFloat = true, lowest, highest
	}
	if lowest < s.MinFloat {
		s.MinFloat = lowest
	}
	if highest > s.MaxFloat {
		s.MaxFloat = highest
	}
}

func (s *ColumnStats) widenStrings(lowest, highest string) {
	if !s.Bounded {
		s.Bounded, s.MinString, s.MaxString = true, lowest, highest
	}
	s.MinString, s.MaxString = min(s.MinString, lowest), max(s.MaxString, highest)
}

// bounds is which bounds the statistics of a type have.
type bounds uint8

const (
	noBounds bounds = iota
	intBounds
	floatBounds
	stringBounds
)

func boundsOf(k Kind) bounds {
	switch {
	case k >= TinyInt && k <= BigInt:
		return intBounds
	case k == Real || k == Double:
		return floatBounds
	case k.IsString():
		return stringBounds
	default:
		return noBounds
	}
}

// The streams of the statistics section. Those from statMinInt on have an entry
// for each type of their kind only, those before for each type.
const (
	statValues    = 0
	statNulls     = 1
	statLogical   = 2
	statPhysical  = 3
	statMinInt    = 4
	statMaxInt    = 5
	statMinFloat  = 6
	statMaxFloat  = 7
	statMinString = 8
	statMaxString = 9
	// These have an entry for each deduplicated type and each that has one below:
	// the values of its children and their size, as rows have them.
	statDedupValues  = 10
	statDedupLogical = 11
)

// The statistics section:
//
//	version:u16 n:u8 width:u8 kind:width bits × n, 7 bytes  encoded:u8  length:u64 × n  stream × n
//
// Each stream is an encoded array of which some entries may be null. A kind
// that is not known is passed over.
const (
	statsVersion   = 0
	statsKindBits  = 4
	statsSlopBytes = 7
)

// statsHeader is what the section says of its streams.
type statsHeader struct {
	kinds   []uint8
	lengths []uint64
}

// parseStats reads the statistics section of a file of type root.
func parseStats(session *encoding.Session, raw []byte, root *Type) ([]ColumnStats, error) {
	header, rest, err := parseStatsHeader(raw)
	if err != nil {
		return nil, err
	}
	p := statsParser{session: session, stats: make([]ColumnStats, 0, countTypes(root))}
	p.list(root)
	for i, kind := range header.kinds {
		n := header.lengths[i]
		if n > uint64(len(rest)) {
			return nil, fmt.Errorf("%w: a stream of %d bytes with %d left", ErrCorrupt, n, len(rest))
		}
		if err := p.stream(kind, rest[:n]); err != nil {
			return nil, fmt.Errorf("stream %d: %w", kind, err)
		}
		rest = rest[n:]
	}
	return p.stats, nil
}

func parseStatsHeader(raw []byte) (h statsHeader, rest []byte, err error) {
	const fixedBytes = 4
	if len(raw) < fixedBytes {
		return h, nil, fmt.Errorf("%w: %d bytes are too few", ErrCorrupt, len(raw))
	}
	version, n, width := binary.LittleEndian.Uint16(raw), int(raw[2]), int(raw[3])
	if version != statsVersion || width != statsKindBits {
		return h, nil, fmt.Errorf("%w: version %d with kinds of %d bits", ErrUnsupported, version, width)
	}
	packed := (n*statsKindBits+7)/8 + statsSlopBytes
	if len(raw) < fixedBytes+packed+1+8*n {
		return h, nil, fmt.Errorf("%w: %d bytes are too few for %d streams", ErrCorrupt, len(raw), n)
	}
	kinds := raw[fixedBytes:]
	rest = kinds[packed:]
	if rest[0] != 0 {
		return h, nil, fmt.Errorf("%w: encoded lengths", ErrUnsupported)
	}
	rest = rest[1:]
	for i := range n {
		h.kinds = append(h.kinds, kinds[i/2]>>(i%2*statsKindBits)&0xf)
		h.lengths = append(h.lengths, binary.LittleEndian.Uint64(rest[8*i:]))
	}
	return h, rest[8*n:], nil
}

// statsParser fills statistics from streams.
type statsParser struct {
	session *encoding.Session
	stats   []ColumnStats
	bounds  []bounds // of each
}

// list makes an entry for each type under t, in pre-order.
func (p *statsParser) list(t *Type) {
	p.stats = append(p.stats, ColumnStats{})
	p.bounds = append(p.bounds, boundsOf(t.Kind))
	for _, c := range t.Children {
		p.list(c)
	}
}

func (p *statsParser) stream(kind uint8, array []byte) error {
	var vec vector.Vec[uint64]
	switch kind {
	case statValues, statNulls, statLogical, statPhysical:
		return readStats(p, array, encoding.Uint64, noBounds, &vec, func(s *ColumnStats, x uint64) {
			*[...]*uint64{&s.Values, &s.Nulls, &s.LogicalBytes, &s.PhysicalBytes}[kind] = x
		})
	case statMinInt, statMaxInt:
		return readStats(p, array, encoding.Int64, intBounds, &vec, func(s *ColumnStats, x uint64) {
			*pick(kind == statMaxInt, &s.MinInt, &s.MaxInt), s.Bounded = int64(x), true
		})
	case statMinFloat, statMaxFloat:
		return readStats(p, array, encoding.Double, floatBounds, &vec, func(s *ColumnStats, x uint64) {
			*pick(kind == statMaxFloat, &s.MinFloat, &s.MaxFloat), s.Bounded = math.Float64frombits(x), true
		})
	case statMinString, statMaxString:
		var vec vector.Vec[vector.View]
		return readStats(p, array, encoding.String, stringBounds, &vec, func(s *ColumnStats, x vector.View) {
			*pick(kind == statMaxString, &s.MinString, &s.MaxString) = string(x.Bytes(vec.Buffers.List()))
			s.Bounded = true
		})
	default:
		return nil
	}
}

func pick[T any](second bool, a, b *T) *T {
	if second {
		return b
	}
	return a
}

// readStats calls set with each entry of an array that is not null and the
// statistics it is for: those whose types have the given bounds, or all.
func readStats[T encoding.Physical](p *statsParser, array []byte, typ encoding.DataType, of bounds,
	vec *vector.Vec[T], set func(*ColumnStats, T),
) error {
	var wanted []int
	for i, b := range p.bounds {
		if of == noBounds || b == of {
			wanted = append(wanted, i)
		}
	}
	d, err := encoding.Open[T](p.session, array, encoding.Options{})
	if err != nil {
		return err
	}
	defer d.Close()
	if d.DataType() != typ || d.Rows() != len(wanted) {
		return fmt.Errorf("%w: %d entries of type %v instead of %d of type %v",
			ErrCorrupt, d.Rows(), d.DataType(), len(wanted), typ)
	}
	if err := d.ReadVec(vec, len(wanted)); err != nil {
		return err
	}
	for i, node := range wanted {
		if x, ok := vec.At(i); ok {
			set(&p.stats[node], x)
		}
	}
	return nil
}

// appendStats appends the statistics section of types under root to dst.
func appendStats(dst []byte, e *encoding.Encoder, root *Type, stats []ColumnStats) ([]byte, error) {
	p := statsParser{stats: make([]ColumnStats, 0, len(stats))}
	p.list(root)
	p.stats = stats
	w := statsWriter{parser: p, encoder: e}
	w.uint64s(statValues, noBounds, encoding.Uint64, func(s *ColumnStats) uint64 { return s.Values })
	w.uint64s(statNulls, noBounds, encoding.Uint64, func(s *ColumnStats) uint64 { return s.Nulls })
	w.uint64s(statLogical, noBounds, encoding.Uint64, func(s *ColumnStats) uint64 { return s.LogicalBytes })
	w.uint64s(statPhysical, noBounds, encoding.Uint64, func(s *ColumnStats) uint64 { return s.PhysicalBytes })
	w.uint64s(statMinInt, intBounds, encoding.Int64, func(s *ColumnStats) uint64 { return uint64(s.MinInt) })
	w.uint64s(statMaxInt, intBounds, encoding.Int64, func(s *ColumnStats) uint64 { return uint64(s.MaxInt) })
	w.uint64s(statMinFloat, floatBounds, encoding.Double, func(s *ColumnStats) uint64 { return math.Float64bits(s.MinFloat) })
	w.uint64s(statMaxFloat, floatBounds, encoding.Double, func(s *ColumnStats) uint64 { return math.Float64bits(s.MaxFloat) })
	w.strings(statMinString, func(s *ColumnStats) string { return s.MinString })
	w.strings(statMaxString, func(s *ColumnStats) string { return s.MaxString })
	w.deduplicated(root)
	return w.appendTo(dst), w.err
}

// statsWriter collects the streams of the section.
type statsWriter struct {
	parser  statsParser
	encoder *encoding.Encoder
	header  statsHeader
	data    []byte
	err     error
}

// entries returns the statistics that a stream of the given bounds has an entry
// for, and the bitmap of those that are not null in it.
func (w *statsWriter) entries(of bounds) (stats []*ColumnStats, valid []uint64) {
	for i := range w.parser.stats {
		if of == noBounds || w.parser.bounds[i] == of {
			stats = append(stats, &w.parser.stats[i])
		}
	}
	valid = make([]uint64, vector.Words(len(stats)))
	for i, s := range stats {
		if of == noBounds || s.Bounded {
			vector.SetBit(valid, i)
		}
	}
	return stats, valid
}

func (w *statsWriter) uint64s(kind uint8, of bounds, typ encoding.DataType, get func(*ColumnStats) uint64) {
	stats, valid := w.entries(of)
	var values []uint64
	for i, s := range stats {
		if vector.Bit(valid, i) {
			values = append(values, get(s))
		}
	}
	w.add(kind, len(stats), func(dst []byte) ([]byte, error) {
		return encoding.AppendNullable(w.encoder, dst, typ, values, valid, len(stats))
	})
}

func (w *statsWriter) strings(kind uint8, get func(*ColumnStats) string) {
	stats, valid := w.entries(stringBounds)
	var vec vector.Vec[vector.View]
	for i, s := range stats {
		if vector.Bit(valid, i) {
			vector.AppendString(&vec, []byte(get(s)))
		}
	}
	w.add(kind, len(stats), func(dst []byte) ([]byte, error) {
		return encoding.AppendNullableStrings(w.encoder, dst, vec.Values, vec.Buffers.List(), valid, len(stats))
	})
}

// dedupTotals is the sum of a type's children, for each type that the streams of
// deduplicated types have an entry for, in pre-order.
type dedupTotals struct{ values, logical []uint64 }

// add adds the types from t on, whose number is index, and returns what they have
// and the number after theirs; ok is false if none of them is deduplicated.
func (d *dedupTotals) add(t *Type, index int, stats []ColumnStats) (values, logical uint64, ok bool, next int) {
	at := len(d.values)
	d.values, d.logical = append(d.values, 0), append(d.logical, 0)
	ok = t.Kind == DedupArray || t.Kind == SlidingWindowMap
	next = index + 1
	for _, c := range t.Children {
		child := stats[next]
		v, l, below, after := d.add(c, next, stats)
		if !below {
			v, l = child.Values, child.LogicalBytes
		}
		values, logical, ok, next = values+v, logical+l, ok || below, after
	}
	if !ok {
		d.values, d.logical = d.values[:at], d.logical[:at]
		return 0, 0, false, next
	}
	d.values[at], d.logical[at] = values, logical
	return values, logical, true, next
}

func (w *statsWriter) deduplicated(root *Type) {
	var d dedupTotals
	d.add(root, 0, w.parser.stats)
	valid := make([]uint64, vector.Words(len(d.values)))
	vector.SetBits(valid, 0, len(d.values))
	for i, values := range [...][]uint64{d.values, d.logical} {
		w.add(statDedupValues+uint8(i), len(values), func(dst []byte) ([]byte, error) {
			return encoding.AppendNullable(w.encoder, dst, encoding.Uint64, values, valid, len(values))
		})
	}
}

// add adds a stream of n entries; one without entries is left out.
func (w *statsWriter) add(kind uint8, n int, encode func([]byte) ([]byte, error)) {
	if n == 0 || w.err != nil {
		return
	}
	before := len(w.data)
	w.data, w.err = encode(w.data)
	w.header.kinds = append(w.header.kinds, kind)
	w.header.lengths = append(w.header.lengths, uint64(len(w.data)-before))
}

func (w *statsWriter) appendTo(dst []byte) []byte {
	n := len(w.header.kinds)
	dst = binary.LittleEndian.AppendUint16(dst, statsVersion)
	dst = append(dst, uint8(n), statsKindBits)
	packed := make([]byte, (n*statsKindBits+7)/8+statsSlopBytes)
	for i, kind := range w.header.kinds {
		packed[i/2] |= kind << (i % 2 * statsKindBits)
	}
	dst = append(append(dst, packed...), 0)
	for _, length := range w.header.lengths {
		dst = binary.LittleEndian.AppendUint64(dst, length)
	}
	return append(dst, w.data...)
}
