package fn

import "math"

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

var aggregateByName = func() map[string]*Aggregate {
	index := map[string]*Aggregate{}
	for i := range aggregates {
		index[aggregates[i].Name] = &aggregates[i]
	}
	return index
}()
