package convert

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// csvSource reads a CSV file whose types are known or inferred.
type csvSource struct {
	in        *input
	split     *splitter
	nulls     *nullTexts
	batchRows int
	schema    *nimble.Type
	fields    []int // of each column of the schema, its place in a record
	columns   []csvColumn
	buffers   vector.Buffers // the one buffer: the splitter's text
	bufferID  uint32
	batch     *vector.Batch
	notes     []string // on types that were inferred
}

func openCSV(in *input, o Options) (Source, error) {
	s := &csvSource{in: in, batchRows: o.batchRows(), nulls: newNullTexts(o.Nulls)}
	guessed := o.Delimiter == 0
	o = o.named(in.Name())
	delim, err := o.delimiter()
	if err != nil {
		return nil, err
	}
	header, err := s.readHeader(delim, o)
	if err != nil {
		return nil, err
	}
	if guessed && !o.NoHeader {
		if err := s.checkDelimiter(); err != nil {
			return nil, err
		}
	}
	known, err := knownTypes(in.Name(), header, o)
	if err != nil {
		return nil, err
	}
	in.passes = 1
	if slices.Contains(known, nil) {
		in.passes = 2
		if known, s.notes, err = inferTypes(s.split, s.nulls, header, known); err != nil {
			return nil, err
		}
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	in.advance(in.size * (in.passes - 1))
	if _, err := s.readHeader(delim, o); err != nil {
		return nil, err
	}
	s.bufferID = s.buffers.Add(nil)
	s.schema = nimble.RowOf(header, known)
	s.fields = make([]int, len(header))
	for i := range s.fields {
		s.fields[i] = i
	}
	return s, s.makeColumns()
}

// named returns the options for a file of that name.
func (o Options) named(name string) Options {
	if o.Delimiter == 0 && strings.EqualFold(filepath.Ext(name), ".tsv") {
		o.Delimiter = '\t'
	}
	return o
}

// delimiter returns the byte between fields, and checks it with the null texts.
func (o *Options) delimiter() (byte, error) {
	delim := o.Delimiter
	if delim == 0 {
		delim = ','
	}
	if delim >= utf8.RuneSelf || strings.IndexByte("\"\r\n\x00", delim) >= 0 {
		return 0, fmt.Errorf("csv: %q cannot separate fields", delim)
	}
	for _, text := range o.Nulls {
		if strings.ContainsAny(text, "\"\r\n") || strings.IndexByte(text, delim) >= 0 {
			return 0, fmt.Errorf("csv: the null text %q cannot stand in a field without quotes", text)
		}
	}
	return delim, nil
}

// readHeader starts reading at the first byte and returns the columns' names.
func (s *csvSource) readHeader(delim byte, o Options) ([]string, error) {
	s.split = newSplitter(s.in, s.in.Name(), delim)
	b, err := s.split.next(1)
	if errors.Is(err, io.EOF) {
		if o.NoHeader && o.Schema != nil {
			return o.Schema.Names, nil
		}
		return nil, s.split.errorAt(1, 1, errors.New("the file is empty, not even a header"))
	}
	if err != nil {
		return nil, err
	}
	names := make([]string, b.columns)
	for i := range names {
		names[i] = string(b.bytes(&b.fields[i]))
	}
	if !o.NoHeader {
		return names, s.checkNames(b, names)
	}
	s.split.unread()
	s.split.first = "the first record"
	if o.Schema == nil {
		for i := range names {
			names[i] = fmt.Sprintf("column%d", i+1)
		}
		return names, nil
	}
	if len(o.Schema.Names) != len(names) {
		return nil, s.split.errorAt(1, min(len(names), len(o.Schema.Names))+1,
			fmt.Errorf("%d fields, but the schema has %d columns", len(names), len(o.Schema.Names)))
	}
	return o.Schema.Names, nil
}

// checkNames checks that the names in the header, which is b, differ.
func (s *csvSource) checkNames(b *block, names []string) error {
	columns := make(map[string]int, len(names))
	for i, name := range names {
		if first, ok := columns[name]; ok {
			return s.split.errorAt(b.lineOf(0, i), i+1, fmt.Errorf("the name %q is that of column %d already", cut(name), first+1))
		}
		columns[name] = i
	}
	return nil
}

// otherDelimiters are characters that often stand between fields.
const otherDelimiters = ",;\t|"

// checkDelimiter checks a delimiter that nobody chose against the header, of which
// there was just read: it is another one where there is a single name with it.
func (s *csvSource) checkDelimiter() error {
	b := &s.split.block
	if b.rows == 0 || b.columns > 1 || b.fields[0].quoted {
		return nil
	}
	name := string(b.bytes(&b.fields[0]))
	i := strings.IndexAny(name, otherDelimiters)
	if i < 0 {
		return nil
	}
	return s.split.errorAt(b.lineOf(0, 0), 1, fmt.Errorf("one column named %q: is the delimiter %q? use --delimiter", cut(name), name[i]))
}

// knownTypes returns the types that the schema gives to columns, nil for others.
func knownTypes(file string, header []string, o Options) ([]*nimble.Type, error) {
	known := make([]*nimble.Type, len(header))
	if o.Schema == nil {
		return known, nil
	}
	for i, name := range o.Schema.Names {
		found := false
		for col := range header {
			if header[col] == name {
				if found || known[col] != nil {
					return nil, fmt.Errorf("%s: %w: column %q has two types", file, nimble.ErrSchema, name)
				}
				known[col] = o.Schema.Children[i]
				found = true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s: %w: there is no column %q", file, nimble.ErrSchema, name)
		}
	}
	return known, nil
}

// makeColumns makes a column for each of the schema.
func (s *csvSource) makeColumns() error {
	s.columns = s.columns[:0]
	s.batch = vector.NewBatch(nil)
	for i, t := range s.schema.Children {
		c, err := newCSVColumn(t, &s.buffers, s.bufferID)
		if err != nil {
			return fmt.Errorf("%s: column %q: %w", s.in.Name(), s.schema.Names[i], err)
		}
		s.columns = append(s.columns, c)
		s.batch.Columns = append(s.batch.Columns, c.vector())
	}
	return nil
}

func (s *csvSource) Schema() *nimble.Type { return s.schema }

func (s *csvSource) Rows() (n int64, known bool) { return 0, false }

func (s *csvSource) Progress() (done, total int64) { return s.in.total() }

func (s *csvSource) Close() error { return s.in.Close() }

func (s *csvSource) Project(columns []int) error {
	schema, err := project(s.schema, columns)
	if err != nil {
		return err
	}
	fields := make([]int, len(columns))
	for i, col := range columns {
		fields[i] = s.fields[col]
	}
	s.schema, s.fields = schema, fields
	return s.makeColumns()
}

// project returns the row type of some of the columns of schema.
func project(schema *nimble.Type, columns []int) (*nimble.Type, error) {
	t := &nimble.Type{Kind: nimble.Row, Attributes: schema.Attributes}
	for _, col := range columns {
		if col < 0 || col >= len(schema.Children) {
			return nil, fmt.Errorf("%w: there is no column %d", nimble.ErrSchema, col)
		}
		t.Names = append(t.Names, schema.Names[col])
		t.Children = append(t.Children, schema.Children[col])
	}
	return t, nil
}

// Next returns the next rows. Strings are in the splitter's buffer.
func (s *csvSource) Next() (*vector.Batch, error) {
	if err := s.in.ctx.Err(); err != nil {
		return nil, err
	}
	b, err := s.split.next(s.batchRows)
	if err != nil {
		return nil, err
	}
	s.buffers.Replace(s.bufferID, b.text)
	for i, c := range s.columns {
		if row := c.parse(b, s.fields[i], s.nulls); row >= 0 {
			return nil, s.valueError(b, row, i)
		}
	}
	s.batch.N = b.rows
	return s.batch, nil
}

// valueError says that the field of a row and a column of the schema is not of
// its type.
func (s *csvSource) valueError(b *block, row, col int) error {
	field := s.fields[col]
	text := b.bytes(&b.fields[row*b.columns+field])
	return s.split.errorAt(b.lineOf(row, field), field+1, &valueError{cut(string(text)), s.schema.Children[col].String()})
}

// cut returns the beginning of a text that is long.
func cut(text string) string {
	const longest = 60
	if len(text) <= longest {
		return strings.ToValidUTF8(text, "?")
	}
	return strings.ToValidUTF8(text[:longest], "?") + "..."
}
