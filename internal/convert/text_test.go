package convert

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// oneColumn returns a batch of one column and its schema.
func oneColumn(tb testing.TB, typ string, fill func(v vector.Vector)) (*nimble.Type, *vector.Batch) {
	tb.Helper()
	schema := parseSchema(tb, "v "+typ)
	b := vector.NewBatch(nil, newVectors(schema)...)
	fill(b.Columns[0])
	b.N = b.Columns[0].Len()
	return schema, b
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		typ, plain, json string
		fill             func(v vector.Vector)
	}{
		{"BOOLEAN", "true", "true", func(v vector.Vector) { v.(*vector.Bools).Append(true) }},
		{"BIGINT", "-9223372036854775808", "-9223372036854775808", func(v vector.Vector) {
			v.(*vector.Vec[int64]).Append(math.MinInt64)
		}},
		{"UINT64", "18446744073709551615", "18446744073709551615", func(v vector.Vector) { v.(*vector.Vec[int64]).Append(-1) }},
		{"REAL", "0.1", "0.1", func(v vector.Vector) { v.(*vector.Vec[float32]).Append(0.1) }},
		{"DOUBLE", "-0.0", "-0.0", func(v vector.Vector) { v.(*vector.Vec[float64]).Append(math.Copysign(0, -1)) }},
		{"DOUBLE", "1e+21", "1e+21", func(v vector.Vector) { v.(*vector.Vec[float64]).Append(1e21) }},
		{"DOUBLE", "100000000000000000000.0", "100000000000000000000.0", func(v vector.Vector) {
			v.(*vector.Vec[float64]).Append(1e20)
		}},
		{"DOUBLE", "NaN", `"NaN"`, func(v vector.Vector) { v.(*vector.Vec[float64]).Append(math.NaN()) }},
		{"DOUBLE", "-Infinity", `"-Infinity"`, func(v vector.Vector) { v.(*vector.Vec[float64]).Append(math.Inf(-1)) }},
		{"VARCHAR", "a\"\\\n\x01é\xff", `"a\"\\\n\u0001é\udcff"`, func(v vector.Vector) {
			vector.AppendString(v.(*vector.Vec[vector.View]), []byte("a\"\\\n\x01é\xff"))
		}},
		{"VARBINARY", "00ff", `"00ff"`, func(v vector.Vector) {
			vector.AppendString(v.(*vector.Vec[vector.View]), []byte{0, 255})
		}},
		{"DATE", "-0001-12-31", `"-0001-12-31"`, func(v vector.Vector) { v.(*vector.Vec[int32]).Append(-719529) }},
		{"DATE", "+10000-01-01", `"+10000-01-01"`, func(v vector.Vector) { v.(*vector.Vec[int32]).Append(2932897) }},
		{"DECIMAL(4,3)", "-0.001", "-0.001", func(v vector.Vector) { v.(*vector.Vec[int64]).Append(-1) }},
		{"DECIMAL(38,1)", "-12.8", "-12.8", func(v vector.Vector) {
			vector.AppendString(v.(*vector.Vec[vector.View]), []byte{0x80})
		}},
		{"TIME(us)", "23:59:59.999999", `"23:59:59.999999"`, func(v vector.Vector) {
			v.(*vector.Vec[int64]).Append(microsPerDay - 1)
		}},
		{"TIME(us)", "86400000000", `"86400000000"`, func(v vector.Vector) { v.(*vector.Vec[int64]).Append(microsPerDay) }},
		{"TIMESTAMP", "1969-12-31T23:59:59.999999999Z", `"1969-12-31T23:59:59.999999999Z"`, func(v vector.Vector) {
			v.(*vector.Timestamps).Append(-1, 999)
		}},
		{"TIMESTAMP(s)", "1970-01-01T00:00:01.500000000Z", `"1970-01-01T00:00:01.500000000Z"`, func(v vector.Vector) {
			v.(*vector.Timestamps).Append(1_500_000, 0)
		}},
		{"TIMESTAMP", "+294247-01-10T04:00:54.775807000Z", `"+294247-01-10T04:00:54.775807000Z"`, func(v vector.Vector) {
			v.(*vector.Timestamps).Append(math.MaxInt64, 0)
		}},
		{"ARRAY<VARCHAR>", `["x",null]`, `["x",null]`, func(v vector.Vector) {
			l := v.(*vector.List)
			vector.AppendString(l.Elem.(*vector.Vec[vector.View]), []byte("x"))
			l.Elem.(*vector.Vec[vector.View]).AppendNull()
			l.Append()
		}},
		{"MAP<INTEGER, DATE>", `{"7":"1970-01-02"}`, `{"7":"1970-01-02"}`, func(v vector.Vector) {
			m := v.(*vector.Map)
			m.Keys.(*vector.Vec[int32]).Append(7)
			m.Values.(*vector.Vec[int32]).Append(1)
			m.Append()
		}},
		{"ROW<a INTEGER, \"b\"\"\" BOOLEAN>", `{"a":null,"b\"":true}`, `{"a":null,"b\"":true}`, func(v vector.Vector) {
			r := v.(*vector.Row)
			r.Fields[0].(*vector.Vec[int32]).AppendNull()
			r.Fields[1].(*vector.Bools).Append(true)
			r.Append(true)
		}},
	} {
		schema, b := oneColumn(t, c.typ, c.fill)
		for mode, want := range map[TextMode]string{PlainText: c.plain, JSONText: c.json} {
			text, err := NewText(schema, mode)
			if err != nil {
				t.Fatal(err)
			}
			if err := text.Render(b); err != nil {
				t.Fatal(err)
			}
			if got, present := text.Cell(0, 0); string(got) != want || !present {
				t.Errorf("%s in mode %d: %s, want %s", c.typ, mode, got, want)
			}
		}
	}
}

// TestTextForms renders vectors that are not flat, and a selection.
func TestTextForms(t *testing.T) {
	forms := map[string]*vector.Vec[int32]{
		"constant":   {Form: vector.Constant, N: 5, Values: []int32{7}},
		"dictionary": {Form: vector.Dictionary, N: 5, Values: []int32{7, 8}, Index: []uint32{0, 0, 1, 0, 0}},
		"runs":       {Form: vector.RunLength, N: 5, Values: []int32{7, 8, 7}, Ends: []uint32{2, 3, 5}},
		"sparse":     {Form: vector.Sparse, N: 5, Values: []int32{7, 8}, Positions: []uint32{2}},
	}
	schema := parseSchema(t, "v INTEGER")
	for name, v := range forms {
		v.Valid = []uint64{0b11101}
		b := &vector.Batch{N: 5, Columns: []vector.Vector{v}, Sel: []int32{1, 2, 4}}
		want := "{\"v\":null}\n{\"v\":8}\n{\"v\":7}\n"
		if name == "constant" {
			want = strings.ReplaceAll(want, "8", "7")
		}
		if got := jsonOf(t, schema, b); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestTextErrors(t *testing.T) {
	if _, err := NewText(parseSchema(t, "v INTEGER").Children[0], PlainText); err == nil {
		t.Error("a type that is no row is no error")
	}
	text, err := NewText(parseSchema(t, "v ARRAY<INTEGER>"), PlainText)
	if err != nil {
		t.Fatal(err)
	}
	for _, columns := range [][]vector.Vector{
		nil,
		{vector.NewRow(nil, vector.NewBools(nil))},
		{vector.NewVec[uint8](nil)},
		{vector.NewMap(nil, vector.NewBools(nil), vector.NewBools(nil))},
	} {
		if err := text.Render(vector.NewBatch(nil, columns...)); err == nil && len(columns) != 1 {
			t.Errorf("columns %v are no error", columns)
		}
	}
}

// TestJSON checks that a line is JSON and tells every value.
func TestJSON(t *testing.T) {
	schema := parseSchema(t, everyType)
	rapid.Check(t, func(t *rapid.T) {
		b := drawBatch(t, schema, 1)
		line := []byte(jsonOf(t, schema, b))
		if !json.Valid(line) || bytes.Count(line, newline) != 1 {
			t.Fatalf("not one line of JSON: %s", line)
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(line, &members); err != nil || len(members) != len(schema.Names) {
			t.Fatalf("%d members of %d: %v", len(members), len(schema.Names), err)
		}
		s := b.Columns[schema.Field("s")].(*vector.Vec[vector.View])
		if view, present := s.At(0); present {
			text := view.Bytes(s.Buffers.List())
			var back string
			if err := json.Unmarshal(members["s"], &back); utf8.Valid(text) && (err != nil || back != string(text)) {
				t.Errorf("%q became %q: %v", text, back, err)
			}
		}
	})
}

func TestParseMomentForm(t *testing.T) {
	for _, pattern := range []string{
		"YYYY-MM-DDTHH:MM:SSZ", "YYYY-MM-DD HH:MM:SS", "YYYY-MM-DD HH:MM:SS.fff+05:30", "YYYY-MM-DDTHH:MM:SS.fffffffff-00:30",
	} {
		if form, ok := parseMomentForm(pattern); !ok || form.String() != pattern {
			t.Errorf("%s became %s", pattern, form)
		}
	}
	for _, pattern := range []string{"", "YYYY", "2000-01-01T00:00:00Z", "YYYY-MM-DDTHH:MM:SS+00:60"} {
		if _, ok := parseMomentForm(pattern); ok {
			t.Errorf("%q is a form", pattern)
		}
	}
}

// TestMoment writes moments in a form and reads them again.
func TestMoment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := momentForm{
			separator: rapid.SampledFrom([]byte("T ")).Draw(t, "separator"),
			digits:    rapid.IntRange(0, 9).Draw(t, "digits"),
			zone:      rapid.SampledFrom([]byte{0, 'Z', '+'}).Draw(t, "zone"),
		}
		if form.zone == '+' {
			form.offset = rapid.IntRange(-23*60, 23*60).Draw(t, "offset")
		}
		const year1, year9999 = -62135510400, 253402214400 // a day off, for the offset
		m := moment{micros: rapid.Int64Range(year1*1e6, year9999*1e6).Draw(t, "micros")}
		m.nanos = uint16(rapid.IntRange(0, 999).Draw(t, "nanos"))
		text := appendMoment(nil, m, form)
		back, _, ok := parseMoment(text)
		if !ok || back != m {
			t.Fatalf("%v in form %v is %s, read as %v", m, form, text, back)
		}
	})
}
