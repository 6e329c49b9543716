package datatable

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/decantdb/decant/vector"
)

// Table is a table that was read. It refers to the bytes that it was opened
// with, which must not change while it is used. Any number of goroutines may
// read it.
//
// Getters take a row from 0 up to Rows and a column of the type that their
// comment names; any other argument panics, as an index out of range does.
// Getters of values of varying size return an error, which wraps [ErrCorrupt],
// if the table holds no such value at the cell. A cell that is null holds a
// placeholder, as the package comment says.
type Table struct {
	rows     int
	rowSize  int
	columns  []Column
	offsets  []int      // of the columns' slots in a row
	valid    [][]uint64 // of each column; nil if none of them has nulls
	fixed    []byte
	variable []byte
	dict     []byte   // the section
	strings  []uint32 // ends of the strings in it

	exceptions []Exception
	metadata   []MetadataEntry
	layout     [numSections + 2]Section
}

// Section is the place of a part of a table in its bytes.
type Section struct {
	Name  string // as in [FormatError]
	Begin int    // from the start of the table
	Bytes int
}

// Exception is a message to the client with its error code.
type Exception struct {
	Code    int32
	Message []byte
}

// MetadataEntry is one entry of a table's metadata.
type MetadataEntry struct {
	Key    MetadataKey
	Number int64  // of the kinds IntValue, LongValue and BoolValue (1 = true)
	Text   []byte // of the kind TextValue
}

// Value returns the entry's value as text: a decimal number, "true" or "false",
// or the text itself.
func (e MetadataEntry) Value() string {
	switch e.Key.Kind() {
	case TextValue:
		return string(e.Text)
	case BoolValue:
		return fmt.Sprint(e.Number == 1)
	default:
		return fmt.Sprint(e.Number)
	}
}

// Open returns the table whose bytes are data. Everything but the cells is
// checked. The error is a [*FormatError].
func Open(data []byte) (*Table, error) {
	h, err := parseHeader(data)
	if err != nil {
		return nil, err
	}
	t := &Table{rows: h.rows, fixed: h.sections[3], variable: h.sections[4], layout: h.layout}
	if err := t.parseExceptions(h.sections[0]); err != nil {
		return nil, err
	}
	if err := t.parseDictionary(h.sections[1]); err != nil {
		return nil, err
	}
	if err := t.parseSchema(h.sections[2], h.columns); err != nil {
		return nil, err
	}
	if need := int64(t.rows) * int64(t.rowSize); need > int64(len(t.fixed)) {
		return nil, corrupt("fixed", 0, "%d rows of %d bytes in %d", t.rows, t.rowSize, len(t.fixed))
	}
	if err := t.parseNulls(); err != nil {
		return nil, err
	}
	if err := t.parseMetadata(h.metadata); err != nil {
		return nil, err
	}
	return t, nil
}

// header is the frame of a table.
type header struct {
	rows, columns int
	sections      [numSections][]byte
	metadata      []byte
	layout        [numSections + 2]Section
}

var sectionNames = [numSections]string{"exceptions", "dictionary", "schema", "fixed", "variable"}

func parseHeader(data []byte) (header, error) {
	var h header
	if len(data) < headerBytes+4 {
		return h, corrupt("header", len(data), "a table of %d bytes", len(data))
	}
	word := func(at int) int { return int(int32(binary.BigEndian.Uint32(data[at:]))) }
	if v := word(0); v != version {
		return h, &FormatError{Section: "header", Reason: fmt.Sprintf("version %d instead of %d", v, version), Err: ErrVersion}
	}
	h.rows, h.columns = word(4), word(8)
	if h.rows < 0 || h.columns < 0 {
		return h, corrupt("header", 4, "%d rows of %d columns", h.rows, h.columns)
	}
	h.layout[0] = Section{"header", 0, headerBytes}
	end := headerBytes
	for i := range h.sections {
		at := 12 + 8*i
		start, length := word(at), word(at+4)
		h.layout[i+1] = Section{sectionNames[i], start, length}
		if length == 0 {
			continue
		}
		if start < headerBytes || length < 0 || start > len(data) || length > len(data)-start {
			return h, corrupt("header", at, "%s of %d bytes from byte %d on in %d bytes", sectionNames[i], length, start, len(data))
		}
		end = start + length
		h.sections[i] = data[start:end:end]
	}
	// The metadata follow the last section that is not empty.
	if len(data)-end < 4 {
		return h, corrupt("metadata", 0, "no length")
	}
	length := word(end)
	if length < 0 || length > len(data)-end-4 {
		return h, corrupt("metadata", 0, "%d bytes where %d are left", length, len(data)-end-4)
	}
	h.metadata = data[end+4 : end+4+length]
	h.layout[numSections+1] = Section{"metadata", end, 4 + length}
	return h, nil
}

func (t *Table) parseExceptions(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	r := newReader("exceptions", data)
	count := r.count(8)
	t.exceptions = make([]Exception, 0, count)
	for range count {
		code := r.uint32()
		t.exceptions = append(t.exceptions, Exception{Code: int32(code), Message: r.blob()})
	}
	return r.err
}

func (t *Table) parseDictionary(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	r := newReader("dictionary", data)
	count := r.count(4)
	t.dict = data
	t.strings = make([]uint32, 0, count)
	for range count {
		r.blob()
		t.strings = append(t.strings, uint32(r.at))
	}
	return r.err
}

func (t *Table) parseSchema(data []byte, columns int) error {
	if len(data) == 0 {
		if columns != 0 {
			return corrupt("schema", 0, "%d columns without names", columns)
		}
		return nil
	}
	r := newReader("schema", data)
	count := r.count(8)
	if r.err == nil && count != columns {
		return corrupt("schema", 0, "%d columns, %d in the header", count, columns)
	}
	t.columns, t.offsets = make([]Column, count), make([]int, count)
	for i := range t.columns {
		t.columns[i].Name = string(r.blob())
	}
	for i := range t.columns {
		at := r.at
		name := r.blob()
		typ, ok := ParseType(string(name))
		if r.err == nil && !ok {
			return corrupt("schema", at, "column %d has the unknown type %.40q", i, name)
		}
		t.columns[i].Type = typ
		t.offsets[i] = t.rowSize
		t.rowSize += types[typ].slotBytes
	}
	return r.err
}

func (t *Table) parseNulls() error {
	index := t.fixed[t.rows*t.rowSize:]
	for i := range t.columns {
		if len(index) < 8 {
			break
		}
		offset, length := slotRange(index)
		index = index[8:]
		if length == 0 {
			continue
		}
		blob, ok := cut(t.variable, offset, length)
		if !ok {
			return corrupt("fixed", t.rows*t.rowSize+8*i, "nulls of column %d: %d bytes from byte %d on in %d bytes",
				i, length, offset, len(t.variable))
		}
		if t.valid == nil {
			t.valid = make([][]uint64, len(t.columns))
		}
		valid := make([]uint64, vector.Words(t.rows))
		for w := range valid {
			valid[w] = ^uint64(0)
		}
		if at, bad := readRoaring(blob, valid, t.rows); bad != "" {
			return corrupt("variable", offset+at, "nulls of column %d: %s", i, bad)
		}
		t.valid[i] = valid
	}
	return nil
}

func (t *Table) parseMetadata(data []byte) error {
	if len(data) == 0 {
		return nil
	}
	r := newReader("metadata", data)
	count := r.count(5)
	t.metadata = make([]MetadataEntry, 0, count)
	for range count {
		at := r.at
		e := MetadataEntry{Key: MetadataKey(r.uint32())}
		if r.err == nil && !e.Key.known() {
			return corrupt("metadata", at, "the unknown key %d, whose value has an unknown length", int32(e.Key))
		}
		switch e.Key.Kind() {
		case TextValue:
			e.Text = r.blob()
		case IntValue:
			e.Number = int64(int32(r.uint32()))
		case LongValue:
			if b := r.take(8); b != nil {
				e.Number = int64(binary.BigEndian.Uint64(b))
			}
		case BoolValue:
			if bytes.Equal(r.take(1), []byte{1}) {
				e.Number = 1
			}
		}
		t.metadata = append(t.metadata, e)
	}
	return r.err
}

// Rows returns the number of rows.
func (t *Table) Rows() int { return t.rows }

// Sections returns the sections in the order of the header, from that to the
// metadata with the length before them. Tables of exceptions and metadata alone
// have some that are empty, which may begin anywhere.
func (t *Table) Sections() []Section { return t.layout[:] }

// Columns returns the columns, which must not be changed. Tables of exceptions
// and metadata alone have none.
func (t *Table) Columns() []Column { return t.columns }

// Exceptions returns the exceptions in the order of the table.
func (t *Table) Exceptions() []Exception { return t.exceptions }

// Metadata returns the metadata in the order of the table.
func (t *Table) Metadata() []MetadataEntry { return t.metadata }
