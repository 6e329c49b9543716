package fn

import (
	"fmt"

	"github.com/decantdb/decant/vector"
)

// Row is one row of a call: its arguments, and where its result goes.
type Row struct {
	// Out takes a text or bytes by append, and is empty before.
	Out []byte
	// I, F and B take an INT, LONG or TIMESTAMP, a FLOAT or DOUBLE, a BOOLEAN.
	I int64
	F float64
	B bool
	// Null makes the result null.
	Null bool

	args []rowArg
	list *vector.List // of an array's result
	// Scratch is the function's own, kept from row to row.
	Scratch any

	meter     *Meter
	argBytes  int // of texts and arrays
	listBytes int // of the elements that were added
	mostBytes int // that the result may have; 0: any number, of an aggregate
}

// Bounds of what a function may make of one row. It is told lengths and counts,
// and could make gigabytes of a few bytes.
const (
	// longestValue is what any function may make, in bytes.
	longestValue = 1 << 20
	// longestGrowth is how many times longer than its arguments a result may be
	// where those are long themselves ...
	longestGrowth = 4
	// longestGrown ... and what it may have then at the most.
	longestGrown = 16 << 20
)

// begin readies r for the result of the next row.
func (r *Row) begin(row int) {
	size := 0
	for i := range r.args {
		a := &r.args[i]
		a.goTo(row)
		switch {
		case a.views != nil:
			size += a.views[a.at].Len()
		case a.list != nil:
			begin, end := a.list.Span(a.at)
			size += elementBytes * (end - begin)
		default:
			size += elementBytes
		}
	}
	r.Out, r.Null, r.listBytes = r.Out[:0], false, 0
	r.argBytes = size
	r.mostBytes = max(longestValue, min(longestGrowth*size, longestGrown))
}

// Full reports whether nothing may be added to the result any more, which then is
// an error. Loops that make much of little ask it.
func (r *Row) Full() bool { return r.mostBytes > 0 && r.listBytes+len(r.Out) > r.mostBytes }

// Work counts work that is about to be done; see [Meter.Work].
func (r *Row) Work(units int) error { return r.meter.Work(units) }

// add counts an element of the result. It reports whether there is room for it.
func (r *Row) add(size int) bool {
	r.listBytes += size
	return r.mostBytes == 0 || r.listBytes <= r.mostBytes
}

// elementBytes is what an element of an array takes, at the most and apart from its
// text.
const elementBytes = 16

// rowArg reads one argument, whatever it holds.
type rowArg struct {
	at       int // row
	constant bool
	i32      []int32
	i64      []int64
	f32      []float32
	f64      []float64
	views    []vector.View
	buffers  [][]byte
	bits     []uint64
	valid    []uint64
	list     *vector.List
	elem     *rowArg
}

func (a *rowArg) bind(v vector.Vector) error {
	elem := a.elem
	*a = rowArg{valid: v.Validity()}
	switch v := v.(type) {
	case *vector.Vec[int32]:
		a.i32, a.constant = bindVec(v)
	case *vector.Vec[int64]:
		a.i64, a.constant = bindVec(v)
	case *vector.Vec[float32]:
		a.f32, a.constant = bindVec(v)
	case *vector.Vec[float64]:
		a.f64, a.constant = bindVec(v)
	case *vector.Vec[vector.View]:
		a.views, a.constant = bindVec(v)
		a.buffers = v.Buffers.List()
	case *vector.Bools:
		a.bits = v.Bits
	case *vector.List:
		a.list, a.constant = v, v.Len() == 1
		if elem == nil {
			elem = &rowArg{}
		}
		a.elem = elem
		return a.elem.bind(v.Elem)
	default:
		return fmt.Errorf("fn: an argument of kind %v", v.Kind())
	}
	return nil
}

func bindVec[T vector.Value](v *vector.Vec[T]) (values []T, constant bool) {
	if v.Form == vector.Constant {
		return v.Values, true
	}
	v.Flatten()
	return v.Values, false
}

func (a *rowArg) goTo(row int) {
	a.at = row
	if a.constant {
		a.at = 0
	}
}

func (a *rowArg) int(i int) int64 {
	if a.i64 != nil {
		return a.i64[i]
	}
	return int64(a.i32[i])
}

func (a *rowArg) float(i int) float64 {
	if a.f64 != nil {
		return a.f64[i]
	}
	return float64(a.f32[i])
}

func (a *rowArg) text(i int) []byte { return a.views[i].Bytes(a.buffers) }

// Args returns the number of arguments.
func (r *Row) Args() int { return len(r.args) }

// IsNull reports whether an argument is null: for functions that see nulls.
func (r *Row) IsNull(arg int) bool {
	a := &r.args[arg]
	return !vector.Valid(a.valid, a.at)
}

// Int returns an INT, LONG or TIMESTAMP.
func (r *Row) Int(arg int) int64 { a := &r.args[arg]; return a.int(a.at) }

// Float returns a FLOAT or DOUBLE.
func (r *Row) Float(arg int) float64 { a := &r.args[arg]; return a.float(a.at) }

// Bool returns a BOOLEAN.
func (r *Row) Bool(arg int) bool { a := &r.args[arg]; return vector.Bit(a.bits, a.at) }

// Text returns a text or bytes, valid during the call.
func (r *Row) Text(arg int) []byte { a := &r.args[arg]; return a.text(a.at) }

// Len returns the number of elements of an array.
func (r *Row) Len(arg int) int {
	begin, end := r.span(arg)
	return end - begin
}

func (r *Row) span(arg int) (begin, end int) { a := &r.args[arg]; return a.list.Span(a.at) }

// IntAt returns an element of an array of INT, LONG or TIMESTAMP.
func (r *Row) IntAt(arg, i int) int64 {
	begin, _ := r.span(arg)
	return r.args[arg].elem.int(begin + i)
}

// FloatAt returns an element of an array of FLOAT or DOUBLE.
func (r *Row) FloatAt(arg, i int) float64 {
	begin, _ := r.span(arg)
	return r.args[arg].elem.float(begin + i)
}

// BoolAt returns an element of an array of BOOLEAN.
func (r *Row) BoolAt(arg, i int) bool {
	begin, _ := r.span(arg)
	return vector.Bit(r.args[arg].elem.bits, begin+i)
}

// TextAt returns an element of an array of texts, valid during the call.
func (r *Row) TextAt(arg, i int) []byte {
	begin, _ := r.span(arg)
	return r.args[arg].elem.text(begin + i)
}

// AddInt adds an element to an array's result of INT, LONG or TIMESTAMP.
func (r *Row) AddInt(x int64) {
	if !r.add(elementBytes) {
		return
	}
	switch e := r.list.Elem.(type) {
	case *vector.Vec[int32]:
		e.Append(int32(x))
	case *vector.Vec[int64]:
		e.Append(x)
	}
}

// AddFloat adds an element to an array's result of FLOAT or DOUBLE.
func (r *Row) AddFloat(x float64) {
	if !r.add(elementBytes) {
		return
	}
	switch e := r.list.Elem.(type) {
	case *vector.Vec[float32]:
		e.Append(float32(x))
	case *vector.Vec[float64]:
		e.Append(x)
	}
}

// AddBool adds an element to an array's result of BOOLEAN.
func (r *Row) AddBool(x bool) {
	if r.add(1) {
		r.list.Elem.(*vector.Bools).Append(x)
	}
}

// AddText adds an element to an array's result of STRING or BYTES.
func (r *Row) AddText(x []byte) {
	if r.add(elementBytes + len(x)) {
		vector.AppendString(r.list.Elem.(*vector.Vec[vector.View]), x)
	}
}

// rows makes kernels that call f for each row without null arguments.
func rows(f func(r *Row) error) func(Type) func() Kernel {
	return func(result Type) func() Kernel {
		return func() Kernel { return newRowLoop(result, f).eval }
	}
}

// rowLoop calls a function row by row.
type rowLoop struct {
	f    func(r *Row) error
	row  Row
	out  rowResult
	held int // bytes of results that the meter knows of
}

func newRowLoop(result Type, f func(r *Row) error) *rowLoop {
	l := &rowLoop{f: f, out: newRowResult(result)}
	if list, ok := l.out.vector().(*vector.List); ok {
		l.row.list = list
	}
	return l
}

func (l *rowLoop) eval(in *Input) (vector.Vector, error) {
	r := &l.row
	if len(r.args) != len(in.Args) {
		r.args = make([]rowArg, len(in.Args))
	}
	for i, v := range in.Args {
		if err := r.args[i].bind(v); err != nil {
			return nil, err
		}
	}
	r.meter = in.Meter
	out := l.out.vector()
	out.Reset()
	made := 0
	for row := range in.N {
		if !vector.Valid(in.Valid, row) {
			l.out.appendNull()
			continue
		}
		r.begin(row)
		if err := l.f(r); err != nil {
			return nil, err
		}
		size := r.listBytes + len(r.Out)
		if size > r.mostBytes {
			return nil, badValue("a result of more than %d bytes", r.mostBytes)
		}
		made += size
		if err := l.count(in, made, size); err != nil {
			return nil, err
		}
		if r.Null {
			l.out.appendNull()
		} else {
			l.out.append(r)
		}
	}
	return out, nil
}

// rowUnits is the work of a row beside that on its bytes.
const rowUnits = 32

// count tells the meter of the last row, which made so many bytes, and of those of
// the whole batch so far.
func (l *rowLoop) count(in *Input, made, size int) error {
	if err := in.Meter.Work(rowUnits + size + l.row.argBytes); err != nil {
		return err
	}
	if made <= l.held {
		return nil
	}
	if err := in.Meter.Cut(made, in.N); err != nil {
		return err
	}
	// What vectors grow to is ahead of what they hold.
	ahead := made + made/2
	if err := in.Meter.Hold(ahead - l.held); err != nil {
		return err
	}
	l.held = ahead
	return nil
}

// rowResult collects the results of rows.
type rowResult interface {
	vector() vector.Vector
	append(r *Row)
	appendNull()
}

func newRowResult(t Type) rowResult {
	switch {
	case t == Int:
		return intResult{vector.NewVec[int32](nil)}
	case t == Long || t == Timestamp:
		return longResult{vector.NewVec[int64](nil)}
	case t == Float:
		return floatResult{vector.NewVec[float32](nil)}
	case t == Double:
		return doubleResult{vector.NewVec[float64](nil)}
	case t == Boolean:
		return boolResult{vector.NewBools(nil)}
	case t.Array():
		return listResult{vector.NewList(nil, NewVector(t.Elem()))}
	}
	return textResult{vector.NewVec[vector.View](nil)}
}

type (
	intResult    struct{ v *vector.Vec[int32] }
	longResult   struct{ v *vector.Vec[int64] }
	floatResult  struct{ v *vector.Vec[float32] }
	doubleResult struct{ v *vector.Vec[float64] }
	boolResult   struct{ v *vector.Bools }
	textResult   struct{ v *vector.Vec[vector.View] }
	listResult   struct{ v *vector.List }
)

func (o intResult) vector() vector.Vector    { return o.v }
func (o longResult) vector() vector.Vector   { return o.v }
func (o floatResult) vector() vector.Vector  { return o.v }
func (o doubleResult) vector() vector.Vector { return o.v }
func (o boolResult) vector() vector.Vector   { return o.v }
func (o textResult) vector() vector.Vector   { return o.v }
func (o listResult) vector() vector.Vector   { return o.v }

func (o intResult) append(r *Row)    { o.v.Append(int32(r.I)) }
func (o longResult) append(r *Row)   { o.v.Append(r.I) }
func (o floatResult) append(r *Row)  { o.v.Append(float32(r.F)) }
func (o doubleResult) append(r *Row) { o.v.Append(r.F) }
func (o boolResult) append(r *Row)   { o.v.Append(r.B) }
func (o textResult) append(r *Row)   { vector.AppendString(o.v, r.Out) }
func (o listResult) append(*Row)     { o.v.Append() }

func (o intResult) appendNull()    { o.v.AppendNull() }
func (o longResult) appendNull()   { o.v.AppendNull() }
func (o floatResult) appendNull()  { o.v.AppendNull() }
func (o doubleResult) appendNull() { o.v.AppendNull() }
func (o boolResult) appendNull()   { o.v.AppendNull() }
func (o textResult) appendNull()   { o.v.AppendNull() }
func (o listResult) appendNull()   { o.v.AppendNull() }
