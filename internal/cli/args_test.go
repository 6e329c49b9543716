package cli

import (
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

func TestArrange(t *testing.T) {
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want []string }{
		{nil, []string{"--help"}},
		{[]string{"query", "SQL", "a", "--null", "NA", "b"}, []string{"query", "--null=NA", "--", "SQL", "a", "b"}},
		{[]string{"query", "SQL", "a", "--stats", "b"}, []string{"query", "--stats", "--", "SQL", "a", "b"}},
		{[]string{"query", "--null", "", "--null=-", "SQL"}, []string{"query", "--null=", "--null=-", "--", "SQL"}},
		{[]string{"query", "-- why\nSELECT 1", "-"}, []string{"query", "--", "-- why\nSELECT 1", "-"}},
		{[]string{"cat", "--", "--columns", "--"}, []string{"cat", "--", "--columns", "--"}},
		{[]string{"convert", "a", "--no-progress", "b"}, []string{"convert", "--no-progress", "--", "a", "b"}},
		{[]string{"cat", "a", "--columns"}, []string{"cat", "a", "--columns"}},
		{[]string{"frobnicate", "--null", "NA"}, []string{"frobnicate", "--null", "NA"}},
	} {
		if diff := cmp.Diff(c.want, arrange(parser.Model, c.args)); diff != "" {
			t.Errorf("%q: %s", c.args, diff)
		}
	}
}

func TestFlagsAmongFiles(t *testing.T) {
	a, b := write(t, "a.csv", "n\n1\nNA\n"), write(t, "b.csv", "n\n2\n--\n")
	got := mustRun(t, "query", "SELECT n FROM t", "t="+a, "--null", "NA", "t="+b, "--format", "csv", "--null", "--")
	if want := "n\n1\nNA\n2\nNA\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
