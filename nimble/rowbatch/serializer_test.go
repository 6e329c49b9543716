package rowbatch

import (
	"errors"
	"testing"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// oneMap returns a row with a map of the given string keys; an empty key makes
// the next one null.
func oneMap(keys ...string) *vector.Row {
	k, v := vector.NewVec[vector.View](nil), vector.NewVec[int64](nil)
	m := vector.NewMap(nil, k, v)
	for i, key := range keys {
		if key == "" {
			k.AppendNull()
		} else {
			vector.AppendString(k, []byte(key))
		}
		v.Append(int64(i))
	}
	m.Append()
	return &vector.Row{N: 1, Fields: []vector.Vector{m}}
}

func flatSchema(tb testing.TB, keys ...string) *Schema {
	tb.Helper()
	typ, err := nimble.ParseType("ROW<m FLATMAP<VARCHAR, BIGINT>>")
	if err != nil {
		tb.Fatal(err)
	}
	s, err := NewSchema(typ, map[string][]string{"m": keys})
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name string
		rows *vector.Row
		o    SerializerOptions
		want error
	}{
		{"new key", oneMap("a", "c"), SerializerOptions{}, nil},
		{"new key where keys are fixed", oneMap("a", "c"), SerializerOptions{FixedKeys: []string{"m"}}, ErrKey},
		{"known keys where keys are fixed", oneMap("b", "a"), SerializerOptions{FixedKeys: []string{"m"}}, nil},
		{"a key twice", oneMap("a", "b", "a"), SerializerOptions{}, ErrKey},
		{"a key that is null", oneMap("a", ""), SerializerOptions{}, ErrKey},
		{"nothing", oneMap(), SerializerOptions{}, nil},
	} {
		w, err := NewSerializer(flatSchema(t, "b", "a"), nil, c.o)
		if err != nil {
			t.Fatal(err)
		}
		blob, err := w.Append([]byte{9}, c.rows)
		if !errors.Is(err, c.want) || err != nil && len(blob) != 1 {
			t.Errorf("%s: %d bytes, %v", c.name, len(blob), err)
		}
	}
}

func TestSerializerRefusals(t *testing.T) {
	s := flatSchema(t)
	if _, err := NewSerializer(s, nil, SerializerOptions{FixedKeys: []string{"x"}}); !errors.Is(err, ErrSchema) {
		t.Errorf("fixed keys of nothing: %v", err)
	}
	if _, err := NewSerializer(s, nil, SerializerOptions{Numbers: 9}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a list form that is none: %v", err)
	}
	w, err := NewSerializer(s, nil, SerializerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rows := oneMap("a")
	rows.Valid = []uint64{0}
	if _, err := w.Append(nil, rows); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a null row with a flat map: %v", err)
	}
	if _, err := w.Append(nil, &vector.Row{N: 1, Fields: []vector.Vector{vector.NewBools(nil)}}); !errors.Is(err, ErrSchema) {
		t.Errorf("a vector of another type: %v", err)
	}
	legacy, err := NewSerializer(s, nil, SerializerOptions{Headerless: true})
	if err != nil {
		t.Fatal(err)
	}
	rows = oneMap("a")
	rows.Fields[0].(*vector.Map).Valid = []uint64{0}
	if _, err := legacy.Append(nil, rows); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a null in the legacy form: %v", err)
	}
}

// TestNullBarrier wants the flag for null rows and flat maps, not for values.
func TestNullBarrier(t *testing.T) {
	for _, null := range []string{"nothing", "map", "value"} {
		w, err := NewSerializer(flatSchema(t), nil, SerializerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		rows := oneMap("a")
		m := rows.Fields[0].(*vector.Map)
		switch null {
		case "map":
			m.Valid = []uint64{0}
		case "value":
			m.Values.(*vector.Vec[int64]).Valid = []uint64{0}
		}
		blob, err := w.Append(nil, rows)
		if err != nil {
			t.Fatal(err)
		}
		h, _, err := ReadHeader(blob, false)
		if err != nil || h.NullBarrier != (null == "map") {
			t.Errorf("%s is null: %+v, %v", null, h, err)
		}
		p, err := NewProjector(w.Schema(), []Field{{Name: "m", Keys: []string{"a"}}}, ProjectorOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if blob, err = p.Append(nil, blob); err != nil {
			t.Fatal(err)
		}
		if h, _, err = ReadHeader(blob, false); err != nil || h.NullBarrier != (null == "map") {
			t.Errorf("%s is null, projected: %+v, %v", null, h, err)
		}
	}
}
