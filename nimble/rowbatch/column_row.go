package rowbatch

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// rowColumn reads rows of fields.
type rowColumn struct {
	nulls  presence
	fields []column
	vec    *vector.Row
	limit  int
}

// rowColumn returns the reader of the fields of n that out names.
func (b *builder) rowColumn(n *nimble.StreamNode, out *nimble.Type) (*rowColumn, error) {
	c := &rowColumn{nulls: presence{newBools(b, n.Stream)}, limit: b.limit}
	b.add(n.Stream, c.nulls)
	taken := map[int]bool{}
	for i, name := range out.Names {
		at := n.Type.Field(name)
		if at < 0 || taken[at] {
			return nil, schemaf("field %q is not in the schema, or wanted twice", name)
		}
		taken[at] = true
		f, err := b.column(n.Children[at], out.Children[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.fields = append(c.fields, f)
	}
	return c, nil
}

func (c *rowColumn) output() vector.Vector { return newRow(c.nulls.session.Pool(), c.fields) }

func (c *rowColumn) bind(v vector.Vector) (err error) {
	c.vec, err = bindRow(v, c.fields, "fields")
	return err
}

func (c *rowColumn) read(n int, m mask) error {
	below, err := readPresence(c.vec, c.nulls, n, m, c.limit)
	for _, f := range c.fields {
		if err == nil {
			err = f.read(n, below)
		}
	}
	return err
}

// readPresence appends n rows to v, without their fields, and returns which of
// them are in the streams below.
func readPresence(v *vector.Row, nulls presence, n int, m mask, limit int) (below mask, err error) {
	begin := v.N
	end, err := room(begin, n, limit)
	if err == nil {
		err = nulls.ready(m.count(n))
	}
	if err != nil {
		return mask{}, err
	}
	had := v.Valid != nil
	valid := v.ReserveValid(end)
	below, err = nulls.into(valid, begin, n, m)
	v.N = end
	v.Valid = joined(had, !below.all(), valid, begin, end)
	return below, err
}

func (c *rowColumn) skip(n int) error {
	return c.nulls.eachBlock(n, func(_, set int) error {
		for _, f := range c.fields {
			if err := f.skip(set); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *rowColumn) settle() error {
	for _, f := range c.fields {
		if err := f.settle(); err != nil {
			return err
		}
	}
	return nil
}

func (c *rowColumn) finish(ok bool) error {
	var first error
	for _, f := range c.fields {
		if err := f.finish(ok); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// newRow returns an empty vector with a field for each column.
func newRow(p *pool.Pool, fields []column) *vector.Row {
	v := vector.NewRow(p)
	for _, f := range fields {
		v.Fields = append(v.Fields, f.output())
	}
	return v
}

// bindRow binds each column to a field of v, which it empties. What says what the
// fields are.
func bindRow(v vector.Vector, fields []column, what string) (*vector.Row, error) {
	row, ok := v.(*vector.Row)
	if !ok || len(row.Fields) != len(fields) {
		return nil, misfit(v, fmt.Sprintf("a row of %d %s", len(fields), what))
	}
	for i, f := range fields {
		if err := f.bind(row.Fields[i]); err != nil {
			return nil, err
		}
	}
	row.N, row.Valid = 0, nil
	return row, nil
}
