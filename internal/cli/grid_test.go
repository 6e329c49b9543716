package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
)

// draw writes rows of text as a table.
func draw(t *testing.T, s screen, columns []gridColumn, rows ...[]string) string {
	t.Helper()
	var out bytes.Buffer
	g := newGrid(&out, s, columns)
	for _, row := range rows {
		cells := make([]cell, len(row))
		for i, text := range row {
			cells[i] = cell{text: text, null: text == "<null>"}
		}
		if err := g.add(cells); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGrid(t *testing.T) {
	columns := []gridColumn{{"name", false}, {"n", true}}
	got := draw(t, screen{}, columns, []string{"日本", "1"}, []string{"a\tb\x1b[2J\n", "<null>"})
	want := "name                n\n" +
		"---------------  ----\n" +
		"日本                1\n" +
		`a\tb\u001b[2J\n  NULL` + "\n"
	if got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

func TestGridOfNothing(t *testing.T) {
	if got, want := draw(t, screen{}, []gridColumn{{"a", false}}), "a\n-\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := draw(t, screen{}, nil), "\n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestGridFitsTheScreen wants no line wider than the terminal, numbers whole, and
// what is left out named.
func TestGridFitsTheScreen(t *testing.T) {
	const width = 60
	columns := []gridColumn{{"text", false}, {"number", true}, {"more", false}, {"last", true}}
	long := strings.Repeat("日", 100)
	got := draw(t, screen{terminal: true, width: width}, columns, []string{long, "123", "more than fits", "4"})
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	for _, line := range lines[:3] {
		if n := lipgloss.Width(line); n > width {
			t.Errorf("%d cells: %s", n, line)
		}
	}
	if !strings.Contains(lines[2], "日…") || !strings.Contains(lines[2], " 123") {
		t.Errorf("the row is %s", lines[2])
	}
	if want := "(1 row) columns without room: more, last; --format csv shows all"; lines[3] != want {
		t.Errorf("%q, want %q", lines[3], want)
	}
}

// TestGridStreams wants rows written before the last is known.
func TestGridStreams(t *testing.T) {
	var out bytes.Buffer
	g := newGrid(&out, screen{}, []gridColumn{{"n", true}})
	for i := range sizingRows {
		if out.Len() > 0 {
			t.Fatalf("something is written after %d rows", i)
		}
		if err := g.add([]cell{{text: fmt.Sprint(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if lines := strings.Count(out.String(), "\n"); lines != sizingRows+2 {
		t.Errorf("%d lines after %d rows", lines, sizingRows)
	}
	before := out.Len()
	if err := g.add([]cell{{text: "123456"}}); err != nil {
		t.Fatal(err)
	}
	if got := out.String()[before:]; got != "123456\n" {
		t.Errorf("the next row is %q", got)
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
