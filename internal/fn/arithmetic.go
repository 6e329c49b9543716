package fn

import "math"

// arithmetic is the family of + - * / and their kin. Over columns they work on
// doubles, as Pinot's do.
var arithmetic = []Scalar{
	{Name: "plus", Alias: []string{"add"}, Binary: addFloat64},
	{Name: "minus", Alias: []string{"sub"}, Binary: subFloat64},
	{Name: "times", Alias: []string{"mult"}, Binary: mulFloat64},
	{Name: "divide", Alias: []string{"div"}, Binary: divFloat64},
	{Name: "mod", Binary: modFloat64},
	{Name: "negate", Unary: negFloat64},
	{Name: "abs", Unary: absFloat64},
}

func addFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
}

func subFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
}

func mulFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
}

func divFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] / b[i]
	}
}

// modFloat64 is Java's %: the result has the sign of the dividend.
func modFloat64(dst, a, b []float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = math.Mod(a[i], b[i])
	}
}

func negFloat64(dst, a []float64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = -a[i]
	}
}

func absFloat64(dst, a []float64) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = math.Abs(a[i])
	}
}
