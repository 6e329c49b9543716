package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestJSONLines reads JSON lines with the commands that read files.
func TestJSONLines(t *testing.T) {
	const text = `{"n":1,"l":[1,null],"r":{"a":"x"},"big":123456789012345678901234567890}` + "\n" +
		`{"n":2,"l":null,"r":{"a":null},"big":1}` + "\n"
	in := filepath.Join(t.TempDir(), "lines.jsonl")
	if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := mustRun(t, "cat", "--format", "jsonl", in); got != text {
		t.Errorf("cat: %s", got)
	}
	if got, want := mustRun(t, "query", "--format", "jsonl", "SELECT n, r.a FROM lines WHERE n = 1", in), `{"n":1,"r.a":"x"}`+"\n"; got != want {
		t.Errorf("query: %s", got)
	}
	for _, name := range []string{"out.nimble", "out.parquet", "out.arrow"} {
		out := filepath.Join(t.TempDir(), name)
		mustRun(t, "convert", in, out)
		if got := mustRun(t, "cat", "--format", "jsonl", out); got != text {
			t.Errorf("%s: %s", name, got)
		}
	}
	out := filepath.Join(t.TempDir(), "out.nimble")
	mustRun(t, "convert", "--schema", "r MAP<VARCHAR, VARCHAR>", in, out)
	if got, want := mustRun(t, "cat", "--columns", "r['a']", "--format", "jsonl", "--limit", "1", out), `{"r":{"a":"x"}}`+"\n"; got != want {
		t.Errorf("a map: %s", got)
	}
}
