// Package docs holds no code: its tests keep the documents true. Every block of
// bytes in format.md is what this module writes for the values beside it, and
// every test that acceptance.md names exists.
package docs

import (
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"testing"
)

// block is a fenced block of format.md:
//
//	```hex name=NAME KEY=VALUE …
//	# what the bytes stand for
//	0000  00 05 01    what these are
//	```
type block struct {
	attrs map[string]string
	notes []string // lines that begin with #
	data  []byte
}

// blocks returns the blocks of format.md by their names.
func blocks(t *testing.T) map[string]block {
	t.Helper()
	text, err := os.ReadFile("format.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]block{}
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		attrs, ok := strings.CutPrefix(lines[i], "```hex ")
		if !ok {
			continue
		}
		b := block{attrs: map[string]string{}}
		for _, attr := range strings.Fields(attrs) {
			key, value, _ := strings.Cut(attr, "=")
			b.attrs[key] = value
		}
		for i++; i < len(lines) && lines[i] != "```"; i++ {
			if err := b.add(lines[i]); err != nil {
				t.Fatalf("format.md:%d: %v", i+1, err)
			}
		}
		name := b.attrs["name"]
		if _, taken := found[name]; taken || name == "" {
			t.Fatalf("format.md:%d: the name %q is empty or taken", i+1, name)
		}
		found[name] = b
	}
	return found
}

// add takes a line of the block. The bytes of a line end at the first two blanks
// behind them.
func (b *block) add(line string) error {
	if note, ok := strings.CutPrefix(line, "# "); ok {
		b.notes = append(b.notes, note)
		return nil
	}
	offset, rest, ok := strings.Cut(line, "  ")
	if want := fmt.Sprintf("%04x", len(b.data)); !ok || offset != want {
		return fmt.Errorf("offset %q instead of %s", offset, want)
	}
	digits, _, _ := strings.Cut(rest, "  ")
	data, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		return err
	}
	b.data = append(b.data, data...)
	return nil
}

// mustBlock returns the block of that name.
func mustBlock(t *testing.T, name string) block {
	t.Helper()
	b, ok := blocks(t)[name]
	if !ok {
		t.Fatalf("format.md has no block %s", name)
	}
	return b
}
