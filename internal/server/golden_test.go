package server_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/internal/server"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
	"github.com/google/go-cmp/cmp"
)

// recorded is a response of a real broker.
type recorded struct {
	ResultTable *struct {
		DataSchema struct {
			ColumnNames     []string
			ColumnDataTypes []string
		}
		Rows [][]any
	}
}

// TestGoldenResponses writes the rows of recorded responses again, and compares
// the text of the result, and the names of all members in order.
func TestGoldenResponses(t *testing.T) {
	for _, root := range golden.Roots(t) {
		files, err := filepath.Glob(filepath.Join(root, "pinot/broker/queries/*.response.json"))
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var r recorded
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber()
			if err := d.Decode(&r); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if r.ResultTable == nil {
				continue
			}
			ran++
			if err := r.check(raw); err != nil {
				t.Errorf("%s: %v", filepath.Base(file), err)
			}
		}
		t.Logf("%s: %d responses with rows, of %d", root, ran, len(files))
		if ran == 0 {
			t.Errorf("%s: no responses", root)
		}
	}
}

// check writes the response again.
func (r *recorded) check(raw []byte) error {
	got, err := r.write(r.ResultTable.Rows)
	if err != nil {
		return err
	}
	if diff := cmp.Diff(members(raw), members(got)); diff != "" {
		return fmt.Errorf("members: %s", diff)
	}
	want, have := resultText(raw), resultText(got)
	if !bytes.Equal(have, want) {
		at := 0
		for at < len(have) && at < len(want) && have[at] == want[at] {
			at++
		}
		return fmt.Errorf("byte %d: %.80q, want %.80q", at, have[at:], want[at:])
	}
	return nil
}

var double = regexp.MustCompile(`[\[,]-?\d+\.\d+(E-?\d+)?\b`)

// resultText returns the text up to the end of the result, with doubles in one
// form: Java before 19, with which responses were recorded, writes digits too many
// now and then.
func resultText(raw []byte) []byte {
	text, _, _ := bytes.Cut(raw, []byte(`,"numRowsResultSet":`))
	return double.ReplaceAllFunc(text, func(match []byte) []byte {
		x, err := strconv.ParseFloat(string(match[1:]), 64)
		if err != nil {
			return match
		}
		return strconv.AppendFloat(match[:1:1], x, 'g', -1, 64)
	})
}

// members returns the names of an object's members in order.
func members(raw []byte) []string {
	var names []string
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return []string{err.Error()}
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return append(names, err.Error())
		}
		names = append(names, fmt.Sprint(name))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return append(names, err.Error())
		}
	}
	return names
}

// write makes vectors of the recorded rows and writes them. Pinot's decimals have
// a scale for each value and ours one for each column; where the values differ in
// it the column is given as text.
func (r *recorded) write(rows [][]any) ([]byte, error) {
	table := r.ResultTable
	schema := &nimble.Type{Kind: nimble.Row, Names: table.DataSchema.ColumnNames}
	batch := &vector.Batch{N: len(rows)}
	for col, name := range table.DataSchema.ColumnDataTypes {
		values := make([]any, len(rows))
		for i, row := range rows {
			values[i] = row[col]
		}
		typ, v, err := columnOf(name, values)
		if err != nil {
			return nil, fmt.Errorf("column %d: %w", col, err)
		}
		schema.Children = append(schema.Children, typ)
		batch.Columns = append(batch.Columns, v)
	}
	return respond(schema, table.DataSchema.ColumnDataTypes, batch)
}

// respond writes one batch as a response.
func respond(schema *nimble.Type, types []string, batch *vector.Batch) ([]byte, error) {
	var out bytes.Buffer
	err := server.WriteResponse(&out, answerOf(schema, types, batch))
	return out.Bytes(), err
}

func answerOf(schema *nimble.Type, types []string, batches ...*vector.Batch) *server.Answer {
	return &server.Answer{
		Table: "t", Schema: schema, Types: types,
		Next: func() (*vector.Batch, error) {
			if len(batches) == 0 {
				return nil, io.EOF
			}
			b := batches[0]
			batches = batches[1:]
			return b, nil
		},
		Stats: func() server.Stats { return server.Stats{} },
	}
}

// columnOf makes a column of recorded values.
func columnOf(name string, values []any) (*nimble.Type, vector.Vector, error) {
	if elem, ok := strings.CutSuffix(name, "_ARRAY"); ok {
		var flat []any
		for _, v := range values {
			list, _ := v.([]any)
			flat = append(flat, list...)
		}
		elemType, elems, err := columnOf(elem, flat)
		if err != nil {
			return nil, nil, err
		}
		lists := vector.NewList(nil, elems)
		offset := uint32(0)
		offsets := lists.ReserveOffsets(len(values))
		offsets[0] = 0
		valid := lists.ReserveValid(len(values))
		clear(valid)
		for i, v := range values {
			if list, ok := v.([]any); ok {
				vector.SetBit(valid, i)
				offset += uint32(len(list))
			}
			offsets[i+1] = offset
		}
		lists.N = len(values)
		return &nimble.Type{Kind: nimble.Array, Children: []*nimble.Type{elemType}}, lists, nil
	}
	ddl := map[string]string{
		"INT": "INTEGER", "LONG": "BIGINT", "FLOAT": "REAL", "DOUBLE": "DOUBLE", "BOOLEAN": "BOOLEAN",
		"STRING": "VARCHAR", "JSON": "JSON", "BYTES": "VARBINARY", "TIMESTAMP": "TIMESTAMP(ms)", "BIG_DECIMAL": "VARCHAR",
	}[name]
	if scale, same := oneScale(values); name == "BIG_DECIMAL" && same {
		ddl = fmt.Sprintf("DECIMAL(76,%d)", scale)
	}
	typ, err := nimble.ParseType(ddl)
	if err != nil {
		return nil, nil, fmt.Errorf("type %s: %w", name, err)
	}
	v, err := vector.Make(nil, nimble.VectorKind(typ.Kind))
	if err != nil {
		return nil, nil, err
	}
	for _, value := range values {
		if err := appendValue(v, typ, value); err != nil {
			return nil, nil, err
		}
	}
	return typ, v, nil
}

// oneScale returns the digits after the point that all decimals have.
func oneScale(values []any) (scale int, same bool) {
	scale = -1
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			continue
		}
		_, after, _ := strings.Cut(text, ".")
		if scale >= 0 && scale != len(after) {
			return 0, false
		}
		scale = len(after)
	}
	return max(scale, 0), true
}

// appendValue appends a recorded value, nil for null.
func appendValue(v vector.Vector, t *nimble.Type, value any) error {
	if value == nil {
		v.(interface{ AppendNull() }).AppendNull()
		return nil
	}
	text := fmt.Sprint(value)
	switch v := v.(type) {
	case *vector.Bools:
		v.Append(text == "true")
	case *vector.Vec[int32]:
		x, err := strconv.ParseInt(text, 10, 32)
		v.Append(int32(x))
		return err
	case *vector.Vec[int64]:
		x, err := strconv.ParseInt(text, 10, 64)
		v.Append(x)
		return err
	case *vector.Vec[float32]:
		x, err := strconv.ParseFloat(text, 32)
		v.Append(float32(x))
		return err
	case *vector.Vec[float64]:
		x, err := strconv.ParseFloat(text, 64)
		v.Append(x)
		return err
	case *vector.Timestamps:
		at, err := time.Parse("2006-01-02 15:04:05.999999999", text)
		v.Append(at.UnixMicro(), 0)
		return err
	case *vector.Vec[vector.View]:
		stored, err := storedBytes(t, text)
		vector.AppendString(v, stored)
		return err
	default:
		return errors.New("no such vector")
	}
	return nil
}

// storedBytes returns the bytes that a column of type t holds for a text.
func storedBytes(t *nimble.Type, text string) ([]byte, error) {
	switch {
	case t.Kind == nimble.Varchar:
		return []byte(text), nil
	case t.Logical == "":
		return hex.DecodeString(text)
	}
	unscaled, ok := new(big.Int).SetString(strings.Replace(text, ".", "", 1), 10)
	if !ok {
		return nil, fmt.Errorf("%q is no decimal", text)
	}
	n := unscaled.BitLen()/8 + 1
	if unscaled.Sign() < 0 {
		unscaled.Add(unscaled, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	return unscaled.FillBytes(make([]byte, n)), nil
}
