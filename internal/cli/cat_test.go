package cli

import (
	"strings"
	"testing"
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
