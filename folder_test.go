package decant_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/decantdb/decant"
)

// A folder is one table of its files, in the order of their names.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "events")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"b.csv": "n\n3\n4\n", "a.csv": "n\n1\n2\n", "readme.txt": "no table", ".c.csv": "n\n5\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	db, err := decant.OpenFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(t.Context(), "SELECT n, $segmentName FROM events")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	want := []string{"1 a", "2 a", "3 b", "4 b"}
	for rows.Next() {
		var n int
		var segment string
		if err := rows.Scan(&n, &segment); err != nil {
			t.Fatal(err)
		}
		if got := string(rune('0'+n)) + " " + segment; len(want) == 0 || got != want[0] {
			t.Fatalf("%s, want %v", got, want)
		}
		want = want[1:]
	}
	if err := rows.Err(); err != nil || len(want) > 0 {
		t.Errorf("%v, left %v", err, want)
	}
	if _, err := decant.OpenFiles(t.TempDir()); err == nil {
		t.Error("an empty folder was opened")
	}
}
