package decant

import (
	"context"
	"errors"

	"github.com/decantdb/decant/internal/convert"
	stored "github.com/decantdb/decant/internal/table"
	"github.com/decantdb/decant/nimble"
)

// Segment is a part of a table of a data directory.
type Segment struct {
	Name string
	Rows int64
}

// AddFiles adds the rows of Nimble, Parquet, Arrow, CSV and JSON lines files to a
// table of a data directory, each file as a segment: all of them, or none if there
// is an error. Columns are found by name, and values become what the table's Pinot
// schema says. Of the options Nulls counts.
func AddFiles(ctx context.Context, o Options, dir, name string, files ...string) (added []Segment, err error) {
	data, err := stored.OpenData(dir)
	if err != nil {
		return nil, err
	}
	t, err := data.Open(name)
	if err != nil {
		return nil, err
	}
	var inputs []stored.Input
	var opened []convert.Source
	defer func() {
		for _, src := range opened {
			err = errors.Join(err, src.Close())
		}
	}()
	for _, file := range files {
		src, format, err := openForFields(ctx, t.Schema, file, o)
		if err != nil {
			return nil, err
		}
		opened = append(opened, src)
		inputs = append(inputs, stored.Input{
			Name: file, Source: src, SplitTexts: format == convert.FormatCSV, RawJSON: format == convert.FormatJSONL,
		})
	}
	segments, err := t.Add(inputs...)
	for _, s := range segments {
		added = append(added, Segment(s))
	}
	return added, err
}

// openForFields opens a file. The fields of CSV are read as texts, which the table
// converts, and those of JSON lines as they are written: what is inferred from a
// file's rows has no say.
func openForFields(ctx context.Context, s *stored.Schema, file string, o Options) (convert.Source, convert.Format, error) {
	options := convert.Options{Nulls: o.Nulls}
	format, err := convert.FormatOfFile(file)
	if err != nil {
		return nil, format, err
	}
	types := &nimble.Type{Kind: nimble.Row}
	as := func(name string, t *nimble.Type) {
		types.Names, types.Children = append(types.Names, name), append(types.Children, t)
	}
	switch format {
	case convert.FormatCSV:
		src, err := convert.OpenSource(ctx, file, options)
		if err != nil {
			return nil, format, err
		}
		for _, name := range src.Schema().Names {
			as(name, &nimble.Type{Kind: nimble.Varchar})
		}
		if err := src.Close(); err != nil {
			return nil, format, err
		}
	case convert.FormatJSONL:
		for _, f := range s.Fields {
			as(f.Name, convert.RawJSON())
		}
	}
	if len(types.Names) > 0 {
		options.Schema = types
	}
	src, err := convert.OpenSource(ctx, file, options)
	return src, format, err
}
