package fn

import (
	"cmp"
	"slices"
)

// element tells how arrays of one type are read and made.
type element[T cmp.Ordered] struct {
	elem, array Type
	get         func(r *Row, arg int) T // an argument that is one value
	at          func(r *Row, arg, i int) T
	add         func(r *Row, x T)
	set         func(r *Row, x T)
}

var (
	intElement    = element[int64]{Int, IntArray, (*Row).Int, (*Row).IntAt, (*Row).AddInt, setInt}
	longElement   = element[int64]{Long, LongArray, (*Row).Int, (*Row).IntAt, (*Row).AddInt, setInt}
	floatElement  = element[float64]{Float, FloatArray, (*Row).Float, (*Row).FloatAt, (*Row).AddFloat, setFloat}
	doubleElement = element[float64]{Double, DoubleArray, (*Row).Float, (*Row).FloatAt, (*Row).AddFloat, setFloat}
	stringElement = element[string]{String, StringArray, textOf, textAt, addText, setText}
)

func setInt(r *Row, x int64)           { r.I = x }
func setFloat(r *Row, x float64)       { r.F = x }
func setText(r *Row, x string)         { r.Out = append(r.Out, x...) }
func addText(r *Row, x string)         { r.AddText([]byte(x)) }
func textOf(r *Row, arg int) string    { return string(r.Text(arg)) }
func textAt(r *Row, arg, i int) string { return string(r.TextAt(arg, i)) }

// arrays is the family of functions of columns with several values.
var arrays = slices.Concat(
	arraysOf("int", intElement), listsOf("int", intElement),
	arraysOf("string", stringElement), listsOf("string", stringElement),
	arraysOf("long", longElement), arraysOf("float", floatElement), arraysOf("double", doubleElement),
	[]Function{
		{Name: "arraylength", Alias: []string{"cardinality"}, Rows: onArrays(func(Type) (Type, func(*Row) error) { return Int, arrayLength })},
		{Name: "arraysum", Rows: onArrays(arraySum(1)), Fold: neverFolds},
		{Name: "arrayaverage", Rows: onArrays(arraySum(0)), Fold: neverFolds},
		{Name: "arraymin", Rows: onArrays(arrayExtreme(-1)), Fold: neverFolds},
		{Name: "arraymax", Rows: onArrays(arrayExtreme(1)), Fold: neverFolds},
		{Name: "arraysumint", Rows: takes(Int, rows(sumInts), IntArray)},
		{Name: "arraysumlong", Rows: takes(Long, rows(sumInts), LongArray)},
		{Name: "arraytostring", Rows: either(
			takes(String, rows(arrayToString), StringArray, String),
			takes(String, rows(arrayToString), StringArray, String, String),
		)},
		{Name: "arraysoverlap", Rows: resolveOverlap},
		{Name: "intersectindices", Rows: takes(IntArray, rows(intersectIndices), IntArray, IntArray)},
		{Name: "valuein", Rows: resolveValueIn, Fold: neverFolds},
		{Name: "mapvalue", Rows: resolveMapValue, Fold: neverFolds},
		{Name: "arrayvalueconstructor", Alias: []string{"array"}, Rows: resolveConstructor(false), Fold: resolveConstructor(true)},
		{Name: "generateintarray", Rows: takes(IntArray, rows(generateInts), Int, Int, Int)},
		{Name: "generatelongarray", Rows: takes(LongArray, rows(generateInts), Long, Long, Long)},
		{Name: "generatefloatarray", Rows: takes(FloatArray, rows(generateFloats), Float, Float, Float)},
		{Name: "generatedoublearray", Rows: takes(DoubleArray, rows(generateFloats), Double, Double, Double)},
	},
)

// arraysOf are the functions that every type of element has.
func arraysOf[T cmp.Ordered](suffix string, e element[T]) []Function {
	return []Function{
		{Name: "arrayelementat" + suffix, Rows: takes(e.elem, rows(e.elementAt), e.array, Int)},
		{Name: "arrayconcat" + suffix, Rows: takes(e.array, rows(e.concat), e.array, e.array)},
		{Name: "arraypushback" + suffix, Rows: takes(e.array, rows(e.pushBack), e.array, e.elem)},
		{Name: "arraypushfront" + suffix, Rows: takes(e.array, rows(e.pushFront), e.array, e.elem)},
		{Name: "arrayindexesof" + suffix, Rows: takes(IntArray, rows(e.indexesOf), e.array, e.elem)},
	}
}

// listsOf are the functions that only ints and strings have.
func listsOf[T cmp.Ordered](suffix string, e element[T]) []Function {
	return []Function{
		{Name: "arrayreverse" + suffix, Rows: takes(e.array, rows(e.reverse), e.array)},
		{Name: "arraysort" + suffix, Rows: takes(e.array, rows(e.sort), e.array)},
		{Name: "arrayindexof" + suffix, Rows: takes(Int, rows(e.indexOf), e.array, e.elem)},
		{Name: "arraycontains" + suffix, Rows: takes(Boolean, rows(e.contains), e.array, e.elem)},
		{Name: "arrayslice" + suffix, Rows: takes(e.array, rows(e.slice), e.array, Int, Int)},
		{Name: "arraydistinct" + suffix, Rows: takes(e.array, rows(e.distinct), e.array)},
		{Name: "arrayremove" + suffix, Rows: takes(e.array, rows(e.remove), e.array, e.elem)},
		{Name: "arrayunion" + suffix, Rows: takes(e.array, rows(e.union), e.array, e.array)},
	}
}

func (e element[T]) each(r *Row, arg int, visit func(i int, x T)) {
	for i := range r.Len(arg) {
		visit(i, e.at(r, arg, i))
	}
}

func (e element[T]) elementAt(r *Row) error {
	var x T
	if i := r.Int(1); i >= 1 && i <= int64(r.Len(0)) {
		x = e.at(r, 0, int(i-1))
	}
	e.set(r, x)
	return nil
}

func (e element[T]) concat(r *Row) error {
	for arg := range 2 {
		e.each(r, arg, func(_ int, x T) { e.add(r, x) })
	}
	return nil
}

func (e element[T]) pushBack(r *Row) error {
	e.each(r, 0, func(_ int, x T) { e.add(r, x) })
	e.add(r, e.get(r, 1))
	return nil
}

func (e element[T]) pushFront(r *Row) error {
	e.add(r, e.get(r, 1))
	e.each(r, 0, func(_ int, x T) { e.add(r, x) })
	return nil
}

func (e element[T]) indexesOf(r *Row) error {
	want := e.get(r, 1)
	e.each(r, 0, func(i int, x T) {
		if x == want {
			r.AddInt(int64(i))
		}
	})
	return nil
}

func (e element[T]) reverse(r *Row) error {
	for i := r.Len(0) - 1; i >= 0; i-- {
		e.add(r, e.at(r, 0, i))
	}
	return nil
}

// list copies an argument into memory that is kept from row to row.
func (e element[T]) list(r *Row, arg int) []T {
	kept, _ := r.Scratch.([]T)
	kept = kept[:0]
	e.each(r, arg, func(_ int, x T) { kept = append(kept, x) })
	r.Scratch = kept
	return kept
}

func (e element[T]) sort(r *Row) error {
	list := e.list(r, 0)
	slices.Sort(list)
	for _, x := range list {
		e.add(r, x)
	}
	return nil
}

func (e element[T]) indexOf(r *Row) error {
	r.I = int64(slices.Index(e.list(r, 0), e.get(r, 1)))
	return nil
}

func (e element[T]) contains(r *Row) error {
	r.B = slices.Contains(e.list(r, 0), e.get(r, 1))
	return nil
}

// slice fills up with zero values behind the end, as Java's copyOfRange does.
func (e element[T]) slice(r *Row) error {
	begin, end, n := r.Int(1), r.Int(2), int64(r.Len(0))
	if begin < 0 || begin > n || end < begin {
		return badValue("elements %d to %d of %d", begin, end, n)
	}
	for i := begin; i < end && !r.Full(); i++ {
		var x T
		if i < n {
			x = e.at(r, 0, int(i))
		}
		e.add(r, x)
	}
	return nil
}

// addNew adds the elements of an argument that were not seen before.
func (e element[T]) addNew(r *Row, arg int, seen map[T]bool) {
	e.each(r, arg, func(_ int, x T) {
		if !seen[x] {
			seen[x] = true
			e.add(r, x)
		}
	})
}

func (e element[T]) distinct(r *Row) error {
	e.addNew(r, 0, map[T]bool{})
	return nil
}

func (e element[T]) union(r *Row) error {
	seen := map[T]bool{}
	e.addNew(r, 0, seen)
	e.addNew(r, 1, seen)
	return nil
}

// remove leaves the first occurrence out.
func (e element[T]) remove(r *Row) error {
	want, found := e.get(r, 1), false
	e.each(r, 0, func(_ int, x T) {
		if x == want && !found {
			found = true
			return
		}
		e.add(r, x)
	})
	return nil
}

// onArrays resolves functions of one array of any type.
func onArrays(of func(elem Type) (Type, func(*Row) error)) Resolver {
	return func(args []Arg) (Signature, error) {
		if len(args) != 1 || !args[0].Type.Array() {
			return Signature{}, wrongNumber(args)
		}
		t, f := of(args[0].Type.Elem())
		if f == nil {
			return Signature{}, wrongNumber(args)
		}
		return takes(t, rows(f), args[0].Type)(args)
	}
}

func arrayLength(r *Row) error {
	r.I = int64(r.Len(0))
	return nil
}

// arraySum adds numbers up, and divides the sum by their number for 0.
func arraySum(divisor float64) func(Type) (Type, func(*Row) error) {
	return func(elem Type) (Type, func(*Row) error) {
		at := floatAt(elem)
		if at == nil {
			return Unknown, nil
		}
		return Double, func(r *Row) error {
			n := r.Len(0)
			r.F = 0
			for i := range n {
				r.F += at(r, 0, i)
			}
			if divisor == 0 {
				r.F /= float64(n)
			}
			return nil
		}
	}
}

// floatAt reads elements as doubles.
func floatAt(elem Type) func(r *Row, arg, i int) float64 {
	switch elem {
	case Int, Long, Timestamp:
		return func(r *Row, arg, i int) float64 { return float64(r.IntAt(arg, i)) }
	case Float, Double:
		return (*Row).FloatAt
	case Boolean:
		return func(r *Row, arg, i int) float64 { return float64(bit(r.BoolAt(arg, i))) }
	case String:
		return nil
	}
	return nil
}

func arrayExtreme(sign int) func(Type) (Type, func(*Row) error) {
	return func(elem Type) (Type, func(*Row) error) {
		switch elem {
		case Int, Long, Timestamp:
			return elem, extremeElement(intElement, sign)
		case Float, Double:
			return elem, extremeElement(doubleElement, sign)
		case String:
			return elem, extremeElement(stringElement, sign)
		}
		return Unknown, nil
	}
}

func extremeElement[T cmp.Ordered](e element[T], sign int) func(*Row) error {
	return func(r *Row) error {
		n := r.Len(0)
		if n == 0 {
			r.Null = true
			return nil
		}
		best := e.at(r, 0, 0)
		for i := 1; i < n; i++ {
			if x := e.at(r, 0, i); cmp.Compare(x, best)*sign > 0 {
				best = x
			}
		}
		e.set(r, best)
		return nil
	}
}

func sumInts(r *Row) error {
	r.I = 0
	for i := range r.Len(0) {
		r.I += r.IntAt(0, i)
	}
	return nil
}

// arrayToString joins texts; a third argument stands for those that are empty.
func arrayToString(r *Row) error {
	for i := range r.Len(0) {
		if i > 0 {
			r.Out = append(r.Out, r.Text(1)...)
		}
		text := r.TextAt(0, i)
		if r.Args() == 3 && (len(text) == 0 || string(text) == "null") {
			text = r.Text(2)
		}
		r.Out = append(r.Out, text...)
	}
	return nil
}
