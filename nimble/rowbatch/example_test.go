package rowbatch_test

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/rowbatch"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// Rows with a flat map are written and read back, once as maps and once with a
// column for each of two keys.
func Example() {
	p := pool.New(pool.Options{})
	typ, err := nimble.ParseType("ROW<id BIGINT, m FLATMAP<VARCHAR, INTEGER>>")
	if err != nil {
		fmt.Println(err)
		return
	}
	schema, err := rowbatch.NewSchema(typ, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	w, err := rowbatch.NewSerializer(schema, p, rowbatch.SerializerOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	id, keys, values := vector.NewVec[int64](p), vector.NewVec[vector.View](p), vector.NewVec[int32](p)
	m := vector.NewMap(p, keys, values)
	id.Append(7)
	vector.AppendString(keys, []byte("clicks"))
	values.Append(3)
	vector.AppendString(keys, []byte("likes"))
	values.Append(1)
	m.Append()
	blob, err := w.Append(nil, &vector.Row{N: 1, Fields: []vector.Vector{id, m}})
	if err != nil {
		fmt.Println(err)
		return
	}

	session := encoding.NewSession(p)
	out, err := nimble.ParseType("ROW<m ROW<likes INTEGER, shares INTEGER>>")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := rowbatch.NewDeserializer(w.Schema(), session, rowbatch.Options{Output: out})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows := d.NewRows()
	defer rows.Release()
	if err := d.Read(rows, blob); err != nil {
		fmt.Println(err)
		return
	}
	for i, name := range out.Children[0].Names {
		x, present := rows.Fields[0].(*vector.Row).Fields[i].(*vector.Vec[int32]).At(0)
		fmt.Println(name, x, present)
	}
	// Output:
	// likes 1 true
	// shares 0 false
}
