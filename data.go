package decant

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	stored "github.com/decantdb/decant/internal/table"
	"github.com/decantdb/decant/nimble"
)

// OpenData opens the tables of a data directory, as decant table makes them, with
// the types and default values of their Pinot schemas. What is added later is seen
// by who opens the directory again.
func OpenData(ctx context.Context, o Options, dir string) (*DB, error) {
	data, err := stored.OpenData(dir)
	if err != nil {
		return nil, err
	}
	names, err := data.Names()
	if err != nil {
		return nil, err
	}
	db := &DB{options: o}
	db.memory.LimitBytes = o.PoolLimitBytes
	for _, name := range names {
		if err := db.addStored(ctx, data, name); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

// addStored adds a table of a data directory.
func (db *DB) addStored(ctx context.Context, data *stored.Data, name string) error {
	from, err := data.Open(name)
	if errors.Is(err, stored.ErrNotFound) {
		return nil // dropped since
	}
	if err != nil {
		return err
	}
	segments, err := from.Segments()
	if err != nil {
		return err
	}
	to := &table{name: from.Name, memory: &db.memory}
	db.tables = append(db.tables, to)
	for _, s := range segments {
		f, err := openNimble(from.Path(s))
		if err != nil {
			return err
		}
		to.add(f)
	}
	if len(segments) == 0 {
		to.add(emptyFile{from.Schema.Stored()})
	}
	if err := to.unify(ctx); err != nil {
		return err
	}
	return to.setSchema(from.Schema)
}

// setSchema gives the columns the types and defaults of a Pinot schema.
func (t *table) setSchema(s *stored.Schema) error {
	for i := range t.columns {
		c := &t.columns[i]
		at := s.Field(c.Name)
		if at < 0 {
			continue
		}
		f := &s.Fields[at]
		if f.Type == stored.BigDecimal {
			c.Type, c.Scale = fn.BigDecimal, plan.DecimalText
			t.fields[i].typ = c.Type
		}
		if f.Default == "" && f.Role != stored.Metric {
			continue // that of a dimension
		}
		v, err := nullValue(c.Type, f)
		if err != nil {
			return fmt.Errorf("table %s: field %s: %w", t.name, f.Name, err)
		}
		c.Null = &v
	}
	return nil
}

// nullValue returns what stands for null in a field.
func nullValue(t fn.Type, f *stored.Field) (v fn.Value, err error) {
	if t.Array() {
		one, err := nullValue(t.Elem(), f)
		return fn.Value{Type: t, List: []fn.Value{one}}, err
	}
	v.Type, v.S = t, f.DefaultText()
	switch {
	case t == fn.Timestamp:
		if v.I, err = strconv.ParseInt(v.S, 10, 64); err != nil {
			v.I, err = fn.ParseMoment(v.S)
		}
	case t.Integral():
		v.I, err = strconv.ParseInt(v.S, 10, 64)
	case t == fn.Float || t == fn.Double:
		v.F, err = strconv.ParseFloat(v.S, 64)
	case t == fn.Boolean:
		v.B = fn.IsTrueText([]byte(v.S))
	case t == fn.Bytes:
		var raw []byte
		raw, err = hex.DecodeString(v.S)
		v.S = string(raw)
	}
	return v, err
}

// emptyFile stands for the files of a table that has none.
type emptyFile struct{ typ *nimble.Type }

func (f emptyFile) path() string         { return "" }
func (f emptyFile) schema() *nimble.Type { return f.typ }
func (f emptyFile) splits() int          { return 0 }
func (f emptyFile) firstRow(int) int64   { return 0 }
func (f emptyFile) close() error         { return nil }

func (f emptyFile) newReader(*nimble.Session, []int) (reader, error) {
	return nil, errors.New("decant: a table without files is read")
}
