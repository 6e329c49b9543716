package answer

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestReadAll(t *testing.T) {
	answers, err := ReadAll(strings.NewReader(`
		{"engine": "A 1", "query": "q", "threads": 2, "medianMs": 1.5, "fileBytes": 9, "rows": [["x", 3, null]]}
		{"engine": "A 1", "query": "r", "threads": 2, "medianMs": 2, "rows": []}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(answers) != 2 || answers[0].MedianMs != 1.5 || answers[0].FileBytes != 9 || answers[1].Query != "r" {
		t.Fatalf("read %+v", answers)
	}
	if _, err := ReadAll(strings.NewReader(`{"query":`)); err == nil {
		t.Fatal("half an object was read without an error")
	}
}

func TestSame(t *testing.T) {
	row := func(values ...any) Answer { return Answer{Rows: [][]any{values}} }
	for _, c := range []struct {
		name string
		a, b Answer
		same bool
	}{
		{"equal", row("x", 3.0, nil), row("x", 3.0, nil), true},
		{"a last digit", row(6.895376757314890), row(6.895376757314894), true},
		{"a number", row(6.8953), row(6.8954), false},
		{"zeros", row(0.0), row(math.Copysign(0, -1)), true},
		{"null against zero", row(nil), row(0.0), false},
		{"text against number", row("1"), row(1.0), false},
		{"a column less", row("x", "y"), row("x"), false},
		{"a row less", row("x"), Answer{}, false},
	} {
		if got := Same(c.a, c.b) == nil; got != c.same {
			t.Errorf("%s: same is %t, want %t", c.name, got, c.same)
		}
	}
}

func TestMeasure(t *testing.T) {
	runs := 0
	_, rows, err := Measure(5, func() ([][]any, error) {
		runs++
		return [][]any{{float64(runs)}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if runs != 3+5 || rows[0][0] != 8.0 {
		t.Errorf("%d runs, the last gave %v; want 8", runs, rows)
	}
	broken := errors.New("broken")
	if _, _, err := Measure(1, func() ([][]any, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if _, _, err := Measure(0, nil); err == nil {
		t.Error("no repeats gave no error")
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{4, 1}, 2.5},
		{[]float64{9, 1, 5}, 5},
	} {
		if got := median(c.values); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.values, got, c.want)
		}
	}
}
