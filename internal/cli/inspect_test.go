package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestInspect(t *testing.T) {
	got := mustRun(t, "inspect", flights)
	for _, want := range []string{
		"336,776 rows, 19 columns, ", "time_hour       TIMESTAMP", "tailnum         VARCHAR", "2,512  D942DN  N9EAMQ",
		"stripe 0: ", "Nullable(data: ", "RLE(run lengths: ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestInspectHelp wants the words of the tree that the help shows to be those of
// real trees.
func TestInspectHelp(t *testing.T) {
	_, tree, _ := strings.Cut(mustRun(t, "inspect", "--help"), "    Nullable(")
	tree, _, _ = strings.Cut(tree, "\n")
	words := strings.FieldsFunc(tree, func(r rune) bool { return strings.ContainsRune("():,+", r) })
	got := mustRun(t, "inspect", flights)
	for _, word := range words {
		if !strings.Contains(got, strings.TrimSpace(word)) {
			t.Errorf("the output has no %q", word)
		}
	}
	if len(words) < 8 {
		t.Errorf("the help's tree is %q", tree)
	}
}

func TestInspectJSON(t *testing.T) {
	var r fileReport
	d := json.NewDecoder(strings.NewReader(mustRun(t, "inspect", "--json", flights)))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if r.Rows != 336_776 || len(r.Columns) != 19 || len(r.Stripes) == 0 {
		t.Errorf("%d rows, %d columns, %d stripes", r.Rows, len(r.Columns), len(r.Stripes))
	}
	total := uint64(0)
	for _, c := range r.Columns {
		total += c.Bytes
	}
	for _, s := range r.Stripes {
		for _, stream := range s.Streams {
			rows := 0
			for _, c := range stream.Chunks {
				rows += c.Encoding.Rows
			}
			if rows != int(s.Rows) {
				t.Errorf("stream %d of %s has %d rows, its stripe %d", stream.ID, stream.Path, rows, s.Rows)
			}
			total -= stream.Bytes
		}
	}
	if total != 0 {
		t.Errorf("columns and streams differ by %d bytes", int64(total))
	}
}

func TestBounds(t *testing.T) {
	csv := write(t, "t.csv", "d,x,s\n2013-01-31,1.5,b\n1969-12-31,-2.5,\"a\"\n")
	out := csv + ".nimble"
	mustRun(t, "convert", csv, out)
	var r fileReport
	if err := json.Unmarshal([]byte(mustRun(t, "inspect", "--json", out)), &r); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2]string{{"1969-12-31", "2013-01-31"}, {"-2.5", "1.5"}, {"a", "b"}} {
		if s := r.Columns[i].Stats; s.Least != want[0] || s.Greatest != want[1] {
			t.Errorf("column %s goes from %q to %q, want %q", r.Columns[i].Name, s.Least, s.Greatest, want)
		}
	}
}
