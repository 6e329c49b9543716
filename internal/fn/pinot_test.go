package fn

import (
	"slices"
	"testing"
)

func TestInPinot(t *testing.T) {
	for name, want := range map[string]bool{
		"upper": true, "UPPER": true, "REGEXP_EXTRACT": true, "distinctCountHLL": true, "percentileTDigest": true,
		"percentile95": true, "PERCENTILE_EST_50_MV": true, "percentile": true, "json_match": true,
		"frobnicate": false, "upper2": false, "": false, "percentiles": false,
	} {
		if got := InPinot(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}

// TestPinotNamesCanBeSearched wants the list sorted and in the form that names are
// looked up in, and every function that is run on it.
func TestPinotNamesCanBeSearched(t *testing.T) {
	names := pinotNames()
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("the names are not sorted, or not unique")
	}
	for _, name := range names {
		if Canonical(name) != name {
			t.Errorf("%s is not canonical", name)
		}
	}
	for name := range aggregateByName {
		if !InPinot(name) {
			t.Errorf("the aggregate %s is not Pinot's", name)
		}
	}
	for name := range functionByName {
		if !InPinot(name) {
			t.Errorf("the function %s is not Pinot's", name)
		}
	}
}
