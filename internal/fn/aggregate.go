package fn

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Aggregate is a function of the values of a group.
type Aggregate struct {
	Name  string // canonical
	Alias []string
	// Star says that the argument may be *.
	Star bool
	// Simple is set for those whose numbers are added up column by column.
	Simple *Simple
	// Calls resolves all calls, those of a simple one too.
	Calls AggregateResolver
	// Elements is the aggregate that stands for this one where the argument is a
	// column of arrays, nil if there is none.
	Elements *Aggregate
}

// AggregateResolver tells how an aggregate is called with such arguments. Its
// error wraps ErrArguments or ErrValue.
type AggregateResolver func(args []Arg) (AggregateCall, error)

// AggregateCall is how an aggregate is called.
type AggregateCall struct {
	// Args are the types that the first arguments are converted to; Unknown
	// leaves one as it is. The arguments behind them are literals, which the
	// resolver has taken in.
	Args []Type
	// Type is that of the result.
	Type Type
	// New makes the state for one goroutine.
	New func() State
	// Elements says that values are the elements of the first argument where
	// that is an array.
	Elements bool
	// SeesDefaults says that a null is the column's default, also while null
	// handling is on.
	SeesDefaults bool
	// Ungrouped says that the aggregate does not go with GROUP BY.
	Ungrouped bool
	// NeverNull says that a group without values has a result, also while null
	// handling is on.
	NeverNull bool
}

// Simple names what an aggregate keeps of the values of a group.
type Simple struct {
	Need Need
	// Final works the result out from what was kept of at least one value. It
	// is nil for counts, whose result is the count.
	Final func(k Kept) float64
	// Empty is the result over no values while null handling is off.
	Empty float64
}

// Kept is what the accumulators of a group hold. Those that an aggregate does
// not need are zero.
type Kept struct {
	Count         int64
	Sum, Min, Max float64
}

// Need is a set of what an aggregate keeps for each group.
type Need uint8

// The accumulators. Each counts present values only.
const (
	NeedCount Need = 1 << iota
	NeedSum
	NeedMin
	NeedMax
)

// aggregateFamilies are all aggregates.
var aggregateFamilies = []struct {
	Name       string
	Aggregates []Aggregate
}{
	{"numbers", numberAggregates},
	{"distinct", distinctAggregates},
	{"statistics", statisticAggregates},
	{"percentiles", percentileAggregates},
	{"values", valueAggregates},
	{"collections", collectionAggregates},
}

var aggregateByName = func() map[string]*Aggregate {
	index := map[string]*Aggregate{}
	for _, family := range aggregateFamilies {
		for i := range family.Aggregates {
			a := &family.Aggregates[i]
			index[a.Name] = a
			for _, alias := range a.Alias {
				index[alias] = a
			}
		}
	}
	for name, a := range index {
		if e := index[name+"mv"]; e != nil && renamed[name] {
			a.Elements = e
		}
	}
	return index
}()

// renamed are the aggregates that go by another name over arrays.
var renamed = map[string]bool{
	"count": true, "sum": true, "min": true, "max": true, "avg": true, "minmaxrange": true, "distinctcount": true,
	"distinctsum": true, "distinctavg": true, "distinctcountbitmap": true, "distinctcounthll": true,
	"distinctcountrawhll": true, "distinctcounthllplus": true, "distinctcountrawhllplus": true,
}

// LookupAggregate returns the aggregate of that name, nil if there is none.
// Percentiles may have theirs in the name: PERCENTILE95.
func LookupAggregate(name string) *Aggregate {
	name = Canonical(name)
	if a := aggregateByName[name]; a != nil {
		return a
	}
	m := namedPercentile.FindStringSubmatch(name)
	if m == nil {
		return nil
	}
	a := aggregateByName[m[1]+m[3]]
	percent, err := strconv.Atoi(m[2])
	if a == nil || err != nil {
		return nil
	}
	p := Value{Type: Int, I: int64(percent)}
	return &Aggregate{Name: name, Calls: func(args []Arg) (AggregateCall, error) {
		if len(args) != 1 {
			return AggregateCall{}, wrongNumber(args)
		}
		return a.Calls([]Arg{args[0], {Type: Int, Literal: &p}})
	}}
}

var namedPercentile = regexp.MustCompile(`^(percentile(?:est|tdigest|rawest|rawtdigest|kll)?)(\d+)(mv)?$`)

// numberAggregates are those of the extremes and sums of numbers.
var numberAggregates = concat(
	simple("count", Simple{Need: NeedCount}),
	simple("sum", Simple{Need: NeedCount | NeedSum, Final: func(k Kept) float64 { return k.Sum }}),
	simple("avg", Simple{
		Need: NeedCount | NeedSum, Empty: math.Inf(-1),
		Final: func(k Kept) float64 { return k.Sum / float64(k.Count) },
	}),
	simple("min", Simple{Need: NeedCount | NeedMin, Empty: math.Inf(1), Final: func(k Kept) float64 { return k.Min }}),
	simple("max", Simple{Need: NeedCount | NeedMax, Empty: math.Inf(-1), Final: func(k Kept) float64 { return k.Max }}),
	simple("minmaxrange", Simple{
		Need: NeedCount | NeedMin | NeedMax, Empty: math.Inf(-1),
		Final: func(k Kept) float64 { return k.Max - k.Min },
	}),
	[]Aggregate{
		{Name: "sumint", Calls: wholes(func(s *wholeSum, x int64) { s.value += x })},
		{Name: "sumlong", Calls: wholes(func(s *wholeSum, x int64) { s.value += x })},
		{Name: "minlong", Calls: extremes(math.MaxInt64, func(a, b int64) bool { return a < b })},
		{Name: "maxlong", Calls: extremes(math.MinInt64, func(a, b int64) bool { return a > b })},
		{Name: "sumprecision", Calls: sumPrecision},
	},
)

func concat(lists ...[]Aggregate) (all []Aggregate) {
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// simple returns an aggregate of numbers and its form over arrays.
func simple(name string, s Simple) []Aggregate {
	plain := AggregateResolver(func(args []Arg) (AggregateCall, error) { return s.call(name, args, false) })
	elements := AggregateResolver(func(args []Arg) (AggregateCall, error) { return s.call(name, args, true) })
	return []Aggregate{
		{Name: name, Simple: &s, Star: s.Final == nil, Calls: plain},
		{Name: name + "mv", Calls: elements},
	}
}

// call is the form for filtered rows and for elements of arrays.
func (s Simple) call(name string, args []Arg, elements bool) (AggregateCall, error) {
	if len(args) != 1 {
		return AggregateCall{}, wrongNumber(args)
	}
	c := AggregateCall{Args: []Type{Unknown}, Type: Long, Elements: elements, NeverNull: s.Final == nil}
	if s.Final == nil {
		c.New = func() State {
			return &perGroup[int64]{
				add:    func(n *int64, _ *Row) error { *n++; return nil },
				merge:  func(n, o *int64) error { *n += *o; return nil },
				result: func(n *int64, r *Row) error { r.I = *n; return nil },
			}
		}
		return c, nil
	}
	to, err := doubleArg(args[0], elements)
	if err != nil {
		return c, err
	}
	c.Args, c.Type = []Type{to}, Double
	c.New = func() State {
		return &perGroup[Kept]{
			start: Kept{Min: math.Inf(1), Max: math.Inf(-1)},
			add:   func(k *Kept, r *Row) error { k.add(r.Float(0)); return nil },
			merge: func(k, o *Kept) error { k.merge(o); return nil },
			result: func(k *Kept, r *Row) error {
				if r.F = s.Empty; k.Count > 0 {
					r.F = s.Final(*k)
				}
				return nil
			},
		}
	}
	return c, nil
}

func (k *Kept) add(x float64) {
	k.Count++
	k.Sum += x
	// NaN wins, as in Java's Math.min and Math.max.
	if x < k.Min || x != x {
		k.Min = x
	}
	if x > k.Max || x != x {
		k.Max = x
	}
}

func (k *Kept) merge(o *Kept) {
	if o.Count == 0 {
		return
	}
	k.Count, k.Sum = k.Count+o.Count, k.Sum+o.Sum
	if o.Min < k.Min || o.Min != o.Min {
		k.Min = o.Min
	}
	if o.Max > k.Max || o.Max != o.Max {
		k.Max = o.Max
	}
}

// doubleArg returns what a numeric argument is converted to: DOUBLE or, where
// elements are wanted, an array of it.
func doubleArg(a Arg, elements bool) (Type, error) {
	return numericArg(a, elements, Double, DoubleArray)
}

func numericArg(a Arg, elements bool, one, several Type) (Type, error) {
	t := a.Type
	if elements && t.Array() {
		if t = t.Elem(); t.Textual() {
			return Unknown, badValue("elements of a %v are no numbers", a.Type)
		}
		return several, nil
	}
	if t.Numeric() || t == Timestamp || t == Boolean || a.Literal != nil && a.Literal.Null {
		return one, nil
	}
	return Unknown, badValue("a %v is no number", t)
}

type wholeSum struct{ value int64 }

func wholes(add func(s *wholeSum, x int64)) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		if len(args) != 1 {
			return AggregateCall{}, wrongNumber(args)
		}
		to, err := numericArg(args[0], true, Long, LongArray)
		return AggregateCall{Args: []Type{to}, Type: Long, Elements: true, New: func() State {
			return &perGroup[wholeSum]{
				add:    func(s *wholeSum, r *Row) error { add(s, r.Int(0)); return nil },
				merge:  func(s, o *wholeSum) error { add(s, o.value); return nil },
				result: func(s *wholeSum, r *Row) error { r.I = s.value; return nil },
			}
		}}, err
	}
}

func extremes(empty int64, before func(a, b int64) bool) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		c, err := wholes(nil)(args)
		take := func(s *wholeSum, x int64) error {
			if before(x, s.value) {
				s.value = x
			}
			return nil
		}
		c.New = func() State {
			return &perGroup[wholeSum]{
				start:  wholeSum{empty},
				add:    func(s *wholeSum, r *Row) error { return take(s, r.Int(0)) },
				merge:  func(s, o *wholeSum) error { return take(s, o.value) },
				result: func(s *wholeSum, r *Row) error { r.I = s.value; return nil },
			}
		}
		return c, err
	}
}

// literalInt returns a literal parameter that is an integer.
func literalInt(args []Arg, i int, otherwise int) (int, error) {
	if i >= len(args) {
		return otherwise, nil
	}
	l := args[i].Literal
	if l == nil || l.Type != Int && l.Type != Long {
		return 0, badValue("argument %d must be an integer literal", i+1)
	}
	return int(l.I), nil
}

// literalText returns a literal parameter that is a text, in upper case.
func literalText(args []Arg, i int, otherwise string) (string, error) {
	if i >= len(args) {
		return otherwise, nil
	}
	l := args[i].Literal
	if l == nil || l.Type != String {
		return "", badValue("argument %d must be a text literal", i+1)
	}
	return strings.ToUpper(l.S), nil
}
