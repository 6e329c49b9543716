package rowbatch

import (
	"testing"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
)

// FuzzRead reads anything as a blob of golden schemas, projects and slices it:
// no panic, errors that are the package's, and nothing outstanding.
func FuzzRead(f *testing.F) {
	var schemas []*Schema
	seen := map[string]bool{}
	for _, c := range goldenCases(f, "") {
		s := c.schema(f)
		text, err := s.AppendBinary(nil)
		if err != nil {
			f.Fatal(err)
		}
		if !seen[string(text)] {
			seen[string(text)] = true
			schemas = append(schemas, s)
		}
		data, _ := c.blobs(f)
		for _, blob := range data {
			if len(blob) > 1200 {
				continue
			}
			f.Add(uint8(len(schemas)-1), !c.Header, blob)
			if !c.Header {
				continue
			}
			for _, v := range variants(f, blob) {
				f.Add(uint8(len(schemas)-1), false, v)
			}
		}
	}
	for _, text := range sharedTypes {
		s, blob := sharedBlob(f, text, 12)
		schemas = append(schemas, s)
		f.Add(uint8(len(schemas)-1), false, blob)
	}
	f.Fuzz(func(t *testing.T, which uint8, headerless bool, data []byte) {
		s := schemas[int(which)%len(schemas)]
		p := pool.New(pool.Options{})
		session := encoding.NewSession(p)
		d, err := NewDeserializer(s, session, Options{Headerless: headerless, LimitRows: 1 << 14})
		if err != nil {
			t.Fatal(err)
		}
		rows := d.NewRows()
		if err := d.Read(rows, data); err == nil {
			h, _, err := ReadHeader(data, headerless)
			if err != nil || rows.N != h.End-h.Begin {
				t.Errorf("%d rows of %+v, %v", rows.N, h, err)
			}
			for i := range rows.N {
				render(rows, s.Type(), i)
			}
		} else if rows.N != 0 {
			t.Errorf("%d rows after %v", rows.N, err)
		}
		if h, _, err := ReadHeader(data, headerless); err == nil {
			n := h.End - h.Begin
			_ = d.ReadRanges(rows, [][]byte{data}, [][]Range{{{n / 3, n / 2}, {n / 2, n}}})
		}
		project(t, s, data)
		rows.Release()
		session.Release()
		if n := p.Stats().Outstanding; n != 0 {
			t.Errorf("%d buffers are outstanding", n)
		}
	})
}

// project projects the first column that is not a flat map.
func project(t *testing.T, s *Schema, data []byte) {
	for _, name := range s.Type().Names {
		if s.Keys(name) != nil {
			continue
		}
		p, err := NewProjector(s, []Field{{Name: name}}, ProjectorOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if out, err := p.Append(nil, data); err == nil && len(out) > len(data)+64 {
			t.Errorf("%d bytes became %d", len(data), len(out))
		}
		return
	}
}
