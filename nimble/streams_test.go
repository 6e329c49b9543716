package nimble

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStreams(t *testing.T) {
	schema, err := ParseSchema("id BIGINT, at TIMESTAMP, r ROW<x REAL>, tags ARRAY<VARCHAR>, m MAP<VARCHAR, BIGINT>")
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := NewWriter(&file, schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	seen := map[uint32]bool{}
	for _, s := range f.Streams() {
		if seen[s.ID] {
			t.Errorf("stream %d twice", s.ID)
		}
		seen[s.ID] = true
		column := ""
		if s.Column >= 0 {
			column = schema.Names[s.Column]
		}
		got = append(got, column+" "+s.Path+" "+s.Part)
	}
	want := []string{
		"  nulls", "id id values", "at at micros", "at at nanos", "r r nulls", "r r.x values",
		"tags tags lengths", "tags tags[] values", "m m lengths", "m m[key] values", "m m[value] values",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
