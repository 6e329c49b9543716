package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
)

// jsonLines returns every sample and every comparison of one-row tables, one a
// line.
func jsonLines(samples []sample, rows []oneRow) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	for _, one := range samples {
		if err := encoder.Encode(one); err != nil {
			return nil, err
		}
	}
	for _, one := range rows {
		if err := encoder.Encode(one); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// median returns the middle of values, or the mean of the two in the middle.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func medianOf(samples []sample) sample {
	of := func(figure func(sample) float64) float64 {
		var values []float64
		for _, one := range samples {
			values = append(values, figure(one))
		}
		return median(values)
	}
	return sample{
		Ns:     of(func(s sample) float64 { return s.Ns }),
		Bytes:  of(func(s sample) float64 { return s.Bytes }),
		Allocs: of(func(s sample) float64 { return s.Allocs }),
	}
}

// of returns the samples of one variant in one case, by pair.
func of(samples []sample, c tableCase, variant string) []sample {
	var some []sample
	for _, one := range samples {
		if one.tableCase == c && one.Variant == variant {
			some = append(some, one)
		}
	}
	return some
}

// faster returns the median, over the pairs, of how much faster ours are.
func faster(theirs, ours []sample) float64 {
	var ratios []float64
	for i := range min(len(theirs), len(ours)) {
		ratios = append(ratios, theirs[i].Ns/ours[i].Ns)
	}
	return median(ratios)
}

// summary returns the medians as Markdown.
func summary(s settings, jvm string, samples []sample, rows []oneRow) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "Medians of %d alternating pairs for each table, on %s with %d processors, %s and %s. A sample is the mean of %d × %v, ours of %d × %v.\n\n",
		s.pairs, processor(), runtime.NumCPU(), runtime.Version(), jvm, s.iterations, s.iteration, s.iterations, s.ourIteration())
	out.WriteString("| operation | rows | variant | µs | B | allocs | × Pinot, row buffer kept |\n")
	out.WriteString("| --- | ---: | --- | ---: | ---: | ---: | ---: |\n")
	for _, c := range cases() {
		names := []string{pinotAsIs, pinotKept}
		for _, v := range variants(c.Operation) {
			names = append(names, v.name)
		}
		baseline := of(samples, c, pinotKept)
		for _, name := range names {
			some := of(samples, c, name)
			m := medianOf(some)
			allocs := ""
			if m.Allocs >= 0 {
				allocs = fmt.Sprintf("%.0f", m.Allocs)
			}
			fmt.Fprintf(&out, "| %s %s | %d | %s | %s | %.0f | %s | %.2f |\n",
				c.Operation, strings.ToLower(c.Shape), c.Rows, name, micros(m.Ns), m.Bytes, allocs, faster(baseline, some))
		}
	}
	out.WriteString("\nTables of one row from a kept builder and from new ones, interleaved in one process:\n\n")
	out.WriteString("| operation | pairs | kept ns | new ns | new / kept | kept B | new B | kept allocs | new allocs |\n")
	out.WriteString("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		fmt.Fprintf(&out, "| %s %s | %d | %.0f | %.0f | %.2f | %.0f | %.0f | %.0f | %.0f |\n",
			r.Operation, strings.ToLower(r.Shape), r.Pairs, r.KeptNs, r.NewNs, r.Ratio, r.KeptBytes, r.NewBytes, r.KeptAllocs, r.NewAllocs)
	}
	return out.Bytes()
}

// micros prints nanoseconds as microseconds with three digits or more.
func micros(ns float64) string {
	switch us := ns / 1000; {
	case us >= 100:
		return fmt.Sprintf("%.0f", us)
	case us >= 10:
		return fmt.Sprintf("%.1f", us)
	case us >= 1:
		return fmt.Sprintf("%.2f", us)
	default:
		return fmt.Sprintf("%.3f", us)
	}
}

// processor names the machine's processor as far as it is known.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
