package fn

import (
	"math"
	"strings"
)

// Scalar is a function of numbers that gives one DOUBLE for each row. A row is
// null if one of its arguments is. Exactly one of the kernels is set; its
// arguments are as long as dst.
type Scalar struct {
	Name   string // canonical
	Alias  []string
	Unary  func(dst, a []float64)
	Binary func(dst, a, b []float64)
}

// Args returns the number of arguments.
func (s *Scalar) Args() int {
	if s.Unary != nil {
		return 1
	}
	return 2
}

// Eval1 works the function out for single values.
func (s *Scalar) Eval1(args ...float64) float64 {
	dst := []float64{0}
	if s.Unary != nil {
		s.Unary(dst, args[:1])
	} else {
		s.Binary(dst, args[:1], args[1:2])
	}
	return dst[0]
}

// Aggregate names what an aggregate keeps of the values of a group.
type Aggregate struct {
	Name string
	Need Need
	// Star says that the argument may be *.
	Star bool
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

var aggregates = []Aggregate{
	{Name: "count", Need: NeedCount, Star: true},
	{Name: "sum", Need: NeedCount | NeedSum, Final: func(k Kept) float64 { return k.Sum }},
	{Name: "avg", Need: NeedCount | NeedSum, Final: func(k Kept) float64 { return k.Sum / float64(k.Count) }, Empty: math.Inf(-1)},
	{Name: "min", Need: NeedCount | NeedMin, Final: func(k Kept) float64 { return k.Min }, Empty: math.Inf(1)},
	{Name: "max", Need: NeedCount | NeedMax, Final: func(k Kept) float64 { return k.Max }, Empty: math.Inf(-1)},
}

var (
	scalarByName    = indexScalars(arithmetic)
	aggregateByName = indexAggregates(aggregates)
)

func indexScalars(families ...[]Scalar) map[string]*Scalar {
	index := map[string]*Scalar{}
	for _, family := range families {
		for i := range family {
			s := &family[i]
			index[s.Name] = s
			for _, a := range s.Alias {
				index[a] = s
			}
		}
	}
	return index
}

func indexAggregates(all []Aggregate) map[string]*Aggregate {
	index := map[string]*Aggregate{}
	for i := range all {
		index[all[i].Name] = &all[i]
	}
	return index
}

// Canonical returns a function's name as the registry spells it: in lower case
// without underscores.
func Canonical(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "_", "")
}

// LookupScalar returns the scalar function of that name, nil if there is none.
func LookupScalar(name string) *Scalar { return scalarByName[Canonical(name)] }

// LookupAggregate returns the aggregate of that name, nil if there is none.
func LookupAggregate(name string) *Aggregate { return aggregateByName[Canonical(name)] }
