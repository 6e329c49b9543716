package main

import (
	"strings"
	"testing"

	"github.com/decantdb/decant/bench/answer"
)

func answers(engine string, medianMs float64, rows ...[]any) []answer.Answer {
	return []answer.Answer{{Engine: engine, Query: "q", Threads: 1, MedianMs: medianMs, Rows: rows}}
}

func TestMatchRefuses(t *testing.T) {
	good := answers("A", 1, []any{"x", 1.0})
	otherThreads := answers("B", 1, []any{"x", 1.0})
	otherThreads[0].Threads = 2
	for name, theirs := range map[string][]answer.Answer{
		"another row":    answers("B", 1, []any{"x", 2.0}),
		"a row more":     answers("B", 1, []any{"x", 1.0}, []any{"y", 1.0}),
		"other threads":  otherThreads,
		"nothing at all": nil,
	} {
		if _, err := match(good, theirs); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestReport(t *testing.T) {
	pairs, err := match(answers("A 1", 2, []any{1.0}), answers("B 2", 3, []any{1.0}))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := report(&out, pairs); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"A 1 ms", "B 2 ms", "2.00", "3.00", "1.50"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, out.String())
		}
	}
}
