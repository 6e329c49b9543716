package datatable

import (
	"fmt"
	"math"
	"slices"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// AppendBatch adds the selected rows of in, whose columns are those of the
// table in order. The bytes are the same as if each cell had been set in turn,
// column after column and row after row, and null cells with SetNull.
//
//	table                            vector
//	Int                              int8, int16 or int32
//	Long                             int64
//	Float, Double                    float32, float64
//	Boolean                          Bools
//	Timestamp                        Timestamps, rounded down, or int64 milliseconds
//	String, JSON, Bytes, UUID        string views
//	BigDecimal                       int64, or views of big-endian two's complements
//	arrays                           List of the above; a null element is a zero
//	Map                              Map of views to views of JSON text
//	Unknown                          any; all cells are null
//
// Decimals have the scale of their [Column]. A batch that does not fit the table
// is refused as a whole with an error that wraps [ErrMisuse] and leaves the
// table as it was. Like other setters, the method keeps an error that comes up
// later, such as that of a wrong UUID, and returns it.
func (b *Builder) AppendBatch(in *vector.Batch) error {
	if err := b.checkBatch(in); err != nil || b.err != nil {
		return firstError(err, b.err)
	}
	rows := in.Rows()
	if rows > math.MaxInt32-b.rows {
		b.fail(ErrTooLarge)
		return b.err
	}
	dst := b.extend(&b.fixed, rows*b.rowSize)
	if b.err != nil {
		return b.err
	}
	clear(dst)
	first := b.rows
	b.rows += rows
	var varying []batchColumn
	varying, b.batchCol = b.batchCol[:0], nil
	apart, texts := b.textsApart(), 0
	for i, v := range in.Columns {
		c := &b.columns[i]
		b.putNulls(c, v.Validity(), in.Sel, rows, first)
		switch {
		case b.putFixed(dst[min(int(c.offset), len(dst)):], c, v, in.Sel, rows):
		case apart && c.stored == String:
			varying = slices.Insert(varying, texts, b.newBatchColumn(c, v))
			texts++
		default:
			varying = append(varying, b.newBatchColumn(c, v))
		}
	}
	b.putTexts(dst, varying[:texts], in.Sel, rows)
	b.putVarying(dst, varying[texts:], in.Sel, rows)
	for i := range varying {
		varying[i].release(b.pool)
	}
	clear(varying)
	b.batchCol = varying
	return b.err
}

// textsApart reports whether columns of strings may be written before the others.
// Strings go to the dictionary and other values to the variable section, each in
// the order of the rows; only arrays of strings go to both.
func (b *Builder) textsApart() bool {
	return !slices.ContainsFunc(b.columns, func(c column) bool { return c.stored == StringArray })
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) checkBatch(in *vector.Batch) error {
	if b.inRow {
		return fmt.Errorf("datatable: a batch inside of row %d: %w", b.rows-1, ErrMisuse)
	}
	if len(in.Columns) != len(b.columns) {
		return fmt.Errorf("datatable: a batch of %d columns for %d: %w", len(in.Columns), len(b.columns), ErrMisuse)
	}
	for i, v := range in.Columns {
		if t := b.columns[i].typ; !accepts(t, v) {
			return fmt.Errorf("datatable: a vector of kind %v for column %d of type %v: %w", v.Kind(), i, t, ErrMisuse)
		}
		if v.Len() != in.N {
			return fmt.Errorf("datatable: column %d has %d of %d rows: %w", i, v.Len(), in.N, ErrMisuse)
		}
	}
	return nil
}

// arrayElem returns the type of t's elements, 0 if t is no array.
func arrayElem(t Type) Type {
	switch t {
	case IntArray:
		return Int
	case LongArray:
		return Long
	case FloatArray:
		return Float
	case DoubleArray:
		return Double
	case BooleanArray:
		return Boolean
	case TimestampArray:
		return Timestamp
	case StringArray:
		return String
	case BytesArray:
		return Bytes
	case UUIDArray:
		return UUID
	case BigDecimalArray:
		return BigDecimal
	}
	return 0
}

// accepts reports whether AppendBatch takes v for a column of type t.
func accepts(t Type, v vector.Vector) bool {
	if elem := arrayElem(t); elem != 0 {
		list, ok := v.(*vector.List)
		return ok && accepts(elem, list.Elem)
	}
	kind := v.Kind()
	switch t {
	case Int:
		return kind == vector.KindInt8 || kind == vector.KindInt16 || kind == vector.KindInt32
	case Long:
		return kind == vector.KindInt64
	case Float:
		return kind == vector.KindFloat32
	case Double:
		return kind == vector.KindFloat64
	case Boolean:
		return kind == vector.KindBool
	case Timestamp:
		return kind == vector.KindTimestamp || kind == vector.KindInt64
	case String, JSON, Bytes, UUID:
		return kind == vector.KindString
	case BigDecimal:
		return kind == vector.KindInt64 || kind == vector.KindString
	case Map:
		m, ok := v.(*vector.Map)
		return ok && m.Keys.Kind() == vector.KindString && m.Values.Kind() == vector.KindString
	case Unknown:
		return true
	}
	return false
}

// putNulls adds the null rows of a batch to c's bitmap. Their slots are filled
// elsewhere.
func (b *Builder) putNulls(c *column, valid []uint64, sel []int32, rows, first int) {
	if valid == nil || c.typ.inBandNull() {
		return
	}
	for r := range rows {
		row := rowOf(sel, r)
		if !vector.Bit(valid, row) {
			b.setNullRow(c, first+r)
		}
	}
}

// flat returns the values of v row by row: v's own or, if v is encoded, in
// memory that *scratch then owns.
func flat[T vector.Value](p *pool.Pool, v *vector.Vec[T], scratch *pool.Buf[T]) []T {
	if v.Form == vector.Flat {
		return v.Values
	}
	*scratch = pool.Get[T](p, v.N)
	v.Expand(scratch.S)
	return scratch.S
}
