package convert

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble"
)

func TestFormats(t *testing.T) {
	for name, want := range map[string]Format{
		"a.nimble": FormatNimble, "b.PARQUET": FormatParquet, "c.csv": FormatCSV, "d.tsv": FormatCSV,
		"e.jsonl": FormatJSONL, "f.ndjson": FormatJSONL, "g.txt": FormatAuto, "h": FormatAuto,
	} {
		if got := FormatOfName(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for f := FormatNimble; f <= FormatJSONL; f++ {
		if got, err := ParseFormat(strings.ToUpper(f.String())); err != nil || got != f {
			t.Errorf("%v: %v, %v", f, got, err)
		}
	}
	for _, name := range []string{"", "xls"} {
		if _, err := ParseFormat(name); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: error %v", name, err)
		}
	}
	for content, want := range map[string]Format{
		"": FormatCSV, "a,b\n": FormatCSV, "PAR1": FormatCSV, "PAR1PAR1": FormatParquet, "....\xfa\xa1": FormatNimble,
	} {
		if got, err := FormatOfFile(writeFile(t, "a", content)); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", content, got, err, want)
		}
	}
}

// TestConvertContent converts a file whose name says something else than its
// content, with a tab between fields.
func TestConvertContent(t *testing.T) {
	dir := t.TempDir()
	in := writeFile(t, "in.tsv", "a\tb\n1\tx,y\n")
	middle, out := filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")
	stats, err := Convert(t.Context(), in, middle, Options{To: FormatNimble}, nil)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(middle)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Stats{Rows: 1, BytesIn: 10, BytesOut: info.Size()}); !reflect.DeepEqual(stats, want) {
		t.Errorf("stats %v, want %v", stats, want)
	}
	if _, err := Convert(t.Context(), middle, out, Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); err != nil || string(got) != "a,b\n1,\"x,y\"\n" {
		t.Errorf("%q %v", got, err)
	}
}

// TestConvertAtomic has conversions that end early. What was there stays, and
// nothing else is.
func TestConvertAtomic(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out.nimble")
	if err := os.WriteFile(out, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	many := "n\n" + strings.Repeat("1\n", 100_000)
	cancelled, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, c := range []struct {
		name, text string
		ctx        context.Context
		out        string
		o          Options
		progress   func(done, total int64)
	}{
		{name: "bad value", text: many + "x\n", o: Options{Schema: parseSchema(t, "n INTEGER")}},
		{name: "cancelled", text: many, ctx: cancelled, progress: func(done, total int64) {
			if 4*done > 3*total {
				cancel()
			}
		}},
		{name: "no format", text: "n\n1\n", out: filepath.Join(dir, "out")},
		{name: "no folder", text: "n\n1\n", out: filepath.Join(dir, "none", "out.csv")},
		{name: "not for Parquet", text: "t\n0001-01-01T00:00:00.123456789Z\n", out: filepath.Join(dir, "x.parquet")},
	} {
		if c.ctx == nil {
			c.ctx = t.Context()
		}
		if c.out == "" {
			c.out = out
		}
		if stats, err := Convert(c.ctx, writeFile(t, "in.csv", c.text), c.out, c.o, c.progress); err == nil {
			t.Errorf("%s: no error, but %v", c.name, stats)
		}
	}
	if cancelled.Err() == nil {
		t.Error("progress never came to three quarters")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil || string(got) != "before" || len(entries) != 1 {
		t.Errorf("%q %v, entries %v", got, err, entries)
	}
	if _, err := Convert(t.Context(), writeFile(t, "in.csv", many), out, Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if f, err := FormatOfFile(out); err != nil || f != FormatNimble {
		t.Errorf("%v %v", f, err)
	}
}

// TestProgress goes up to the total, for every kind of source.
func TestProgress(t *testing.T) {
	dir := t.TempDir()
	in := "testdata/flights.csv"
	for _, name := range []string{"a.nimble", "b.parquet", "c.csv"} {
		var last, all int64
		_, err := Convert(t.Context(), in, filepath.Join(dir, name), Options{}, func(done, total int64) {
			if done < last || done > total || total <= 0 {
				t.Errorf("%s: %d of %d after %d", name, done, total, last)
			}
			last, all = done, total
		})
		if err != nil {
			t.Fatal(err)
		}
		if last != all || all == 0 {
			t.Errorf("%s: ends with %d of %d", name, last, all)
		}
		in = filepath.Join(dir, name)
	}
}

// TestSources checks what all sources have in common.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	csv := writeFile(t, "a.csv", "a,b,c\n1,x,true\n2,,false\n")
	paths := map[string]string{"csv": csv}
	for _, ext := range []string{"nimble", "parquet"} {
		paths[ext] = filepath.Join(dir, "a."+ext)
		if _, err := Convert(t.Context(), csv, paths[ext], Options{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for name, path := range paths {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				columns []int
				want    string
			}{
				{[]int{0, 1, 2}, "{\"a\":1,\"b\":\"x\",\"c\":true}\n{\"a\":2,\"b\":null,\"c\":false}\n"},
				{[]int{2, 0}, "{\"c\":true,\"a\":1}\n{\"c\":false,\"a\":2}\n"},
				{[]int{1}, "{\"b\":\"x\"}\n{\"b\":null}\n"},
				{[]int{}, "{}\n{}\n"},
			} {
				src, err := OpenSource(t.Context(), path, Options{BatchRows: 1})
				if err != nil {
					t.Fatal(err)
				}
				if n, known := src.Rows(); known != (name != "csv") || known && n != 2 {
					t.Errorf("%d rows, known: %t", n, known)
				}
				if err := src.Project([]int{3}); !errors.Is(err, nimble.ErrSchema) {
					t.Errorf("column 3 of 3: error %v", err)
				}
				if err := src.Project(c.columns); err != nil {
					t.Fatal(err)
				}
				if got, err := drain(src, FormatJSONL, Options{}); err != nil || got != c.want {
					t.Errorf("columns %v: %v %s", c.columns, err, got)
				}
				if err := src.Close(); err != nil {
					t.Error(err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			src, err := OpenSource(ctx, path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			cancel()
			if _, err := src.Next(); !errors.Is(err, context.Canceled) {
				t.Errorf("after the context has ended: %v", err)
			}
			if err := src.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOpenErrors(t *testing.T) {
	for name, path := range map[string]string{
		"none":    filepath.Join(t.TempDir(), "none"),
		"folder":  t.TempDir(),
		"nimble":  writeFile(t, "a", strings.Repeat(".", 30)+"\xfa\xa1"),
		"parquet": writeFile(t, "a", "PAR1........PAR1"),
		"empty":   writeFile(t, "a", ""),
	} {
		if _, err := OpenSource(t.Context(), path, Options{}); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if _, err := NewSink(&bytes.Buffer{}, FormatAuto, parseSchema(t, "a INTEGER"), Options{}); !errors.Is(err, ErrFormat) {
		t.Errorf("a sink of no format: error %v", err)
	}
}
