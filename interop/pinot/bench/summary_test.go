package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const jmhResults = `[
 {"jdkVersion": "17", "vmName": "VM", "params": {"reuse": "false", "rows": "1"},
  "primaryMetric": {"score": 300, "scoreUnit": "ns/op", "rawData": [[290, 310]]},
  "secondaryMetrics": {"gc.alloc.rate.norm": {"score": 96}}},
 {"jdkVersion": "17", "vmName": "VM", "params": {"reuse": "true", "rows": "1"},
  "primaryMetric": {"score": 200, "scoreUnit": "ns/op", "rawData": [[190], [210]]},
  "secondaryMetrics": {"gc.alloc.rate.norm": {"score": 48}}}
]`

func TestParseJMH(t *testing.T) {
	c := cases()[0]
	var jvm string
	got, err := parseJMH([]byte(jmhResults), c, &jvm)
	if err != nil {
		t.Fatal(err)
	}
	want := []sample{
		{tableCase: c, Variant: pinotAsIs, Ns: 300, Bytes: 96, Allocs: -1, IterationNs: []float64{290, 310}},
		{tableCase: c, Variant: pinotKept, Ns: 200, Bytes: 48, Allocs: -1, IterationNs: []float64{190, 210}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sample{}), cmp.Comparer(func(a, b tableCase) bool { return a == b })); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if jvm != "VM 17" {
		t.Errorf("the machine is %q", jvm)
	}
}

func TestParseJMHRefuses(t *testing.T) {
	for _, text := range []string{``, `[]`, strings.ReplaceAll(jmhResults, "ns/op", "ops/s"), strings.ReplaceAll(jmhResults, "gc.", "")} {
		var jvm string
		if got, err := parseJMH([]byte(text), cases()[0], &jvm); err == nil {
			t.Errorf("%.20q gives %v", text, got)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1}, 5}, {[]float64{7, 1, 2}, 2}} {
		if got := median(c.values); got != c.want {
			t.Errorf("the median of %v is %v, not %v", c.values, got, c.want)
		}
	}
}

// Every case and every variant has its line, with the ratios of its pairs.
func TestSummary(t *testing.T) {
	var samples []sample
	for pair := range 3 {
		for _, c := range cases() {
			samples = append(samples,
				sample{tableCase: c, Variant: pinotKept, Pair: pair, Ns: 6000, Allocs: -1},
				sample{tableCase: c, Variant: oursRows, Pair: pair, Ns: 2000})
		}
	}
	text := string(summary(settings{pairs: 3}, "VM", samples, nil))
	for _, want := range []string{
		"| build numeric | 5000 | ours, row by row | 2.00 | 0 | 0 | 3.00 |\n",
		"| serialize mixed | 1 | " + pinotKept + " | 6.00 | 0 |  | 1.00 |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
