//go:build pinot

package pinot_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/internal/golden"
	pinot "github.com/decantdb/decant/interop/pinot"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func startPeer(t *testing.T, name string) *pinot.Peer {
	t.Helper()
	var log bytes.Buffer
	peer, err := pinot.StartPeer(name, &log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := peer.Close(); err != nil {
			t.Errorf("%v; it printed:\n%s", err, &log)
		}
	})
	return peer
}

// Both builders write the same bytes, and both readers find the same in them.
func TestRandomTables(t *testing.T) {
	for _, r := range releases {
		t.Run(r.name, func(t *testing.T) {
			peer := startPeer(t, r.name)
			tables, read := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				d := drawDescription(t, r)
				theirs := buildThere(t, peer, d)
				ours := buildHere(t, d, r.target)
				compareTables(t, ours, theirs)
				tables++
				if compareContents(t, peer, ours, theirs) {
					read++
				}
			})
			if read < tables/2 {
				t.Errorf("%d of %d tables could be read", read, tables)
			}
			t.Logf("%d tables are the same, %d of them could be read", tables, read)
		})
	}
}

func buildThere(t *rapid.T, peer *pinot.Peer, d *description) []byte {
	text, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	table, err := peer.Build(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return table
}

func buildHere(t *rapid.T, d *description, target datatable.Release) []byte {
	b, err := datatable.NewBuilder(nil, d.columns, datatable.Options{Release: target})
	if err != nil {
		t.Fatal(err)
	}
	d.build(b)
	write := b.AppendTo
	if d.Schema == nil {
		write = b.AppendMetadataOnlyTo
	}
	table, err := write(nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// compareTables compares all bytes except those of the exceptions and of the
// metadata, whose order is that of a Java hash map: their contents are compared
// with the rest.
func compareTables(t *rapid.T, ours, theirs []byte) {
	if !bytes.Equal(middle(t, ours), middle(t, theirs)) || len(ours) != len(theirs) {
		t.Fatalf("tables differ: ours\n%x\ntheirs\n%x", ours, theirs)
	}
}

// middle returns the header and what is between the exceptions and the metadata.
func middle(t *rapid.T, table []byte) []byte {
	word := func(at int) int { return int(binary.BigEndian.Uint32(table[at:])) }
	if len(table) < 56 {
		t.Fatalf("a table of %d bytes", len(table))
	}
	begin, end := word(12)+word(16), word(44)+word(48)
	return append(bytes.Clone(table[:52]), table[begin:end+4]...)
}

// compareContents compares what both readers find in both tables and reports
// whether Pinot can read them. What it can read, we can.
func compareContents(t *rapid.T, peer *pinot.Peer, ours, theirs []byte) bool {
	want, err := peer.Read(ours)
	if errors.Is(err, pinot.ErrPinot) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range [][]byte{ours, theirs} {
		contents, err := pinot.ReadContents(table)
		if err != nil {
			t.Fatalf("%v, where the reference finds %s", err, want)
		}
		got, err := json.Marshal(contents)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decode(t, want), decode(t, got)); diff != "" {
			t.Fatalf("contents differ (-theirs +ours):\n%s", diff)
		}
	}
	return true
}

func decode(t *rapid.T, text []byte) any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// The Java half makes the golden tables of its descriptions, so that it can be
// trusted with others.
func TestGoldenDescriptions(t *testing.T) {
	peer := startPeer(t, "1.5.0")
	for _, dir := range golden.Dirs(t, "pinot/datatable") {
		paths, err := filepath.Glob(filepath.Join(dir, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var c struct{ Input json.RawMessage }
			if json.Unmarshal(text, &c) != nil || c.Input == nil {
				continue // an index or a list
			}
			want, err := os.ReadFile(path[:len(path)-len("json")] + "bin")
			if err != nil {
				t.Fatal(err)
			}
			ran++
			got, err := peer.Build(c.Input)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %v and %d bytes, not %d", filepath.Base(path), err, len(got), len(want))
			}
		}
		if ran == 0 {
			t.Errorf("%s has no descriptions", dir)
		}
		t.Logf("%d descriptions in %s", ran, dir)
	}
}

// What is measured is the same table on both sides, with a kept row buffer too.
func TestShapes(t *testing.T) {
	peer := startPeer(t, "1.5.0")
	for _, s := range pinot.Shapes {
		for _, rows := range []int{1, 5000} {
			want := byRows(t, s, s.Values(rows))
			for _, reuse := range []bool{false, true} {
				got, err := peer.BuildShape(s, rows, reuse)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s of %d rows, reuse %t: %v and %d bytes, not %d", s.Name, rows, reuse, err, len(got), len(want))
				}
			}
		}
	}
}
