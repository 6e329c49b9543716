package datatable_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
)

// The shapes of every size have the hashes of what Pinot's builder wrote.
func TestGoldenHashes(t *testing.T) {
	shapes := map[string]shape{}
	for _, s := range benchShapes() {
		shapes[strings.ToUpper(s.name)] = s
	}
	for _, dir := range golden.Dirs(t, "pinot/bench/bytes") {
		hashes, err := os.ReadFile(filepath.Join(dir, "SHA256.txt"))
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		for line := range strings.Lines(string(hashes)) {
			var name, want string
			var rows, size int
			if _, err := fmt.Sscanf(line, "%s rows=%d bytes=%d sha256=%s", &name, &rows, &size, &want); err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			s, ok := shapes[name]
			if !ok || rows > benchRows {
				t.Fatalf("line %q: no such shape", line)
			}
			ran++
			b := s.builder(t, nil)
			s.fill(b, rows)
			table := mustAppend(t, b)
			sum := sha256.Sum256(table)
			if got := hex.EncodeToString(sum[:]); len(table) != size || got != want {
				t.Errorf("%s of %d rows: %d bytes with hash %s, not %d with %s", name, rows, len(table), got, size, want)
			}
		}
		if ran == 0 {
			t.Errorf("%s has no hashes", dir)
		}
		t.Logf("%d hashes in %s", ran, dir)
	}
}
