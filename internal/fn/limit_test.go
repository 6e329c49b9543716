package fn

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func textValue(s string) Value { return Value{Type: String, S: s} }

func wholeOf(i int64) Value { return Value{Type: Int, I: i} }

// What a function is told to make of a few bytes is bounded, whichever it is.
func TestResultsAreBounded(t *testing.T) {
	long := strings.Repeat("ab", 200_000)
	slashes := "http://a" + strings.Repeat("/b", 20_000)
	var numbers strings.Builder
	for i := range 2000 {
		fmt.Fprint(&numbers, i)
	}
	for name, args := range map[string][]Value{
		"repeat":             {textValue("ab"), wholeOf(1 << 30)},
		"lpad":               {textValue("ab"), wholeOf(1 << 30), textValue("x")},
		"replace":            {textValue(long), textValue("a"), textValue(long)},
		"regexpreplace":      {textValue(long), textValue("a"), textValue(long)},
		"regexpreplacevar":   {textValue(long), textValue("(a.*)"), textValue(strings.Repeat("$1", 1000))},
		"prefixes":           {textValue(long), wholeOf(1 << 30)},
		"suffixes":           {textValue(long), wholeOf(1 << 30)},
		"prefixeswithprefix": {textValue(long), wholeOf(1 << 30), textValue("x")},
		"uniquengrams":       {textValue(numbers.String()), wholeOf(1), wholeOf(1 << 30)},
		"urlhierarchy":       {textValue(slashes)},
		"urlpathhierarchy":   {textValue(slashes)},
		"generateintarray":   {wholeOf(1), wholeOf(1 << 30), wholeOf(1)},
		"generatefloatarray": {{Type: Float, F: 1}, {Type: Float, F: 1e9}, {Type: Float, F: 1}},
		"arraysliceint":      {{Type: IntArray, List: []Value{wholeOf(1)}}, wholeOf(0), wholeOf(1 << 30)},
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := Lookup(name).Evaluate(nil, args); !errors.Is(err, ErrValue) {
				t.Errorf("%d bytes, %d elements, error %v", len(v.S), len(v.List), err)
			}
		})
	}
}

// A function that only passes a long value on is not limited by what others may make.
func TestLongValuesPass(t *testing.T) {
	long := strings.Repeat("x", longestValue+1)
	for name, args := range map[string][]Value{
		"upper":   {textValue(long)},
		"concat":  {textValue(long), textValue(long)},
		"reverse": {textValue(long)},
	} {
		if _, err := Lookup(name).Evaluate(nil, args); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Functions that take long look at the query's context while they work.
func TestWorkEndsWithTheContext(t *testing.T) {
	long := strings.Repeat("ab", 250_000)
	list := Value{Type: StringArray}
	for range 100 {
		list.List = append(list.List, textValue(long))
	}
	for name, args := range map[string][]Value{
		"levenshteindistance": {textValue(long), textValue(long)},
		"uniquengrams":        {textValue(strings.Repeat("a", 400_000)), wholeOf(1), wholeOf(1 << 30)},
		"uniquengramsmv":      {list, wholeOf(1000)},
		"strrpos":             {textValue(strings.Repeat("a", 1_000_000)), textValue(strings.Repeat("a", 400_000) + "b")},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			if _, err := Lookup(name).Evaluate(NewMeter(ctx, nil), args); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestRegularExpressionsAreBounded(t *testing.T) {
	for _, pattern := range []string{"(a{500}){500}", "(((a{30}){30}){30}){30}", strings.Repeat("[a-z]{900}", 30)} {
		if _, err := CompileRegexp(pattern, ""); !errors.Is(err, ErrValue) {
			t.Errorf("%.30s: error %v", pattern, err)
		}
	}
	re, err := CompileRegexp("(x+x+){200}y", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := re.Match(nil, []byte(strings.Repeat("x", 1<<20))); !errors.Is(err, ErrValue) {
		t.Errorf("error %v", err)
	}
	if found, err := re.Match(nil, []byte(strings.Repeat("x", 400)+"y")); !found || err != nil {
		t.Errorf("%v, %v", found, err)
	}
}

func TestBudget(t *testing.T) {
	whole := NewBudget("all", 100, nil)
	a, b := NewBudget("a", 80, whole), NewBudget("b", 80, whole)
	check := func(err error, fails bool) {
		t.Helper()
		if errors.Is(err, ErrMemory) != fails {
			t.Errorf("error %v", err)
		}
	}
	check(a.Hold(60), false)
	check(a.Hold(30), true) // its own limit
	check(b.Hold(50), true) // that of the whole
	check(b.Hold(40), false)
	check(a.Hold(-20), false)
	check(b.Hold(20), false)
	if a.UsedBytes() != 40 || b.UsedBytes() != 60 || whole.UsedBytes() != 100 {
		t.Errorf("%d, %d, %d bytes", a.UsedBytes(), b.UsedBytes(), whole.UsedBytes())
	}
	a.Release()
	b.Release()
	if whole.UsedBytes() != 0 {
		t.Errorf("%d bytes are left", whole.UsedBytes())
	}
}
