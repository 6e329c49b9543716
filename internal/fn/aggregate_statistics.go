package fn

import "math"

// statisticAggregates are those of the moments of numbers.
var statisticAggregates = []Aggregate{
	{Name: "varpop", Calls: spread(func(v float64) float64 { return v }, 0)},
	{Name: "varsamp", Calls: spread(func(v float64) float64 { return v }, 1)},
	{Name: "stddevpop", Calls: spread(math.Sqrt, 0)},
	{Name: "stddevsamp", Calls: spread(math.Sqrt, 1)},
	{Name: "covarpop", Calls: covariance(false)},
	{Name: "covarsamp", Calls: covariance(true)},
	{Name: "skewness", Calls: shape((*moments).skewness)},
	{Name: "kurtosis", Calls: shape((*moments).kurtosis)},
	{Name: "histogram", Calls: resolveHistogram},
	{Name: "mode", Calls: resolveMode},
}

// plainDouble resolves one argument that is a number other than BIG_DECIMAL.
func plainDouble(args []Arg, n int) error {
	if len(args) != n {
		return wrongNumber(args)
	}
	for _, a := range args {
		if _, err := doubleArg(a, false); err != nil || a.Type == BigDecimal {
			return badValue("cannot compute variance of a %v", a.Type)
		}
	}
	return nil
}

// variance is the sum of squared distances from the mean, kept as numbers come.
type variance struct {
	n   int64
	sum float64
	m2  float64
}

func (v *variance) add(x float64) {
	v.n++
	v.sum += x
	if v.n > 1 {
		t := float64(v.n)*x - v.sum
		v.m2 += t * t / float64(v.n*(v.n-1))
	}
}

func (v *variance) merge(o *variance) {
	switch {
	case o.n == 0:
	case v.n == 0:
		*v = *o
	default:
		delta := o.sum/float64(o.n) - v.sum/float64(v.n)
		v.m2 += o.m2 + delta*delta*float64(v.n)*float64(o.n)/float64(v.n+o.n)
		v.n, v.sum = v.n+o.n, v.sum+o.sum
	}
}

// spread resolves variances and their roots, over n less what is lost.
func spread(of func(float64) float64, lost int64) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		return AggregateCall{Args: []Type{Double}, Type: Double, New: func() State {
			return &perGroup[variance]{
				add:   func(v *variance, r *Row) error { v.add(r.Float(0)); return nil },
				merge: func(v, o *variance) error { v.merge(o); return nil },
				result: func(v *variance, r *Row) error {
					r.F = math.Inf(-1)
					if v.n > lost {
						r.F = of(v.m2 / float64(v.n-lost))
					}
					return nil
				},
			}
		}}, plainDouble(args, 1)
	}
}

type products struct{ n, x, y, xy float64 }

func covariance(sample bool) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		return AggregateCall{
			Args: []Type{Double, Double}, Type: Double, SeesDefaults: true, NeverNull: true,
			New: func() State {
				return &perGroup[products]{
					add: func(p *products, r *Row) error {
						x, y := r.Float(0), r.Float(1)
						p.n, p.x, p.y, p.xy = p.n+1, p.x+x, p.y+y, p.xy+x*y
						return nil
					},
					merge: func(p, o *products) error {
						p.n, p.x, p.y, p.xy = p.n+o.n, p.x+o.x, p.y+o.y, p.xy+o.xy
						return nil
					},
					result: func(p *products, r *Row) error {
						switch {
						case p.n == 0 || sample && p.n == 1:
							r.F = math.Inf(-1)
						case sample:
							r.F = p.xy/(p.n-1) - p.x*p.y/(p.n*(p.n-1))
						default:
							r.F = p.xy/p.n - p.x*p.y/(p.n*p.n)
						}
						return nil
					},
				}
			},
		}, plainDouble(args, 2)
	}
}

// moments are the first four central moments, as sums, kept as numbers come.
type moments struct{ n, mean, m2, m3, m4 float64 }

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	dn := d / m.n
	dn2 := dn * dn
	m.mean += dn
	m2, m3 := m.m2, m.m3
	m.m2 += (m.n - 1) * d * dn
	m.m3 = m3 - 3*dn*m2 + (m.n-1)*(m.n-2)*dn2*d
	m.m4 = m.m4 - 4*dn*m3 + 6*dn2*m2 + (m.n*m.n-3*(m.n-1))*(dn2*dn2*(m.n-1)*m.n)
}

func (m *moments) merge(o *moments) {
	if o.n == 0 {
		return
	}
	if m.n == 0 {
		*m = *o
		return
	}
	n := m.n + o.n
	d := o.mean - m.mean
	d2 := d * d
	m4 := m.m4 + o.m4 + d2*d2*m.n*o.n*(m.n*m.n-m.n*o.n+o.n*o.n)/(n*n*n) +
		6*d2*(m.n*m.n*o.m2+o.n*o.n*m.m2)/(n*n) + 4*d*(m.n*o.m3-o.n*m.m3)/n
	m3 := m.m3 + o.m3 + d2*d*m.n*o.n*(m.n-o.n)/(n*n) + 3*d*(m.n*o.m2-o.n*m.m2)/n
	*m = moments{n: n, mean: m.mean + d*o.n/n, m2: m.m2 + o.m2 + d2*m.n*o.n/n, m3: m3, m4: m4}
}

// leastVariance is what counts as none.
const leastVariance = 10e-20

func (m *moments) skewness() float64 {
	v := m.m2 / (m.n - 1)
	switch {
	case m.n < 3:
		return math.NaN()
	case v < leastVariance:
		return 0
	}
	return m.n * m.m3 / ((m.n - 1) * (m.n - 2) * math.Sqrt(v) * v)
}

func (m *moments) kurtosis() float64 {
	v := m.m2 / (m.n - 1)
	switch {
	case m.n < 4:
		return math.NaN()
	case v < leastVariance:
		return 0
	}
	n := m.n
	return (n*(n+1)*m.m4 - 3*m.m2*m.m2*(n-1)) / ((n - 1) * (n - 2) * (n - 3) * v * v)
}

func shape(of func(*moments) float64) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		return AggregateCall{
			Args: []Type{Double}, Type: Double, SeesDefaults: true, NeverNull: true,
			New: func() State {
				return &perGroup[moments]{
					add:    func(m *moments, r *Row) error { m.add(r.Float(0)); return nil },
					merge:  func(m, o *moments) error { m.merge(o); return nil },
					result: func(m *moments, r *Row) error { r.F = of(m); return nil },
				}
			},
		}, plainDouble(args, 1)
	}
}

// resolveHistogram takes bins of one width, HISTOGRAM(x, lo, hi, n), or edges.
func resolveHistogram(args []Arg) (AggregateCall, error) {
	edges, err := binEdges(args)
	if err == nil {
		_, err = doubleArg(args[0], false)
	}
	return AggregateCall{Args: []Type{Double}, Type: DoubleArray, NeverNull: true, New: func() State {
		return &perGroup[[]float64]{
			add: func(bins *[]float64, r *Row) error {
				if *bins == nil {
					*bins = make([]float64, len(edges)-1)
				}
				if i, ok := binOf(edges, r.Float(0)); ok {
					(*bins)[i]++
				}
				return nil
			},
			merge: func(bins, o *[]float64) error {
				if *bins == nil {
					*bins = make([]float64, len(edges)-1)
				}
				for i, n := range *o {
					(*bins)[i] += n
				}
				return nil
			},
			result: func(bins *[]float64, r *Row) error {
				for i := range len(edges) - 1 {
					n := 0.0
					if *bins != nil {
						n = (*bins)[i]
					}
					r.AddFloat(n)
				}
				return nil
			},
			size: func(bins *[]float64) int { return 8 * cap(*bins) },
		}
	}}, err
}

// maxBins bounds the bins of a histogram.
const maxBins = 1 << 16

func binEdges(args []Arg) ([]float64, error) {
	var edges []float64
	switch len(args) {
	default:
		return nil, wrongNumber(args)
	case 2:
		if l := args[1].Literal; l != nil {
			for _, e := range l.List {
				edges = append(edges, e.Float64())
			}
		}
	case 4:
		lo, hi := args[1].Literal, args[2].Literal
		n, err := literalInt(args, 3, 0)
		if err != nil || lo == nil || hi == nil || n < 1 || n > maxBins {
			return nil, badValue("HISTOGRAM takes a lower and an upper end and 1 to %d bins", maxBins)
		}
		width := (hi.Float64() - lo.Float64()) / float64(n)
		for i := range n {
			edges = append(edges, lo.Float64()+float64(i)*width)
		}
		edges = append(edges, hi.Float64())
	}
	for i := range edges {
		if i > 0 && !(edges[i-1] < edges[i]) {
			return nil, badValue("the edges of a histogram must ascend")
		}
	}
	if len(edges) < 2 || len(edges) > maxBins+1 {
		return nil, badValue("a histogram has 1 to %d bins", maxBins)
	}
	return edges, nil
}

// binOf returns the bin that a number is in: lower ends belong to it, and the
// upper end of the last.
func binOf(edges []float64, x float64) (int, bool) {
	last := len(edges) - 1
	if !(x >= edges[0] && x <= edges[last]) {
		return 0, false
	}
	lo, hi := 0, last // edges[lo] <= x, and x < edges[hi] or hi is the last
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; edges[mid] <= x {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, true
}
