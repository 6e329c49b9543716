package nimble

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
)

// underRoot is the nodes of a row of one field c.
func underRoot(nodes ...tablet.Node) []tablet.Node {
	all := append([]tablet.Node{{Kind: rowNode, Children: 1}}, nodes...)
	all[1].Label, all[1].Labelled = "c", true
	for i := range all {
		all[i].Stream = uint32(i)
	}
	return all
}

// Kinds of nodes that no column has are refused, by name where they have one.
func TestKindsWithoutColumnsAreRefused(t *testing.T) {
	named := map[uint8]string{uint8Node: "a UINT8", uint16Node: "a UINT16", uint32Node: "a UINT32", uint64Node: "a UINT64"}
	refused := 0
	for kind := range 256 {
		k := uint8(kind)
		if _, ok := kindOfNode[k]; ok {
			continue
		}
		key, ok := kindOfNode[k-flatMapNode]
		if k >= flatMapNode && ok && flatKey(key) {
			continue
		}
		want := fmt.Sprintf("of the unknown kind %d", k)
		switch {
		case named[k] != "":
			want = named[k]
		case k >= flatMapNode:
			want = "a FLATMAP whose key is " + nodeName(k-flatMapNode)
		}
		nodes := underRoot(tablet.Node{Kind: k, Children: 1}, tablet.Node{Kind: boolNode, Labelled: true, Label: "1"}, tablet.Node{Kind: int64Node})
		data := rawNodes(t, nodes, 1)
		_, err := Open(bytes.NewReader(data), int64(len(data)), nil)
		if !errors.Is(err, ErrUnsupported) || !strings.HasSuffix(err.Error(), "node 1 is "+want) {
			t.Errorf("kind %d: %v, want %q", k, err, want)
		}
		refused++
	}
	if refused < 200 || nodeName(flatMapNode+floatNode) != "a FLATMAP" || nodeName(floatNode) != "a REAL" {
		t.Errorf("%d kinds are refused", refused)
	}
}

// Nodes that only hold a stream, and the labels of fields and keys, must be there.
func TestHelperNodesAndLabels(t *testing.T) {
	key := func(label string) tablet.Node { return tablet.Node{Kind: boolNode, Labelled: true, Label: label} }
	long, texts := tablet.Node{Kind: int64Node}, tablet.Node{Kind: stringNode}
	flat := func(keys uint32) tablet.Node { return tablet.Node{Kind: flatMapNode + stringNode, Children: keys} }
	for _, c := range []struct {
		name  string
		nodes []tablet.Node
		want  string
	}{
		{"timestamp alone", underRoot(tablet.Node{Kind: timestampNode}), "it ends after 2 nodes"},
		{"timestamp with micros twice", underRoot(tablet.Node{Kind: timestampNode}, long), "node 2 is a BIGINT instead of a UINT16"},
		{"timestamp with nanos of 32 bits", underRoot(tablet.Node{Kind: timestampNode}, tablet.Node{Kind: uint32Node}), "node 2 is a UINT32 instead of a UINT16"},
		{"dedup array without offsets", underRoot(tablet.Node{Kind: dedupNode}, long), "node 2 is a BIGINT instead of a UINT32"},
		{"dedup array with offsets of 16 bits", underRoot(tablet.Node{Kind: dedupNode}, tablet.Node{Kind: uint16Node}, long), "node 2 is a UINT16 instead of a UINT32"},
		{"dedup array without elements", underRoot(tablet.Node{Kind: dedupNode}, tablet.Node{Kind: uint32Node}), "it ends after 3 nodes"},
		{"window map without lengths", underRoot(tablet.Node{Kind: windowNode}, texts, long), "node 2 is a VARCHAR instead of a UINT32"},
		{"window map without values", underRoot(tablet.Node{Kind: windowNode}, tablet.Node{Kind: uint32Node}, texts), "it ends after 4 nodes"},
		{"array without elements", underRoot(tablet.Node{Kind: arrayNode}), "it ends after 2 nodes"},
		{"map without values", underRoot(tablet.Node{Kind: mapNode}, texts), "it ends after 3 nodes"},
		{"flat map without in-map", underRoot(flat(1), long, long), "node 2 is a BIGINT instead of a BOOLEAN"},
		{"flat map without values", underRoot(flat(1), key("a")), "it ends after 3 nodes"},
		{"flat map without keys", underRoot(flat(0), key("a"), long), "a flat map of 0 keys"},
		{"flat map of too many keys", underRoot(flat(9), key("a"), long), "a flat map of 9 keys with 2 nodes left"},
		{"flat map of different values", underRoot(flat(2), key("a"), long, key("b"), texts), "values of different types"},
		{"key without a label", underRoot(flat(1), tablet.Node{Kind: boolNode}, long), "node 2 is a key without text"},
		{"field without a label", []tablet.Node{{Kind: rowNode, Children: 1}, long}, "node 1 is a field without a name"},
		{"nested field without a label", underRoot(tablet.Node{Kind: rowNode, Children: 1}, long), "node 2 is a field without a name"},
		{"row of too many fields", []tablet.Node{{Kind: rowNode, Children: 3}, long}, "a row of 3 fields with 1 nodes left"},
		{"row of a missing field", underRoot(tablet.Node{Kind: rowNode, Children: 1}), "a row of 1 fields with 0 nodes left"},
		{"root that is no row", []tablet.Node{long}, "the root is a BIGINT, not a row"},
		{"nothing", nil, "it ends after 0 nodes"},
	} {
		data := rawNodes(t, c.nodes, 1)
		_, err := Open(bytes.NewReader(data), int64(len(data)), nil)
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// Statistics of another version are refused, and streams of kinds that this version
// does not know are passed over, wherever they are.
func TestStatisticsOfOtherVersions(t *testing.T) {
	data := smallFile(t)
	f := mustOpen(t, data)
	raw, ok, err := f.Tablet().Section(tablet.SectionStats)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	parse := func(raw []byte) ([]ColumnStats, error) { return parseStats(NewSession(nil), raw, f.Schema()) }
	for version := range uint16(3) {
		other := bytes.Clone(raw)
		binary.LittleEndian.PutUint16(other, version)
		if _, err := parse(other); (version == 0) != (err == nil) || err != nil && !errors.Is(err, ErrUnsupported) {
			t.Errorf("version %d: %v", version, err)
		}
	}
	h, rest, err := parseStatsHeader(raw)
	if err != nil {
		t.Fatal(err)
	}
	junk := []byte("no encoded array")
	added := 0
	for kind := uint8(statDedupValues + 2); kind < 1<<statsKindBits; kind++ {
		for place := range len(h.kinds) + 1 {
			w := statsWriter{header: statsHeader{
				kinds:   slices.Insert(slices.Clone(h.kinds), place, kind),
				lengths: slices.Insert(slices.Clone(h.lengths), place, uint64(len(junk))),
			}}
			before := 0
			for _, n := range h.lengths[:place] {
				before += int(n)
			}
			w.data = slices.Concat(rest[:before], junk, rest[before:])
			got, err := parse(w.appendTo(nil))
			if err != nil {
				t.Fatalf("kind %d: %v", kind, err)
			}
			if diff := cmp.Diff(f.Stats(), got); diff != "" {
				t.Errorf("kind %d at place %d (-want +got):\n%s", kind, place, diff)
			}
			added++
		}
	}
	if added == 0 {
		t.Error("there is no unknown kind")
	}
	// A file with statistics of another version is read without them.
	at := slices.IndexFunc(f.Tablet().Footer().Sections, func(s tablet.Section) bool { return s.Name == tablet.SectionStats })
	data = bytes.Clone(data)
	data[f.Tablet().Footer().Sections[at].Pos] = 1
	if g := mustOpen(t, data); g.Stats() != nil || len(g.Warnings()) != 1 || !strings.Contains(g.Warnings()[0], "version 1") {
		t.Errorf("statistics %v, warnings %q", g.Stats(), g.Warnings())
	}
}

// A stream with more rows than its column is found by verifying, without the help of
// the checksum, wherever the rows are.
func TestVerifyFindsRowsTooMany(t *testing.T) {
	long := []byte{7, 0, 0, 0, 0, 0, 0, 0}
	bools := func(rows uint32) []byte { return constantChunk(t, encoding.Bool, rows, []byte{1}) }
	longs := func(rows uint32) []byte { return constantChunk(t, encoding.Int64, rows, long) }
	lengths := func(rows uint32) []byte { return constantChunk(t, encoding.Uint32, rows, []byte{2, 0, 0, 0}) }
	nanos := constantChunk(t, encoding.Uint16, 4, []byte{1, 0})
	for _, c := range []struct {
		name, schema string
		stream       uint32
		streams      [][]byte
	}{
		{"in the chunk", "n BIGINT", 1, [][]byte{nil, longs(4)}},
		{"in another chunk", "n BIGINT", 1, [][]byte{nil, append(longs(3), longs(1)...)}},
		{"of the root's nulls", "n BIGINT", 0, [][]byte{bools(4), longs(3)}},
		{"of a row's nulls", "r ROW<n BIGINT>", 1, [][]byte{nil, bools(5), longs(3)}},
		{"of a row's field", "r ROW<n BIGINT>", 2, [][]byte{nil, bools(3), longs(4)}},
		{"of lengths", "a ARRAY<BIGINT>", 1, [][]byte{nil, lengths(4), longs(6)}},
		{"of elements", "a ARRAY<BIGINT>", 2, [][]byte{nil, lengths(3), longs(7)}},
		{"of keys", "m MAP<BIGINT, BIGINT>", 2, [][]byte{nil, lengths(3), longs(7), longs(6)}},
		{"of values", "m MAP<BIGINT, BIGINT>", 3, [][]byte{nil, lengths(3), longs(6), longs(8)}},
		{"of nanoseconds", "at TIMESTAMP", 2, [][]byte{nil, longs(3), nanos}},
		{"of a null row's field", "r ROW<n BIGINT>", 2, [][]byte{nil, constantChunk(t, encoding.Bool, 3, []byte{0}), longs(1)}},
	} {
		f := mustOpen(t, rawFile(t, c.schema, 3, c.streams...))
		findings, err := f.Verify(t.Context(), nil, nil)
		var place *StreamError
		if err != nil || len(findings) != 1 || !errors.As(findings[0], &place) ||
			place.Stream != c.stream || !strings.Contains(findings[0].Error(), "more rows than its column") {
			t.Errorf("%s: %v, %v", c.name, findings, err)
		}
	}
}
