package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/decantdb/decant/vector"
)

// valueCount is the number of values of each data set.
const valueCount = 1_000_000

// generator makes the values of a data set one after the other.
type generator[V any] func(r *rand.Rand) V

// generate returns the values of a data set, the same in each run.
func generate[V any](next generator[V]) []V {
	r := rand.New(rand.NewPCG(20, 26))
	values := make([]V, valueCount)
	for i := range values {
		values[i] = next(r)
	}
	return values
}

// mostly returns common in 95 of 100 draws.
func mostly[V any](common V, other generator[V]) generator[V] {
	return func(r *rand.Rand) V {
		if r.IntN(100) < 95 {
			return common
		}
		return other(r)
	}
}

// inRuns repeats each draw 10 to 59 times.
func inRuns[V any](next generator[V]) generator[V] {
	var x V
	left := 0
	return func(r *rand.Rand) V {
		if left == 0 {
			x, left = next(r), 10+r.IntN(50)
		}
		left--
		return x
	}
}

// below draws from [0, n).
func below(n uint64) generator[uint64] {
	return func(r *rand.Rand) uint64 { return r.Uint64N(n) }
}

// rising adds a draw from [0, steps) each time.
func rising(steps uint64) generator[uint64] {
	var at uint64
	return func(r *rand.Rand) uint64 {
		at += r.Uint64N(steps)
		return at
	}
}

func integers(name string) (generator[uint64], error) {
	switch name {
	case "uniform10bit":
		return below(1024), nil
	case "uniform_full":
		return (*rand.Rand).Uint64, nil
	case "mainly95":
		return mostly(42, (*rand.Rand).Uint64), nil
	case "runs10_60":
		return inRuns(below(1000)), nil
	case "lowcard64":
		return func(r *rand.Rand) uint64 { return r.Uint64N(64) * 1000003 }, nil
	case "sorted":
		return rising(10), nil
	case "outliers2pct":
		return func(r *rand.Rand) uint64 {
			if r.IntN(50) == 0 {
				return r.Uint64N(1 << 30)
			}
			return r.Uint64N(128)
		}, nil
	case "constant":
		return func(*rand.Rand) uint64 { return 42 }, nil
	}
	return nil, fmt.Errorf("unknown integers %q", name)
}

// doubles returns the bits of floats.
func doubles(name string) (generator[uint64], error) {
	var next generator[float64]
	hundredths := func(r *rand.Rand) float64 { return float64(r.IntN(10_000_000)) / 100 }
	switch name {
	case "decimals2":
		next = hundredths
	case "random01":
		next = (*rand.Rand).Float64
	case "mainly95":
		next = mostly(42.5, func(r *rand.Rand) float64 { return float64(r.IntN(100_000)) / 100 })
	case "lowcard64":
		next = func(r *rand.Rand) float64 { return float64(r.IntN(64)) * 0.27 }
	case "runs10_60":
		next = inRuns(func(r *rand.Rand) float64 { return float64(r.IntN(1000)) / 8 })
	default:
		return nil, fmt.Errorf("unknown doubles %q", name)
	}
	return func(r *rand.Rand) uint64 { return math.Float64bits(next(r)) }, nil
}

func texts(name string) (generator[string], error) {
	numbered := func(format string, next generator[uint64]) generator[string] {
		return func(r *rand.Rand) string { return fmt.Sprintf(format, next(r)) }
	}
	switch name {
	case "rand10_20":
		return func(r *rand.Rand) string {
			var b [20]byte
			n := 10 + r.IntN(11)
			for i := range n {
				b[i] = byte('a' + r.IntN(26))
			}
			return string(b[:n])
		}, nil
	case "lowcard64":
		return numbered("category_number%d", below(64)), nil
	case "urls":
		hosts := []string{"shop", "www", "news", "images", "mail", "static", "blog", "login", "maps", "video"}
		parts := []string{"item", "search", "articles", "users", "en", "account", "cart", "posts"}
		return func(r *rand.Rand) string {
			return fmt.Sprintf("https://%s.example.com/%s/%s?id=%d",
				hosts[r.IntN(len(hosts))], parts[r.IntN(len(parts))], parts[r.IntN(len(parts))], r.IntN(1300))
		}, nil
	case "sorted_prefix":
		return numbered("tenant/production/customers/%09d", rising(5)), nil
	case "runs10_60":
		return inRuns(numbered("some-state%d", below(1000))), nil
	}
	return nil, fmt.Errorf("unknown strings %q", name)
}

// viewsOf returns views of the strings, which are copied to one buffer.
func viewsOf(values []string) ([]vector.View, [][]byte) {
	var buffer []byte
	for _, s := range values {
		buffer = append(buffer, s...)
	}
	views := make([]vector.View, len(values))
	at := 0
	for i, s := range values {
		end := at + len(s)
		views[i] = vector.MakeView(buffer[at:end], 0, uint32(at))
		at = end
	}
	return views, [][]byte{buffer}
}
