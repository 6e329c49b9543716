package rowbatch

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
)

// source returns the case of the main manifest that this one was made of.
func (c *goldenCase) source(tb testing.TB) *goldenCase {
	tb.Helper()
	for _, s := range goldenCases(tb, "") {
		if s.Name == c.Name && strings.HasPrefix(c.dir, s.dir) {
			return &s
		}
	}
	tb.Fatalf("%s has no source", c.Name)
	return nil
}

// TestGoldenProject projects the blobs of which the projected ones were made, and
// wants their bytes.
func TestGoldenProject(t *testing.T) {
	blobs := 0
	for _, c := range goldenCases(t, "projected") {
		source := c.source(t)
		s := source.schema(t)
		var fields []Field
		for _, name := range strings.Fields(c.Columns) {
			fields = append(fields, Field{Name: name, Keys: c.schema(t).Keys(name)})
		}
		p, err := NewProjector(s, fields, ProjectorOptions{})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		data, _ := source.blobs(t)
		want, _ := c.blobs(t)
		for i, blob := range want {
			got, err := p.Append([]byte("before"), data[i])
			if err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if got = got[len("before"):]; !bytes.Equal(got, blob) {
				t.Errorf("%s: blob %d: %s", c.Name, i, difference(got, blob))
			}
			blobs++
		}
		if text, err := p.Schema().AppendBinary(nil); err != nil || !bytes.Equal(text, c.read(t, c.Schema)) {
			t.Errorf("%s: schema of %d bytes differs, %v", c.Name, len(text), err)
		}
	}
	t.Logf("%d blobs byte for byte", blobs)
}

// TestGoldenSlice slices the blobs of which the sliced ones were made, and wants
// their rows.
func TestGoldenSlice(t *testing.T) {
	blobs := 0
	for _, c := range goldenCases(t, "sliced") {
		source := c.source(t)
		s := source.schema(t)
		var name string
		var offset, length int
		if _, err := fmt.Sscanf(c.Range, "source=%s offset=%d length=%d", &name, &offset, &length); err != nil {
			t.Fatal(err)
		}
		session := encoding.NewSession(newTestPool())
		slicer, err := NewSlicer(s, session, encoding.EncodeOptions{})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		blob := source.read(t, name)
		got, err := slicer.Append(nil, blob, Range{offset, offset + length})
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		d := newTestDeserializer(t, s, Options{})
		rows := d.NewRows()
		if err := d.Read(rows, got); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		_, want := c.blobs(t)
		if err := match(want[0], s.Type(), rows); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		h, _, _ := ReadHeader(blob, false)
		if all, err := slicer.Append(nil, blob, Range{0, h.Rows}); err != nil || !bytes.Equal(all, blob) {
			t.Errorf("%s: all rows are not the blob itself, %v", c.Name, err)
		}
		for _, r := range []Range{{0, 0}, {3, 2}, {-1, 2}, {0, h.Rows + 1}} {
			if _, err := slicer.Append(nil, blob, r); !errors.Is(err, ErrRange) {
				t.Errorf("%s: %v: %v", c.Name, r, err)
			}
		}
		slicer.Close()
		if n := session.Pool().Stats().Outstanding; n > 0 {
			session.Release()
			if n = session.Pool().Stats().Outstanding; n > 0 {
				t.Errorf("%s: %d buffers are outstanding", c.Name, n)
			}
		}
		blobs++
	}
	t.Logf("%d blobs", blobs)
}

// TestProjectKeys projects keys of a flat map, of which one is not there.
func TestProjectKeys(t *testing.T) {
	for _, p := range patterns() {
		if p.name != "sparse-keys" && p.name != "nullable-values" && p.name != "strings" {
			continue
		}
		s := p.sample(t, 300, 12)
		wanted := []string{"7", "missing", "11", "3"}
		if p.kind != nimble.Varchar {
			wanted[1] = "999"
		} else {
			wanted[1] = "-5"
		}
		projector, err := NewProjector(s.schema, []Field{{Name: "features", Keys: wanted}}, ProjectorOptions{Numbers: DeltaList})
		if err != nil {
			t.Fatal(err)
		}
		blob, err := projector.Append(nil, s.blob)
		if err != nil {
			t.Fatal(err)
		}
		d := newTestDeserializer(t, projector.Schema(), Options{})
		rows := d.NewRows()
		if err := d.Read(rows, blob); err != nil {
			t.Fatal(err)
		}
		for i := range rows.N {
			var want []any
			for _, pair := range render(s.input, s.schema.Type(), i).(map[string]any)["features"].([]any) {
				for _, key := range wanted {
					if pair.([]any)[0] == key {
						want = append(want, pair)
					}
				}
			}
			got := render(rows, projector.Schema().Type(), i).(map[string]any)["features"].([]any)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s: row %d: %v instead of %v", p.name, i, got, want)
			}
		}
	}
}

func TestProjectorRefusals(t *testing.T) {
	s := patterns()[0].sample(t, 10, 3)
	for _, fields := range [][]Field{
		nil,
		{{Name: "features"}},
		{{Name: "nothing"}},
		{{Name: "id"}, {Name: "id"}},
		{{Name: "id", Keys: []string{"1"}}},
		{{Name: "id", Fields: []Field{{Name: "x"}}}},
	} {
		if _, err := NewProjector(s.schema, fields, ProjectorOptions{}); !errors.Is(err, ErrSchema) {
			t.Errorf("%v: %v", fields, err)
		}
	}
	p, err := NewProjector(s.schema, []Field{{Name: "id"}}, ProjectorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Append(nil, []byte{0, 0, 0, 0, 0}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a legacy blob: %v", err)
	}
}
