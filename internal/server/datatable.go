package server

import (
	"fmt"
	"io"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// WriteDataTable writes an answer as a DataTable of version 4, as a Pinot server
// of release 1.5 sends it with null handling on. The table is put together in
// memory.
func WriteDataTable(w io.Writer, a *Answer) error {
	columns := make([]datatable.Column, len(a.Types))
	for i, name := range a.Types {
		t, ok := datatable.ParseType(name)
		if !ok {
			return fmt.Errorf("server: a DataTable has no type %s", name)
		}
		if t == datatable.BigDecimal && a.Schema.Children[i].Kind == nimble.Varchar {
			return fmt.Errorf("server: column %s: a BIG_DECIMAL that is worked out has no scale for a DataTable", a.Schema.Names[i])
		}
		columns[i] = datatable.Column{Name: a.Schema.Names[i], Type: t}
		if l, err := nimble.ParseLogical(a.Schema.Children[i].Logical); err == nil {
			columns[i].Scale = int16(l.Scale)
		}
	}
	b, err := datatable.NewBuilder(nil, columns, datatable.Options{NullHandling: true})
	if err != nil {
		return err
	}
	defer b.Release()
	if err := a.batches(convert.IsNested, func(in *vector.Batch) error { return b.AppendBatch(in) }); err != nil {
		return err
	}
	s := a.Stats()
	for _, m := range []struct {
		key   datatable.MetadataKey
		value int64
	}{
		{datatable.TotalDocs, s.RowsRead},
		{datatable.NumDocsScanned, s.RowsMatched},
		{datatable.NumSegmentsQueried, int64(s.Segments)},
		{datatable.NumSegmentsProcessed, int64(s.Segments)},
		{datatable.NumSegmentsMatched, int64(s.Segments)},
	} {
		b.SetMetadata(m.key, m.value)
	}
	_, err = b.WriteTo(w)
	return err
}
