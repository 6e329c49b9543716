package fn

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/sql.md")

// TestCatalogue holds docs/sql.md against the registry.
func TestCatalogue(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "sql.md")
	want := WriteCatalogue()
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/sql.md is not what the registry says (-want +got); run the test with -update:\n%s", diff)
	}
}
