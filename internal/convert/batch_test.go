package convert

import (
	"math"
	"strings"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// everyType has a column of each row of the map of types, and nested ones.
const everyType = `bo BOOLEAN, i8 TINYINT, i16 SMALLINT, i32 INTEGER, i64 BIGINT, f32 REAL, f64 DOUBLE,
	s VARCHAR, b VARBINARY, ts TIMESTAMP(ns), tsu TIMESTAMP(us), tsm TIMESTAMP(ms), d DATE,
	d9 DECIMAL(9,2), d18 DECIMAL(18,18), d38 DECIMAL(38,10), d76 DECIMAL(76,0),
	tm TIME(ms), tu TIME(us), tn TIME(ns), u8 UINT8, u16 UINT16, u32 UINT32, u64 UINT64, j JSON, id UUID,
	l ARRAY<INTEGER>, ll ARRAY<ARRAY<VARCHAR>>, m MAP<VARCHAR, DOUBLE>, mi MAP<BIGINT, ROW<x INTEGER, y DATE>>,
	r ROW<a INTEGER, "b c" VARCHAR, n ROW<z BOOLEAN, w ARRAY<UINT8>>>`

// newVectors returns empty vectors for the columns of a row type.
func newVectors(schema *nimble.Type) []vector.Vector {
	r, err := newArrowReader(schema)
	if err != nil {
		panic(err)
	}
	return r.vec.(*vector.Row).Fields
}

// drawBatch returns a batch of n random rows.
func drawBatch(t *rapid.T, schema *nimble.Type, n int) *vector.Batch {
	b := vector.NewBatch(nil, newVectors(schema)...)
	b.N = n
	for i, c := range schema.Children {
		for range n {
			drawRow(t, b.Columns[i], c, true)
		}
	}
	return b
}

// drawRow appends a row to v; one of six nullable ones is null.
func drawRow(t *rapid.T, v vector.Vector, typ *nimble.Type, nullable bool) {
	l, err := nimble.ParseLogical(typ.Logical)
	if err != nil {
		t.Fatal(err)
	}
	present := !nullable || rapid.IntRange(0, 5).Draw(t, "null") > 0
	switch v := v.(type) {
	case *vector.Bools:
		if present {
			v.Append(rapid.Bool().Draw(t, "bool"))
		} else {
			v.AppendNull()
		}
	case *vector.Vec[int8]:
		drawValue(t, v, present, rapid.Int8())
	case *vector.Vec[int16]:
		if l.Kind == nimble.LogicalUnsigned {
			drawValue(t, v, present, rapid.Int16Range(0, math.MaxUint8))
		} else {
			drawValue(t, v, present, rapid.Int16())
		}
	case *vector.Vec[int32]:
		if l.Kind == nimble.LogicalUnsigned {
			drawValue(t, v, present, rapid.Int32Range(0, math.MaxUint16))
		} else {
			drawValue(t, v, present, rapid.Int32())
		}
	case *vector.Vec[int64]:
		drawValue(t, v, present, int64sOf(l))
	case *vector.Vec[float32]:
		drawValue(t, v, present, rapid.Float32())
	case *vector.Vec[float64]:
		drawValue(t, v, present, rapid.OneOf(rapid.Float64(),
			rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e21, 5e-324})))
	case *vector.Vec[vector.View]:
		if present {
			vector.AppendString(v, drawBytes(t, typ, l))
		} else {
			v.AppendNull()
		}
	case *vector.Timestamps:
		drawMoment(t, v, present, l)
	default:
		drawNested(t, v, typ, present)
	}
}

func drawValue[T vector.Value](t *rapid.T, v *vector.Vec[T], present bool, values *rapid.Generator[T]) {
	if present {
		v.Append(values.Draw(t, "value"))
	} else {
		v.AppendNull()
	}
}

func int64sOf(l nimble.Logical) *rapid.Generator[int64] {
	switch l.Kind {
	case nimble.LogicalUnsigned:
		if l.Bits == 32 {
			return rapid.Int64Range(0, math.MaxUint32)
		}
	case nimble.LogicalTime:
		return rapid.Int64Range(0, secondsPerDay*1e9/nanosPer(l.Unit)-1)
	case nimble.LogicalDecimal:
		limit := int64(math.Pow10(l.Precision)) - 1
		return rapid.Int64Range(-limit, limit)
	}
	return rapid.Int64()
}

func drawBytes(t *rapid.T, typ *nimble.Type, l nimble.Logical) []byte {
	switch {
	case l.Kind == nimble.LogicalUUID:
		return rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "uuid")
	case l.Kind == nimble.LogicalDecimal:
		digits := rapid.StringMatching(`-?[1-9][0-9]{0,37}`).Draw(t, "decimal")
		digits = strings.TrimPrefix(digits, "-")[:min(len(strings.TrimPrefix(digits, "-")), l.Precision-l.Scale)]
		stored, ok := appendDecimal(nil, []byte(digits), &l)
		if !ok {
			t.Fatalf("%q is not of %v", digits, l)
		}
		return stored
	case l.Kind == nimble.LogicalJSON:
		return []byte(`{"k":` + rapid.StringMatching(`[1-9][0-9]{0,19}`).Draw(t, "json") + `}`)
	case typ.Kind == nimble.Varbinary:
		return rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "bytes")
	default:
		return []byte(rapid.StringN(0, 20, 60).Draw(t, "string"))
	}
}

func drawMoment(t *rapid.T, v *vector.Timestamps, present bool, l nimble.Logical) {
	if !present {
		v.AppendNull()
		return
	}
	const most = math.MaxInt64 / 1000 / 1000 * 1000
	micros := rapid.Int64Range(-most, most).Draw(t, "micros")
	nanos := uint16(0)
	switch l.Unit {
	case nimble.Second:
		micros -= micros % 1_000_000
	case nimble.Millisecond:
		micros -= micros % 1000
	case nimble.Nanosecond:
		nanos = uint16(rapid.IntRange(0, 999).Draw(t, "nanos"))
	}
	v.Append(micros, nanos)
}

func drawNested(t *rapid.T, v vector.Vector, typ *nimble.Type, present bool) {
	n := rapid.IntRange(0, 3).Draw(t, "length")
	switch v := v.(type) {
	case *vector.List:
		if !present {
			v.AppendNull()
			return
		}
		for range n {
			drawRow(t, v.Elem, typ.Children[0], true)
		}
		v.Append()
	case *vector.Map:
		if !present {
			v.AppendNull()
			return
		}
		for range n {
			drawRow(t, v.Keys, typ.Children[0], false)
			drawRow(t, v.Values, typ.Children[1], true)
		}
		v.Append()
	case *vector.Row:
		for i, c := range typ.Children {
			if present {
				drawRow(t, v.Fields[i], c, true)
			} else {
				appendNull(v.Fields[i])
			}
		}
		v.Append(present)
	}
}

func appendNull(v vector.Vector) {
	switch v := v.(type) {
	case interface{ AppendNull() }:
		v.AppendNull()
	case *vector.Row:
		for _, f := range v.Fields {
			appendNull(f)
		}
		v.Append(false)
	}
}
