package convert

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// drawType returns a random type of the map of types, nested depth levels at most.
func drawType(t *rapid.T, depth int) *nimble.Type {
	leaves := parseLeaves()
	if depth > 0 {
		switch rapid.IntRange(0, 5).Draw(t, "shape") {
		case 0:
			return &nimble.Type{Kind: nimble.Array, Children: []*nimble.Type{drawType(t, depth-1)}}
		case 1:
			key := rapid.SampledFrom([]nimble.Kind{nimble.Varchar, nimble.BigInt, nimble.Integer, nimble.SmallInt, nimble.TinyInt}).Draw(t, "key")
			return &nimble.Type{Kind: nimble.Map, Children: []*nimble.Type{{Kind: key}, drawType(t, depth-1)}}
		case 2:
			return drawRowType(t, depth-1)
		}
	}
	return rapid.SampledFrom(leaves).Draw(t, "leaf")
}

// drawRowType returns a row type of one to four fields.
func drawRowType(t *rapid.T, depth int) *nimble.Type {
	n := rapid.IntRange(1, 4).Draw(t, "fields")
	names, types := make([]string, n), make([]*nimble.Type, n)
	for i := range n {
		names[i] = fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"a", "b c", "ä.ö", `q"q`}).Draw(t, "name"), i)
		types[i] = drawType(t, depth)
	}
	return nimble.RowOf(names, types)
}

// parseLeaves returns the types of everyType that have no children.
func parseLeaves() []*nimble.Type {
	schema, err := nimble.ParseSchema(everyType)
	if err != nil {
		panic(err)
	}
	var leaves []*nimble.Type
	for _, c := range schema.Children {
		if len(c.Children) == 0 {
			leaves = append(leaves, c)
		}
	}
	return leaves
}

// TestThroughNimble converts random files of random schemas to Nimble and back: the
// schema and every value are the same, null, empty and absent ones included.
func TestThroughNimble(t *testing.T) {
	dir := t.TempDir()
	for _, format := range []Format{FormatParquet, FormatArrow, FormatArrowStream, FormatJSONL} {
		t.Run(format.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				schema := drawRowType(t, 3)
				var batches []*vector.Batch
				for range rapid.IntRange(1, 3).Draw(t, "batches") {
					batches = append(batches, drawBatch(t, schema, rapid.IntRange(1, 9).Draw(t, "rows")))
				}
				in, middle, out := filepath.Join(dir, "in"), filepath.Join(dir, "middle"), filepath.Join(dir, "out")
				writeBatches(t, in, format, schema, batches...)
				o := Options{To: FormatNimble}
				if format == FormatJSONL {
					o.Schema = schema
				}
				if _, err := Convert(context.Background(), in, middle, o, nil); err != nil {
					t.Fatalf("%v of %v", err, schema)
				}
				if _, err := Convert(context.Background(), middle, out, Options{To: format}, nil); err != nil {
					t.Fatalf("%v of %v", err, schema)
				}
				checkFile(t, out, format, schema, jsonOf(t, schema, batches...))
			})
		})
	}
}

// checkFile checks a file's schema, unless it has none, and its rows.
func checkFile(t *rapid.T, path string, format Format, schema *nimble.Type, want string) {
	t.Helper()
	if format == FormatJSONL {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Fatalf("%v\n%s\nwant\n%s", err, got, want)
		}
		return
	}
	src, err := OpenSource(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !src.Schema().Equal(schema) {
		t.Errorf("schema %v, want %v", src.Schema(), schema)
	}
	if got, err := drain(src, FormatJSONL, Options{}); err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if err := src.Close(); err != nil {
		t.Error(err)
	}
}
