package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/decantdb/decant/datatable"
	"github.com/decantdb/decant/internal/convert"
)

type datatableCommand struct {
	Format   string `enum:"table,json" default:"table" help:"How to print: ${enum}."`
	Sections bool   `help:"Also show the sections with their sizes and the metadata."`
	File     string `arg:"" help:"File with the bytes of one DataTable (version 4)."`
}

// Help says more about the command.
func (datatableCommand) Help() string {
	return `Shows what a Pinot server sends to a broker: the rows, and the exceptions if there
are any. Nothing is rounded: a DECIMAL has all digits, BYTES are hexadecimal, NaN and
the infinities are strings in JSON, and an OBJECT is its type id and its bytes.

Examples:

    decant query --format datatable "SELECT * FROM flights" flights.nimble > flights.bin
    decant datatable flights.bin
    decant datatable --sections --format json flights.bin | jq .sections`
}

// Run prints a DataTable.
func (cmd *datatableCommand) Run(c *console) error {
	data, err := readDataTable(cmd.File)
	if err != nil {
		return err
	}
	t, err := datatable.Open(data)
	if err == nil {
		p := dataTablePrinter{console: c, table: t, sections: cmd.Sections}
		if cmd.Format == "json" {
			err = p.json()
		} else {
			err = p.text()
		}
	}
	if err != nil && c.ctx.Err() == nil {
		return fmt.Errorf("%s: %w", cmd.File, err)
	}
	return err
}

func readDataTable(path string) (data []byte, err error) {
	f, err := convert.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > math.MaxInt32 {
		return nil, fmt.Errorf("%s: %w", path, datatable.ErrTooLarge)
	}
	data = make([]byte, info.Size())
	_, err = io.ReadFull(f, data)
	return data, err
}

// dataTablePrinter prints a DataTable.
type dataTablePrinter struct {
	*console
	table    *datatable.Table
	sections bool
}

// rows calls visit with the values of each row, which are valid during the call.
// Rows without columns, of which a small file may have billions, are left out.
func (p *dataTablePrinter) rows(visit func(values []any) error) error {
	if len(p.table.Columns()) == 0 {
		return nil
	}
	values := make([]any, len(p.table.Columns()))
	for row := range p.table.Rows() {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		for col := range values {
			var err error
			if values[col], err = dataTableValue(p.table, row, col); err != nil {
				return err
			}
		}
		if err := visit(values); err != nil {
			return err
		}
	}
	return nil
}

// text prints a table for people.
func (p *dataTablePrinter) text() error {
	t := p.table
	if p.sections {
		if err := p.textSections(); err != nil {
			return err
		}
	}
	if columns := t.Columns(); len(columns) > 0 {
		var grids []gridColumn
		for _, c := range columns {
			grids = append(grids, gridColumn{name: c.Name, number: c.Type >= datatable.Int && c.Type <= datatable.BigDecimal})
		}
		g := newReportGrid(p.console, grids...)
		err := p.rows(func(values []any) error {
			row := make([]cell, len(values))
			for i, v := range values {
				var err error
				if row[i], err = dataTableCell(v); err != nil {
					return err
				}
			}
			return g.add(row)
		})
		// What came before an error is shown.
		if err = errors.Join(err, g.close()); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintf(p.stdout, "%s without columns\n", counted(int64(t.Rows()), "row")); err != nil {
		return err
	}
	for _, e := range t.Exceptions() {
		if _, err := fmt.Fprintf(p.stdout, "exception %d: %s\n", e.Code, visible(string(e.Message), keepLines)); err != nil {
			return err
		}
	}
	return nil
}

// dataTableCell returns the text of a value: a string as it is, others in JSON.
func dataTableCell(v any) (cell, error) {
	switch v := v.(type) {
	case nil:
		return cell{null: true}, nil
	case string:
		return cell{text: v}, nil
	}
	text, err := jsonText(v)
	return cell{text: string(text)}, err
}

func (p *dataTablePrinter) textSections() error {
	sections := newReportGrid(p.console, gridColumn{"section", false}, gridColumn{"begin", true}, gridColumn{"bytes", true})
	for _, s := range p.table.Sections() {
		row := []cell{{text: s.Name}, {text: grouped(int64(s.Begin))}, {text: grouped(int64(s.Bytes))}}
		if err := sections.add(row); err != nil {
			return err
		}
	}
	metadata := newReportGrid(p.console, gridColumn{"metadata", false}, gridColumn{"value", false})
	for _, e := range p.table.Metadata() {
		if err := metadata.add([]cell{{text: e.Key.String()}, {text: e.Value()}}); err != nil {
			return err
		}
	}
	for _, g := range []*grid{sections, metadata} {
		if g == metadata && len(p.table.Metadata()) == 0 {
			continue
		}
		if err := g.close(); err != nil {
			return err
		}
		if err := p.stdout.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

// json prints one JSON object, a row at a time:
//
//	{"columns":[{"name":"a","type":"INT"}],"numRows":1,"rows":[
//	[1]
//	],"exceptions":[{"code":200,"message":"text"}],
//	"sections":[{"name":"header","begin":0,"bytes":52}],"metadata":[{"key":"totalDocs","value":"1"}]}
func (p *dataTablePrinter) json() error {
	t := p.table
	columns := []columnJSON{}
	for _, c := range t.Columns() {
		columns = append(columns, columnJSON{c.Name, c.Type.String()})
	}
	if err := p.member(`{"columns":`, columns); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(p.stdout, `,"numRows":%d,"rows":[`, t.Rows()); err != nil {
		return err
	}
	before := "\n"
	err := p.rows(func(values []any) error {
		defer func() { before = ",\n" }()
		return p.member(before, values)
	})
	if err != nil {
		return err
	}
	exceptions := []exceptionJSON{}
	for _, e := range t.Exceptions() {
		exceptions = append(exceptions, exceptionJSON{e.Code, string(e.Message)})
	}
	if err := p.member("\n],\"exceptions\":", exceptions); err != nil {
		return err
	}
	if p.sections {
		if err := p.jsonSections(); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(p.stdout, "}")
	return err
}

func (p *dataTablePrinter) jsonSections() error {
	sections := []sectionJSON{}
	for _, s := range p.table.Sections() {
		sections = append(sections, sectionJSON(s))
	}
	if err := p.member(",\n\"sections\":", sections); err != nil {
		return err
	}
	metadata := []pairReport{}
	for _, e := range p.table.Metadata() {
		metadata = append(metadata, pairReport{e.Key.String(), e.Value()})
	}
	return p.member(`,"metadata":`, metadata)
}

type columnJSON struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

type exceptionJSON struct {
	Code    int32  `json:"code"`
	Message string `json:"message"`
}

type sectionJSON struct {
	Name  string `json:"name"`
	Begin int    `json:"begin"`
	Bytes int    `json:"bytes"`
}

// member writes what comes before a value and the value.
func (p *dataTablePrinter) member(before string, v any) error {
	text, err := jsonText(v)
	if err != nil {
		return err
	}
	if _, err := p.stdout.WriteString(before); err != nil {
		return err
	}
	_, err = p.stdout.Write(text)
	return err
}

// jsonText returns the JSON of a value on one line.
func jsonText(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
