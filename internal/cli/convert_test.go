package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConvert(t *testing.T) {
	csv := write(t, "in.csv", "id,v\n007,1.5\n008,NA\n")
	dir := filepath.Dir(csv)
	nimble, parquet, back := filepath.Join(dir, "t.nimble"), filepath.Join(dir, "t.parquet"), filepath.Join(dir, "back.csv")
	mustRun(t, "convert", "--null", "NA", csv, nimble)
	mustRun(t, "convert", nimble, parquet)
	mustRun(t, "convert", "--null", "NA", parquet, back)
	want, err := os.ReadFile(csv)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(back)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), `"`, "") != string(want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestConvertSchema(t *testing.T) {
	csv := write(t, "in.csv", "zip,n\n1,2\n")
	out := filepath.Join(filepath.Dir(csv), "t.nimble")
	mustRun(t, "convert", "--schema", "zip VARCHAR", csv, out)
	if got, want := mustRun(t, "cat", "--format", "jsonl", out), `{"zip":"1","n":2}`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	ddl := write(t, "schema.ddl", "n DOUBLE\n")
	mustRun(t, "convert", "--schema", "@"+ddl, csv, out)
	if got, want := mustRun(t, "cat", "--format", "jsonl", out), `{"zip":1,"n":2.0}`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestConvertSaysWhere(t *testing.T) {
	csv := write(t, "in.csv", "a,b\n1,2\n3,x\n")
	out := filepath.Join(filepath.Dir(csv), "t.nimble")
	_, stderr, code := run(t, "convert", "--schema", "b BIGINT", csv, out)
	if code != ExitFailed || !strings.Contains(stderr, "in.csv:3:2: ") {
		t.Errorf("code %d, %s", code, stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Errorf("%s is there", out)
	}
}

// TestConvertChecksum flips each of some bits of a file. Whether it still decodes
// or not, it is not converted.
func TestConvertChecksum(t *testing.T) {
	csv := write(t, "in.csv", "id,v\n1,1.5\n2,2.5\n3,1.25\n")
	good, out := csv+".nimble", csv+".out.csv"
	mustRun(t, "convert", csv, good)
	raw, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	decoded := 0
	for i := 0; i < len(raw)/4; i++ {
		damaged := bytes.Clone(raw)
		damaged[i] ^= 1
		path := write(t, "damaged.nimble", string(damaged))
		if _, stderr, code := run(t, "convert", path, out); code != ExitFailed || stderr != "decant: checksum differs; run decant verify "+path+"\n" {
			t.Fatalf("byte %d: code %d, %s", i, code, stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("byte %d: %s is there", i, out)
		}
		if _, _, code := run(t, "convert", "--ignore-checksum", path, out); code == ExitOK {
			decoded++
			if err := os.Remove(out); err != nil {
				t.Fatal(err)
			}
		}
	}
	if decoded == 0 {
		t.Error("no damage is such that the file still decodes")
	}
}

func TestConvertNotes(t *testing.T) {
	csv := write(t, "in.csv", "dep_time,n\n1,1\nNA,2\n")
	stdout, stderr, code := run(t, "convert", csv, csv+".nimble")
	want := "note: column dep_time is VARCHAR because of \"NA\" in line 3; --null NA would read it as null\n"
	if code != ExitOK || stdout != "" || stderr != want {
		t.Errorf("code %d, %s, %s", code, stdout, stderr)
	}
	mustRun(t, "convert", "--null", "NA", csv, csv+".nimble")
}

func TestDelimiter(t *testing.T) {
	for _, c := range []struct{ flag, text string }{
		{";", "a;b\n1;2,5\n"},
		{"tab", "a\tb\n1\t2,5\n"},
		{`\t`, "a\tb\n1\t2,5\n"},
		{"|", "a|b\n1|2,5\n"},
		{" ", "a b\n1 2,5\n"},
		{"-", "a-b\n1-2,5\n"},
		{"\x01", "a\x01b\n1\x012,5\n"},
	} {
		csv := write(t, "in.csv", c.text)
		const want = "{\"a\":1,\"b\":\"2,5\"}\n"
		if got := mustRun(t, "cat", "--format", "jsonl", "--delimiter", c.flag, csv); got != want {
			t.Errorf("--delimiter %q: %s", c.flag, got)
		}
		mustRun(t, "convert", "--delimiter", c.flag, csv, csv+".nimble")
		if got := mustRun(t, "cat", "--format", "jsonl", csv+".nimble"); got != want {
			t.Errorf("--delimiter %q: %s", c.flag, got)
		}
		if got := mustRun(t, "convert", "--delimiter", c.flag, "--to", "csv", csv+".nimble", "-"); got != c.text {
			t.Errorf("--delimiter %q: %q", c.flag, got)
		}
	}
	csv := write(t, "in.csv", "a;b\n1;2\n")
	for _, flag := range []string{";;", "ä", "\"", "\n", "\r", "comma"} {
		if _, stderr, code := run(t, "cat", "--delimiter", flag, csv); code != ExitUsage || !strings.Contains(stderr, "--delimiter") {
			t.Errorf("--delimiter %q: code %d, %s", flag, code, stderr)
		}
	}
	want := "decant: " + csv + `:1:1: one column named "a;b": is the delimiter ';'? use --delimiter` + "\n"
	if _, stderr, code := run(t, "cat", csv); code != ExitFailed || stderr != want {
		t.Errorf("code %d, %s", code, stderr)
	}
	// Whoever names the delimiter may have such a name.
	if got := mustRun(t, "cat", "--format", "csv", "--delimiter", ",", csv); got != "\"a;b\"\n1;2\n" {
		t.Errorf("%q", got)
	}
}

// TestNamesDiffer has each command refuse a header with a name twice.
func TestNamesDiffer(t *testing.T) {
	csv := write(t, "t.csv", "a,b,a\n1,2,3\n")
	want := "decant: " + csv + `:1:3: the name "a" is that of column 1 already` + "\n"
	for _, args := range [][]string{
		{"cat", csv},
		{"convert", csv, csv + ".nimble"},
		{"query", "SELECT b FROM t", csv},
		{"convert", "--schema", "a BIGINT", csv, csv + ".nimble"},
	} {
		if _, stderr, code := run(t, args...); code != ExitFailed || stderr != want {
			t.Errorf("%q: code %d, %s", args, code, stderr)
		}
	}
}
