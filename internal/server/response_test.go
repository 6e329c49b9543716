package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/server"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// rowsOf writes a column and returns the text of its rows.
func rowsOf(t *testing.T, ddl, typ string, batch *vector.Batch) string {
	t.Helper()
	schema, err := nimble.ParseSchema("c " + ddl)
	if err != nil {
		t.Fatal(err)
	}
	out, err := respond(schema, []string{typ}, batch)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(out), `"rows":`)
	rows, _, _ := strings.Cut(after, `},"numRowsResultSet":`)
	return rows
}

func TestTimestamps(t *testing.T) {
	for _, c := range []struct {
		micros int64
		want   string
	}{
		{0, "1970-01-01 00:00:00.0"},
		{1_500_000, "1970-01-01 00:00:01.5"},
		{-1_000, "1969-12-31 23:59:59.999"},
		{1_357_034_400_000_000, "2013-01-01 10:00:00.0"},
		{253_402_300_800_000_000, "10000-01-01 00:00:00.0"},
		{-12_219_292_800_000_000, "1582-10-15 00:00:00.0"},
		{-12_219_292_800_001_000, "1582-10-04 23:59:59.999"},
		{-62_135_769_600_000_000, "0001-01-01 00:00:00.0"}, // Julian: two days before the Gregorian one
		{-62_135_769_600_001_000, "0001-12-31 23:59:59.999"},
	} {
		v := vector.NewTimestamps(nil)
		v.Append(c.micros, 0)
		batch := &vector.Batch{N: 1, Columns: []vector.Vector{v}}
		if got := rowsOf(t, "TIMESTAMP(ms)", "TIMESTAMP", batch); got != `[["`+c.want+`"]]` {
			t.Errorf("%d is %s, want %s", c.micros, got, c.want)
		}
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `""`},
		{"a\"b\\c/", `"a\"b\\c/"`},
		{"\b\t\n\f\r\x00\x1f\x7f", "\"\\b\\t\\n\\f\\r\\u0000\\u001F\x7f\""},
		{"γ日\u2028", "\"γ日\u2028\""},
		{"🎲", `"\uD83C\uDFB2"`},
		{"a\xffb", "\"a\uFFFDb\""},
	} {
		v := vector.NewVec[vector.View](nil)
		vector.AppendString(v, []byte(c.text))
		batch := &vector.Batch{N: 1, Columns: []vector.Vector{v}}
		if got := rowsOf(t, "VARCHAR", "STRING", batch); got != "[["+c.want+"]]" {
			t.Errorf("%q is %s, want %s", c.text, got, c.want)
		}
	}
}

// TestSelection writes the selected rows alone, also where a column becomes text.
func TestSelection(t *testing.T) {
	v := vector.NewVec[int64](nil)
	for x := range int64(5) {
		v.Append(x * 10)
	}
	batch := &vector.Batch{N: 5, Columns: []vector.Vector{v}, Sel: []int32{1, 4}}
	if got, want := rowsOf(t, "BIGINT", "LONG", batch), "[[10],[40]]"; got != want {
		t.Errorf("rows are %s, want %s", got, want)
	}
	if got, want := rowsOf(t, "DECIMAL(5,1)", "BIG_DECIMAL", batch), `[["1.0"],["4.0"]]`; got != want {
		t.Errorf("decimals are %s, want %s", got, want)
	}
}

// failing is an answer of two batches of a row each, unless an error comes before.
func failing(after int, failure error) *server.Answer {
	schema := nimble.RowOf([]string{"n"}, []*nimble.Type{{Kind: nimble.BigInt}})
	v := vector.NewVec[int64](nil)
	v.Append(7)
	a := answerOf(schema, []string{"LONG"})
	a.Next = func() (*vector.Batch, error) {
		if after == 0 {
			return nil, failure
		}
		after--
		return &vector.Batch{N: 1, Columns: []vector.Vector{v}}, nil
	}
	return a
}

// TestErrorsLeaveWholeJSON wants nothing where there is no row yet, and after one a
// response that says what went wrong.
func TestErrorsLeaveWholeJSON(t *testing.T) {
	failure := errors.New(`file "x": damaged`)
	var out bytes.Buffer
	if err := server.WriteResponse(&out, failing(0, failure)); !errors.Is(err, failure) || out.Len() != 0 {
		t.Errorf("before the first row: %v, %s", err, &out)
	}
	if err := server.WriteResponse(&out, failing(2, failure)); !errors.Is(err, failure) {
		t.Errorf("after two rows: %v", err)
	}
	var response struct {
		ResultTable   struct{ Rows [][]int }
		PartialResult bool
		Exceptions    []struct {
			ErrorCode int
			Message   string
		}
	}
	if err := json.Unmarshal(out.Bytes(), &response); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if len(response.ResultTable.Rows) != 2 || !response.PartialResult || len(response.Exceptions) != 1 {
		t.Fatalf("%s", &out)
	}
	if e := response.Exceptions[0]; e.ErrorCode != 200 || e.Message != "QueryExecutionError: "+failure.Error() {
		t.Errorf("exception %+v", e)
	}
}

// full is a device without room.
type full struct{ err error }

func (w full) Write([]byte) (int, error) { return 0, w.err }

func TestErrorOfTheWriterIsTold(t *testing.T) {
	noRoom := errors.New("no room")
	if err := server.WriteResponse(full{noRoom}, failing(1, io.EOF)); !errors.Is(err, noRoom) {
		t.Errorf("%v", err)
	}
}
