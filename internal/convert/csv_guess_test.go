package convert

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	parquet "github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/decantdb/decant/nimble"
)

// TestNotUTF8 has a column of bytes. They stay in CSV, and are binary in Parquet.
func TestNotUTF8(t *testing.T) {
	dir := t.TempDir()
	text := "name,n,ascii\ncaf\xe9,1,\"12\"\n12,2,x\n,3,\n\"a,\"\"\xff\",4,y\n"
	want := strings.Replace(text, "\n12,", "\n\"12\",", 1) // which would be a number alone
	in := writeFile(t, "in.csv", text)
	for _, name := range []string{"a.nimble", "b.parquet", "c.csv"} {
		out := filepath.Join(dir, name)
		stats, err := Convert(t.Context(), in, out, Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if note := "column name is VARBINARY because it is not UTF-8 in line 2"; strings.HasSuffix(in, ".csv") != slices.Equal(stats.Notes, []string{note}) {
			t.Errorf("%s: notes %q", in, stats.Notes)
		}
		in = out
	}
	if got, err := os.ReadFile(in); err != nil || string(got) != want {
		t.Errorf("%q %v, want %q", got, err, want)
	}
	r, err := parquet.OpenParquetFile(filepath.Join(dir, "b.parquet"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, isText := range []bool{false, false, true} {
		logical := r.MetaData().Schema.Column(i).LogicalType()
		if _, ok := logical.(schema.StringLogicalType); ok != isText {
			t.Errorf("column %d is %v", i, logical)
		}
	}
	src, err := OpenSource(t.Context(), in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	got, err := drain(src, FormatJSONL, Options{})
	if first, _, _ := strings.Cut(got, "\n"); err != nil || first != `{"name":"636166e9","n":1,"ascii":"12"}` {
		t.Errorf("%s %v", first, err)
	}
}

// TestNotes has columns that are text because of a text that may stand for null.
func TestNotes(t *testing.T) {
	const is = "column v is VARCHAR because of "
	for _, c := range []struct {
		values []string
		nulls  []string
		want   string
	}{
		{values: []string{"1", "NA", "2", "NA"}, want: is + `"NA" in line 3; --null NA would read it as null`},
		{values: []string{"N/A", "1.5", "2"}, want: is + `"N/A" in line 2; --null N/A would read it as null`},
		{values: []string{"2013-01-31", "", "?"}, want: is + `"?" in line 4; --null '?' would read it as null`},
		{values: []string{"true", "-", "-"}, want: is + `"-" in line 3; --null - would read it as null`},
		{values: []string{"1", "NULL", "None"}, nulls: []string{"None"}, want: is + `"NULL" in line 3; --null NULL would read it as null`},
		{values: []string{"1", "NA", "2"}, nulls: []string{"NA"}},
		{values: []string{"1", "NA", "NULL"}},
		{values: []string{"1", "NA", "x"}},
		{values: []string{"NA", "NA"}},
		{values: []string{"1", `"NA"`}},
		{values: []string{"1", "NA", `"2"`}},
		{values: []string{"1", "2"}},
		{values: []string{"x", "NA"}},
	} {
		in := writeFile(t, "in.csv", column(c.values...))
		stats, err := Convert(t.Context(), in, in+".nimble", Options{Nulls: c.nulls}, nil)
		if got := strings.Join(stats.Notes, "|"); err != nil || got != c.want {
			t.Errorf("%q: notes %q %v, want %q", c.values, got, err, c.want)
		}
		for _, note := range stats.Notes {
			_, text, _ := strings.Cut(note, "--null ")
			text, _, _ = strings.Cut(text, " would")
			src, err := openText(t, column(c.values...), Options{Nulls: append(c.nulls, strings.Trim(text, "'"))})
			if err != nil || src.Schema().Children[0].Kind == nimble.Varchar {
				t.Errorf("%q: the advice does not help: %v", c.values, err)
			}
		}
	}
}
