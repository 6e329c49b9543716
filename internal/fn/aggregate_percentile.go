package fn

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
)

// percentileAggregates are those of one place among a group's sorted numbers.
var percentileAggregates = concat(
	percentileForms("percentile", percentileCall{result: Double}),
	percentileForms("percentileest", percentileCall{result: Long}),
	percentileForms("percentilerawest", percentileCall{result: Long, raw: true}),
	percentileForms("percentiletdigest", percentileCall{result: Double, digest: true}),
	percentileForms("percentilerawtdigest", percentileCall{result: Double, digest: true, raw: true}),
	[]Aggregate{{Name: "percentilesmarttdigest", Calls: percentileCall{result: Double, smart: true}.call}},
)

func percentileForms(name string, c percentileCall) []Aggregate {
	elements := c
	elements.defaults = true
	return []Aggregate{{Name: name, Calls: c.call}, {Name: name + "mv", Calls: elements.call}}
}

// percentileCall says how a percentile is worked out: exactly, from a t-digest,
// or from a digest once there are many values.
type percentileCall struct {
	result        Type
	digest, smart bool
	raw           bool // the digest itself
	defaults      bool // see AggregateCall.SeesDefaults
}

const (
	defaultCompression = 100
	defaultThreshold   = 100_000
)

func (c percentileCall) call(args []Arg) (AggregateCall, error) {
	most := 2
	if c.digest || c.smart {
		most = 3
	}
	if len(args) < 2 || len(args) > most {
		return AggregateCall{}, wrongNumber(args)
	}
	to, err := numericArg(args[0], true, c.result, map[Type]Type{Double: DoubleArray, Long: LongArray}[c.result])
	if err != nil {
		return AggregateCall{}, err
	}
	percent, err := percentOf(args[1])
	if err != nil {
		return AggregateCall{}, err
	}
	compression, threshold := float64(defaultCompression), math.MaxInt
	if c.digest {
		n, err := literalInt(args, 2, defaultCompression)
		if err != nil || n < 1 || n > maxCompression {
			return AggregateCall{}, badValue("the compression must be from 1 to %d", maxCompression)
		}
		compression = float64(n)
	}
	if c.smart {
		if threshold, compression, err = smartOptions(args); err != nil {
			return AggregateCall{}, err
		}
	}
	out := AggregateCall{Args: []Type{to}, Type: c.result, Elements: true, NeverNull: c.digest, SeesDefaults: c.defaults}
	if c.raw {
		out.Type, out.NeverNull = String, true
	}
	switch {
	case c.raw && !c.digest:
		out.New = func() State { return &numberLists{whole: true, raw: true} }
	case c.raw:
		out.New = func() State {
			return digestState(compression, func(d *tdigest, r *Row) { r.Out = hex.AppendEncode(r.Out, d.append(nil)) })
		}
	case c.digest:
		out.New = func() State {
			return digestState(compression, func(d *tdigest, r *Row) { r.F = d.quantile(percent / 100) })
		}
	default:
		out.New = func() State {
			return &numberLists{percent: percent, whole: c.result == Long, threshold: threshold, compression: compression}
		}
	}
	return out, nil
}

func percentOf(a Arg) (float64, error) {
	l := a.Literal
	if l == nil || !l.Type.Numeric() {
		return 0, badValue("the percentile must be a number")
	}
	p := l.Float64()
	if l.Type == BigDecimal {
		p, _ = strconv.ParseFloat(l.S, 64)
	}
	if !(p >= 0 && p <= 100) {
		return 0, badValue("a percentile is from 0 to 100")
	}
	return p, nil
}

// smartOptions reads threshold=...;compression=...
func smartOptions(args []Arg) (threshold int, compression float64, err error) {
	text, err := literalText(args, 2, "")
	threshold, compression = defaultThreshold, defaultCompression
	for _, part := range strings.Split(text, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		n, bad := strconv.Atoi(value)
		switch {
		case key == "":
		case key == "THRESHOLD" && bad == nil:
			if threshold = n; n <= 0 {
				threshold = math.MaxInt
			}
		case key == "COMPRESSION" && bad == nil && n > 0 && n <= maxCompression:
			compression = float64(n)
		default:
			return 0, 0, badValue("%q is no option", part)
		}
	}
	return threshold, compression, err
}

// numberLists is the numbers of each group.
type numberLists struct {
	percent     float64
	whole       bool // numbers are LONG, kept by their bits
	raw         bool // the result is a digest
	threshold   int
	compression float64

	groups []uint32
	values []float64
	n      int // groups
	order  []uint32
	begins []int
	list   []float64
	row    Row
}

func (s *numberLists) Grow(n int) { s.n = max(s.n, n) }

func (s *numberLists) Add(in *Input, ids []uint32) error {
	s.begins = s.begins[:0]
	return s.row.each(in, ids, func(group uint32) error {
		x := 0.0
		if s.whole {
			x = math.Float64frombits(uint64(s.row.Int(0)))
		} else {
			x = s.row.Float(0)
		}
		s.groups, s.values = append(s.groups, group), append(s.values, x)
		return nil
	})
}

func (s *numberLists) Merge(other State, ids []uint32) error {
	o := other.(*numberLists)
	s.begins = s.begins[:0]
	for i, g := range o.groups {
		s.groups, s.values = append(s.groups, ids[g]), append(s.values, o.values[i])
	}
	return nil
}

func (s *numberLists) Result(r *Row, group uint32) error {
	if len(s.begins) == 0 {
		s.order, s.begins = bucket(s.groups, s.n, s.order[:0], s.begins[:0])
	}
	s.list = s.list[:0]
	for _, i := range s.order[s.begins[group]:s.begins[group+1]] {
		s.list = append(s.list, s.values[i])
	}
	if s.raw {
		r.Out = hex.AppendEncode(r.Out, newQDigest(s.list).append(nil))
		return nil
	}
	n := len(s.list)
	if n == 0 {
		r.I, r.F = math.MinInt64, math.Inf(-1)
		return nil
	}
	if n > s.threshold {
		d := newTDigest(s.compression)
		for _, x := range s.list {
			d.add(x, 1)
		}
		r.F = d.quantile(s.percent / 100)
		return nil
	}
	at := n - 1
	if s.percent < 100 {
		at = int(float64(n) * s.percent / 100)
	}
	if s.whole {
		slices.SortFunc(s.list, func(a, b float64) int { return cmp.Compare(longBits(a), longBits(b)) })
		r.I = longBits(s.list[at])
		return nil
	}
	slices.SortFunc(s.list, compareDoubles)
	r.F = s.list[at]
	return nil
}

func longBits(x float64) int64 { return int64(math.Float64bits(x)) }

// compareDoubles orders as Java does: NaN is the greatest, -0 before 0.
func compareDoubles(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b && a != 0:
		return 0
	}
	return cmp.Compare(longBits(canonical(a)), longBits(canonical(b)))
}

func (s *numberLists) Reset() {
	s.groups, s.values, s.begins, s.n = s.groups[:0], s.values[:0], s.begins[:0], 0
}

func (s *numberLists) Bytes() int {
	return 4*cap(s.groups) + 8*cap(s.values) + 4*cap(s.order) + 8*cap(s.begins) + 8*cap(s.list)
}
