package fn

import (
	"hash/maphash"
	"math"

	"github.com/decantdb/decant/vector"
)

// distinctAggregates are those of the distinct values of a group.
var distinctAggregates = concat(
	distinctForms("distinctcount", distinctCall{result: Int}),
	[]Aggregate{
		{Name: "distinctcountoffheap", Calls: distinctCall{result: Int, decimals: true, ungrouped: true}.calls(true)},
		{Name: "distinctcountsmarthll", Calls: smartHLL},
		{Name: "segmentpartitioneddistinctcount", Calls: distinctCall{result: Long, segments: true, defaults: true}.calls(true)},
	},
	distinctForms("distinctcountbitmap", distinctCall{result: Int, hashed: true, defaults: true}),
	distinctForms("distinctsum", distinctCall{result: Double, number: func(sum float64, _ int64) float64 { return sum }}),
	distinctForms("distinctavg", distinctCall{
		result: Double, number: func(sum float64, n int64) float64 { return sum / float64(n) },
	}),
	sketchForms("distinctcounthll", hllCall(false)),
	sketchForms("distinctcountrawhll", hllCall(true)),
	sketchForms("distinctcounthllplus", hllPlusCall(false)),
	sketchForms("distinctcountrawhllplus", hllPlusCall(true)),
)

// distinctCall says what is made of distinct values.
type distinctCall struct {
	result   Type
	number   func(sum float64, n int64) float64 // nil: how many they are
	segments bool                               // those of each segment count apart
	hashed   bool                               // they are told apart by 32 bits
	decimals bool                               // BIG_DECIMAL is allowed
	// ungrouped is for the call that does not go with GROUP BY, and takes settings.
	ungrouped bool
	defaults  bool // see AggregateCall.SeesDefaults
}

func distinctForms(name string, c distinctCall) []Aggregate {
	elements := c
	elements.defaults = true
	return []Aggregate{{Name: name, Calls: c.calls(false)}, {Name: name + "mv", Calls: elements.calls(true)}}
}

func (d distinctCall) calls(elements bool) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		if len(args) != 1 && !(d.ungrouped && len(args) == 2) {
			return AggregateCall{}, wrongNumber(args)
		}
		t, err := distinctArg(args[0].Type, d.decimals)
		if err != nil {
			return AggregateCall{}, err
		}
		if d.number != nil {
			if _, err := doubleArg(args[0], true); err != nil {
				return AggregateCall{}, err
			}
		}
		if d.hashed && t == Bytes {
			return AggregateCall{}, badValue("BYTES are no values to be told apart")
		}
		c := AggregateCall{
			Args: []Type{Unknown}, Type: d.result, Elements: elements || args[0].Type.Array(), NeverNull: d.number == nil,
			SeesDefaults: d.defaults, Ungrouped: d.ungrouped, New: func() State { return newDistinct(t, d) },
		}
		return c, nil
	}
}

// distinctArg returns the type of the values of an argument.
func distinctArg(t Type, decimals bool) (Type, error) {
	if t.Array() {
		t = t.Elem()
	}
	if t == Nested || t == BigDecimal && !decimals {
		return t, badValue("illegal data type for distinct values: %v", t)
	}
	return t, nil
}

// distinctState is the distinct values of each group: numbers as their bits in
// pairs, texts in texts.
type distinctState struct {
	distinctCall
	typ   Type
	pairs numberPairs
	texts textPairs
	count []int64   // by group
	sums  []float64 // by group, for numbers
	row   Row
}

func newDistinct(t Type, d distinctCall) *distinctState {
	return &distinctState{typ: t, distinctCall: d}
}

func (s *distinctState) Grow(n int) {
	for len(s.count) < n {
		s.count = append(s.count, 0)
		s.sums = append(s.sums, 0)
	}
}

func (s *distinctState) Add(in *Input, ids []uint32) error {
	switch v := in.Args[0].(type) {
	case *vector.Vec[int32]:
		addDistinct(s, v, in, ids, func(x int32) uint64 { return uint64(int64(x)) })
		return nil
	case *vector.Vec[int64]:
		addDistinct(s, v, in, ids, func(x int64) uint64 { return uint64(x) })
		return nil
	case *vector.Vec[float32]:
		addDistinct(s, v, in, ids, func(x float32) uint64 { return uint64(math.Float32bits(canonical(x))) })
		return nil
	case *vector.Vec[float64]:
		addDistinct(s, v, in, ids, func(x float64) uint64 { return math.Float64bits(canonical(x)) })
		return nil
	}
	return s.row.each(in, ids, func(group uint32) error {
		if s.typ == Boolean {
			s.take(group, uint64(bit(s.row.Bool(0))))
			return nil
		}
		text := s.row.Text(0)
		if s.hashed {
			s.take(group, uint64(javaHash(string(text))))
		} else if s.texts.add(group, text) {
			s.count[group]++
		}
		return nil
	})
}

// canonical makes all NaNs one.
func canonical[T floating](x T) T {
	if x != x {
		return T(math.NaN())
	}
	return x
}

func addDistinct[T vector.Value](s *distinctState, v *vector.Vec[T], in *Input, ids []uint32, key func(T) uint64) {
	v.Flatten()
	group := uint32(0)
	for row, x := range v.Values[:in.N] {
		if !vector.Valid(in.Valid, row) {
			continue
		}
		if ids != nil {
			group = ids[row]
		}
		s.take(group, key(x))
	}
}

// take adds a number, given by its bits.
func (s *distinctState) take(group uint32, bits uint64) {
	key := bits
	if s.hashed {
		key = s.hash32(bits)
	}
	if _, known := s.pairs.add(group, key); !known {
		s.count[group]++
		if s.number != nil {
			s.sums[group] += s.value(bits)
		}
	}
}

// value returns the number of which these are the bits.
func (s *distinctState) value(bits uint64) float64 {
	switch s.typ {
	case Float:
		return float64(math.Float32frombits(uint32(bits)))
	case Double:
		return math.Float64frombits(bits)
	}
	return float64(int64(bits))
}

// hash32 returns Java's hash code of a number.
func (s *distinctState) hash32(bits uint64) uint64 {
	if s.typ == Long || s.typ == Timestamp || s.typ == Double {
		return uint64(uint32(bits ^ bits>>32))
	}
	return uint64(uint32(bits))
}

func (s *distinctState) Merge(other State, ids []uint32) error {
	o := other.(*distinctState)
	if s.segments { // no value is in two segments, or counts twice
		for g, n := range o.count {
			s.count[ids[g]] += n
		}
		return nil
	}
	for i, key := range o.pairs.keys {
		group := ids[o.pairs.groups[i]]
		if _, known := s.pairs.add(group, key); !known {
			s.count[group]++
			if s.number != nil {
				s.sums[group] += s.value(key)
			}
		}
	}
	for i, group := range o.texts.groups {
		if s.texts.add(ids[group], o.texts.text(i)) {
			s.count[ids[group]]++
		}
	}
	return nil
}

func (s *distinctState) nextSegment() {
	if s.segments {
		s.pairs.reset()
		s.texts.reset()
	}
}

func (s *distinctState) Result(r *Row, group uint32) error {
	if s.number != nil {
		r.F = s.number(s.sums[group], s.count[group])
	}
	r.I = s.count[group]
	return nil
}

func (s *distinctState) Reset() {
	s.pairs.reset()
	s.texts.reset()
	s.count, s.sums = s.count[:0], s.sums[:0]
}

func (s *distinctState) Bytes() int {
	return s.pairs.bytes() + s.texts.bytes() + 8*(cap(s.count)+cap(s.sums))
}

// javaHash is String.hashCode.
func javaHash(s string) (h uint32) {
	for _, unit := range appendUnits(nil, []byte(s)) {
		h = 31*h + uint32(unit)
	}
	return h
}

// numberPairs numbers distinct pairs of a group and a number in the order of their
// first appearance. It is open-addressed.
type numberPairs struct {
	groups []uint32
	keys   []uint64
	slots  []uint32 // number + 1, 0 = empty; a power of two of them
}

const minPairSlots = 64

func pairHash(group uint32, key uint64) uint64 {
	h := (key ^ uint64(group)*0xc2b2ae3d27d4eb4f) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// add returns the number of a pair and whether it was known.
func (p *numberPairs) add(group uint32, key uint64) (id uint32, known bool) {
	if len(p.keys)*2 >= len(p.slots) {
		p.grow()
	}
	mask := uint64(len(p.slots) - 1)
	for i := pairHash(group, key) & mask; ; i = (i + 1) & mask {
		s := p.slots[i]
		if s == 0 {
			p.groups, p.keys = append(p.groups, group), append(p.keys, key)
			p.slots[i] = uint32(len(p.keys))
			return uint32(len(p.keys) - 1), false
		}
		if p.keys[s-1] == key && p.groups[s-1] == group {
			return s - 1, true
		}
	}
}

func (p *numberPairs) grow() {
	p.slots = make([]uint32, max(minPairSlots, 2*len(p.slots)))
	mask := uint64(len(p.slots) - 1)
	for id, key := range p.keys {
		i := pairHash(p.groups[id], key) & mask
		for p.slots[i] != 0 {
			i = (i + 1) & mask
		}
		p.slots[i] = uint32(id + 1)
	}
}

func (p *numberPairs) reset() {
	p.groups, p.keys = p.groups[:0], p.keys[:0]
	clear(p.slots)
}

func (p *numberPairs) bytes() int { return 4*cap(p.groups) + 8*cap(p.keys) + 4*cap(p.slots) }

// textSeed keeps who chooses the texts from choosing where they collide.
var textSeed = maphash.MakeSeed()

// textPairs is numberPairs for texts.
type textPairs struct {
	groups []uint32
	hashes []uint64
	ends   []int // of each text in arena
	arena  []byte
	slots  []uint32
}

func (p *textPairs) text(i int) []byte {
	begin := 0
	if i > 0 {
		begin = p.ends[i-1]
	}
	return p.arena[begin:p.ends[i]]
}

// add reports whether the pair is new.
func (p *textPairs) add(group uint32, text []byte) bool {
	if len(p.groups)*2 >= len(p.slots) {
		p.grow()
	}
	mask := uint64(len(p.slots) - 1)
	h := pairHash(group, maphash.Bytes(textSeed, text))
	for i := h & mask; ; i = (i + 1) & mask {
		s := p.slots[i]
		if s == 0 {
			p.groups, p.hashes = append(p.groups, group), append(p.hashes, h)
			p.arena = append(p.arena, text...)
			p.ends = append(p.ends, len(p.arena))
			p.slots[i] = uint32(len(p.groups))
			return true
		}
		if p.hashes[s-1] == h && p.groups[s-1] == group && string(p.text(int(s-1))) == string(text) {
			return false
		}
	}
}

func (p *textPairs) grow() {
	p.slots = make([]uint32, max(minPairSlots, 2*len(p.slots)))
	mask := uint64(len(p.slots) - 1)
	for id, h := range p.hashes {
		i := h & mask
		for p.slots[i] != 0 {
			i = (i + 1) & mask
		}
		p.slots[i] = uint32(id + 1)
	}
}

func (p *textPairs) reset() {
	p.groups, p.hashes, p.ends, p.arena = p.groups[:0], p.hashes[:0], p.ends[:0], p.arena[:0]
	clear(p.slots)
}

func (p *textPairs) bytes() int {
	return 4*cap(p.groups) + 8*cap(p.hashes) + 8*cap(p.ends) + cap(p.arena) + 4*cap(p.slots)
}
