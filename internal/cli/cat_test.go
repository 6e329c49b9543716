package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
)

func TestCat(t *testing.T) {
	csv := write(t, "t.csv", "a,b\n1,x\n2,\n3,z\n")
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"table", nil, "a  b\n-  ----\n1  x\n2  NULL\n3  z\n"},
		{"some columns", []string{"--columns", "b,a", "--format", "csv"}, "b,a\nx,1\n,2\nz,3\n"},
		{"some rows", []string{"--rows", "1:2", "--format", "jsonl"}, `{"a":2,"b":null}` + "\n"},
		{"first rows", []string{"--rows", ":1", "--format", "jsonl"}, `{"a":1,"b":"x"}` + "\n"},
		{"last rows", []string{"--rows", "2:", "--format", "jsonl"}, `{"a":3,"b":"z"}` + "\n"},
		{"rows beyond the end", []string{"--rows", "7:9", "--format", "csv"}, "a,b\n"},
	} {
		if got := mustRun(t, append(append([]string{"cat"}, c.args...), csv)...); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestSplitColumns(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  string
	}{
		{[]string{"a"}, "a"},
		{[]string{"a,b", "c"}, "a|b|c"},
		{[]string{`"a,b",c`}, `"a,b"|c`},
		{[]string{`x."a,""b,".y,c`}, `x."a,""b,".y|c`},
		{[]string{`"a"",b",c`}, `"a"",b"|c`},
		{[]string{`m['x,y'].z,n['it''s, too']`}, `m['x,y'].z|n['it''s, too']`},
		{[]string{`it's,b"c,d`}, `it's|b"c|d`},
		{[]string{`,a,`}, `|a|`},
	} {
		if got := strings.Join(splitColumns(c.texts), "|"); got != c.want {
			t.Errorf("%q: %s, want %s", c.texts, got, c.want)
		}
	}
	csv := write(t, "t.csv", "\"a,b\",c\n1,x\n")
	if got := mustRun(t, "cat", "--format", "jsonl", "--columns", `c,"a,b"`, csv); got != `{"c":"x","a,b":1}`+"\n" {
		t.Errorf("a column with a comma: %s", got)
	}
}

// The file that is read is not written, under whatever name.
func TestCatRefusesItsInput(t *testing.T) {
	csv := write(t, "t.csv", "a\n1\n")
	link := filepath.Join(t.TempDir(), "link.csv")
	if err := os.Symlink(csv, link); err != nil {
		t.Fatal(err)
	}
	for _, output := range []string{csv, link} {
		_, stderr, code := run(t, "cat", "--format", "csv", "-o", output, csv)
		if code != ExitUsage || !strings.Contains(stderr, "this is the file that is read") {
			t.Errorf("code %d, %s", code, stderr)
		}
	}
	if text, err := os.ReadFile(csv); err != nil || string(text) != "a\n1\n" {
		t.Errorf("the file is %q now, %v", text, err)
	}
}

// TestCatColumnsAsInAQuery wants the exact name before the same in another case.
func TestCatColumnsAsInAQuery(t *testing.T) {
	csv := write(t, "t.csv", "Day,DAY,n\n1,2,3\n")
	for names, want := range map[string]string{"DAY,Day": "DAY,Day\n2,1\n", "day,N": "Day,n\n1,3\n"} {
		if got := mustRun(t, "cat", "--format", "csv", "--columns", names, csv); got != want {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
		if got := mustRun(t, "query", "--format", "csv", "SELECT "+names+" FROM t", csv); got != want {
			t.Errorf("SELECT %s: %q, want %q", names, got, want)
		}
	}
}

// TestCatAcrossBatches wants the rows that SQL numbers, also where they lie in
// two batches.
func TestCatAcrossBatches(t *testing.T) {
	all := strings.SplitAfter(mustRun(t, "cat", "--columns", "flight,dest", "--format", "csv", "--rows", ":5000", flights), "\n")
	part := strings.SplitAfter(mustRun(t, "cat", "--columns", "flight,dest", "--format", "csv", "--rows", "2000:4500", flights), "\n")
	if got, want := strings.Join(part[1:], ""), strings.Join(all[1+2000:1+4500], ""); got != want {
		t.Errorf("rows 2000 to 4500 differ")
	}
}

// TestCatParts prints fields and keys, from a row on, of a file with a flat map.
func TestCatParts(t *testing.T) {
	file := ""
	for _, dir := range golden.Dirs(t, "nimble/files") {
		if f := filepath.Join(dir, "flatmap_reordered.nimble"); file == "" {
			if _, err := os.Stat(f); err == nil {
				file = f
			}
		}
	}
	if file == "" {
		t.Fatal("no file with a flat map")
	}
	schema := inspectJSON[schemaReport](t, file, "schema")
	var path string
	for _, typ := range schema.Types {
		if _, ok := typ.Streams["in-map"]; ok && path == "" {
			path = strings.NewReplacer(`["`, "['", `"]`, "']").Replace(typ.Path)
		}
	}
	column, _, _ := strings.Cut(path, "[")
	all := strings.Split(mustRun(t, "cat", "--format", "jsonl", "--columns", column, file), "\n")
	some := strings.Split(mustRun(t, "cat", "--format", "jsonl", "--columns", path, "--rows", "3:", "--limit", "5", file), "\n")
	if len(some) != 6 || len(all) < 9 {
		t.Fatalf("%d and %d lines for %s", len(some), len(all), path)
	}
	_, key, _ := strings.Cut(path, "['")
	key = strings.TrimSuffix(key, "']")
	for i, line := range some[:5] {
		var got, whole map[string]map[string]any
		if json.Unmarshal([]byte(line), &got) != nil || json.Unmarshal([]byte(all[i+3]), &whole) != nil {
			t.Fatalf("%s or %s is no map", line, all[i+3])
		}
		want, present := whole[column][key]
		value, found := got[column][key]
		if found != present || !reflect.DeepEqual(value, want) || len(got[column]) > 1 {
			t.Errorf("row %d: %s of %s", i+3, line, all[i+3])
		}
	}
	if _, stderr, code := run(t, "cat", "--columns", column+"['0'].x", file); code != ExitUsage || !strings.Contains(stderr, "--columns") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

// TestCatFiles writes each format to a file, which appears whole.
func TestCatFiles(t *testing.T) {
	dir := t.TempDir()
	for format, mark := range map[string]string{"parquet": "PAR1", "arrow": "ARROW1", "arrows": "\xff\xff\xff\xff", "csv": "carrier,", "jsonl": "{\"carrier\":"} {
		out := filepath.Join(dir, format)
		if got := mustRun(t, "cat", "--format", format, "--columns", "carrier,flight", "--rows", "5:10", "-o", out, flights); got != "" {
			t.Errorf("%s: output %q", format, got)
		}
		data, err := os.ReadFile(out)
		if err != nil || !strings.HasPrefix(string(data), mark) {
			t.Errorf("%s: %v, %.20q", format, err, data)
		}
	}
	if got, want := mustRun(t, "cat", "--format", "csv", filepath.Join(dir, "parquet")), mustRun(t, "cat", "--format", "csv", filepath.Join(dir, "csv")); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
