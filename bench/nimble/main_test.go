package main

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestRecordedFiguresAreWhole(t *testing.T) {
	reads, err := recordedReads()
	if err != nil {
		t.Fatal(err)
	}
	if len(reads) != 221 {
		t.Errorf("%d cases of encodings, want 221", len(reads))
	}
	batches, err := recordedBatches()
	if err != nil {
		t.Fatal(err)
	}
	if len(batches) != 40 {
		t.Errorf("%d cases of batches, want 40", len(batches))
	}
	for _, r := range batches {
		found := false
		for _, p := range patterns() {
			found = found || p.name == r.pattern
		}
		if !found {
			t.Errorf("no pattern %q", r.pattern)
		}
	}
	c, err := recordedCalibration()
	if err != nil || c.memoryGBs == 0 || c.cacheGBs == 0 || c.chainNs == 0 {
		t.Errorf("calibration %+v, %v", c, err)
	}
}

// A case of each part, checked and reported.
func TestMeasure(t *testing.T) {
	quick := effort{repeats: 1}
	only := regexp.MustCompile(`^(int32/sorted/Delta/none|string/lowcard64/Dictionary/none|constant)$`)
	r, err := measure(only, "encodings,batches", "", quick, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.reads) != 2 || len(r.batches) != 4 {
		t.Fatalf("%d arrays and %d batches measured", len(r.reads), len(r.batches))
	}
	for _, m := range r.batches {
		if m.pool == "pool" && m.later.mallocs > m.allocatorCalls {
			t.Errorf("%s: %d allocations of warm batches, %d of the first", m.form, m.later.mallocs, m.allocatorCalls)
		}
	}
	var b bytes.Buffer
	r.write(&b)
	for _, want := range []string{"| int32 | sorted | Delta | none | 4.00 | 4.00 |", "| constant | columns | nopool |", "| **together** | 2 |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// The rotation takes nothing from the heap from the second round on and holds
// less than three times what its largest batch needs.
func TestMeasureRotation(t *testing.T) {
	all, err := measureRotations(effort{repeats: 1}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.heldBytes >= 3*m.largestBytes || m.allocatorCalls == 0 {
			t.Errorf("%+v", m)
		}
	}
}

func TestMeasureCores(t *testing.T) {
	all, err := measureCores(io.Discard, time.Millisecond, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.millionsMs <= 0 || m.heldBytes == 0 {
			t.Errorf("%+v", m)
		}
	}
}

func TestParseCalibration(t *testing.T) {
	c, err := parseCalibration([]byte("memcpy 64 MiB: 7.84 GB/s\nmemcpy 16 KiB in cache: 156.00 GB/s\n" +
		"xorshift64 chain (scalar latency): 2.300 ns per step\n"))
	if want := (calibration{7.84, 156, 2.3}); err != nil || c != want {
		t.Errorf("%+v, %v, want %+v", c, err, want)
	}
	if _, err := parseCalibration([]byte("memcpy 64 MiB: 7.84 GB/s\n")); err == nil {
		t.Error("loops are missing, and no error")
	}
}

func TestDataSetsHaveTheirShape(t *testing.T) {
	distinct := func(xs []uint64) int {
		seen := map[uint64]bool{}
		for _, x := range xs {
			seen[x] = true
		}
		return len(seen)
	}
	for name, want := range map[string]int{"uniform10bit": 1024, "lowcard64": 64, "runs10_60": 1000, "constant": 1} {
		next, err := integers(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := distinct(generate(next)); got != want {
			t.Errorf("%s: %d distinct values, want %d", name, got, want)
		}
	}
}
