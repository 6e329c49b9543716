package endpoint_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/internal/endpoint"
	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/internal/server"
	"github.com/decantdb/decant/internal/table"
)

// brokerAnswer is what counts of a broker's response.
type brokerAnswer struct {
	ResultTable *struct {
		DataSchema struct {
			ColumnNames     []string
			ColumnDataTypes []string
		}
		Rows [][]any
	}
	Exceptions            []struct{ ErrorCode int }
	NumDocsScanned        int64
	TotalDocs             int64
	NumGroupsLimitReached bool
}

// leastAnswers is how many recorded queries are answered as they were, by the size
// of the set. It may only grow.
var leastAnswers = map[int]int{}

// TestGoldenQueries asks the recorded queries over the tables that they were asked
// over, made by their Pinot schemas and data.
func TestGoldenQueries(t *testing.T) {
	for _, dir := range golden.Dirs(t, "pinot/broker") {
		handler, tables := openGolden(t, dir)
		requests, err := filepath.Glob(filepath.Join(dir, "queries", "*.request.json"))
		if err != nil {
			t.Fatal(err)
		}
		passed, ran := 0, 0
		for _, file := range requests {
			body, want := readQuery(t, file)
			if !slices.ContainsFunc(tables, func(name string) bool { return bytes.Contains(bytes.ToLower(body), []byte(strings.ToLower(name))) }) {
				continue
			}
			ran++
			if why := checkQuery(handler, body, want); why == "" {
				passed++
			} else if os.Getenv("DECANT_SHOW") != "" {
				t.Logf("%s: %s\n    %s", filepath.Base(file), body, why)
			}
		}
		t.Logf("%s: %d of %d queries are answered as Pinot answered them", dir, passed, ran)
		if ran == 0 || passed < leastAnswers[ran] {
			t.Errorf("%d of %d queries pass, and %d did before", passed, ran, leastAnswers[ran])
		}
	}
}

// openGolden makes the tables of a golden folder that have data.
func openGolden(t *testing.T, dir string) (http.Handler, []string) {
	t.Helper()
	data := t.TempDir()
	d, err := table.OpenData(data)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	schemas, _ := filepath.Glob(filepath.Join(dir, "tables", "*_schema.json"))
	for _, file := range schemas {
		name := strings.TrimSuffix(filepath.Base(file), "_schema.json")
		files, _ := filepath.Glob(filepath.Join(dir, "data", name+"*"))
		if len(files) == 0 {
			continue
		}
		schema, err := table.ParseSchema(readAll(t, file))
		if err != nil {
			t.Fatal(err)
		}
		config, err := table.ParseConfig(readAll(t, strings.Replace(file, "_schema", "_table", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Create(name, schema, config); err != nil {
			t.Fatal(err)
		}
		for i, f := range files {
			files[i] = unpacked(t, f)
		}
		if _, err := decant.AddFiles(t.Context(), decant.Options{}, data, name, files...); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	db, err := decant.OpenData(context.Background(), decant.Options{PinotDefaults: true, ZeroKeys: true}, data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return endpoint.NewHandler(db, server.Options{}), names
}

func readAll(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// unpacked returns a file that is not compressed.
func unpacked(t *testing.T, file string) string {
	t.Helper()
	if filepath.Ext(file) != ".gz" {
		return file
	}
	r, err := gzip.NewReader(bytes.NewReader(readAll(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(file), ".gz"))
	if err := os.WriteFile(plain, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return plain
}

func readQuery(t *testing.T, file string) (body []byte, want *brokerAnswer) {
	t.Helper()
	want = &brokerAnswer{}
	if err := decodeAnswer(readAll(t, strings.Replace(file, ".request.", ".response.", 1)), want); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return readAll(t, file), want
}

func decodeAnswer(text []byte, a *brokerAnswer) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(a)
}

// checkQuery returns what is different, or nothing.
func checkQuery(h http.Handler, body []byte, want *brokerAnswer) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/query/sql", bytes.NewReader(body)))
	got := &brokerAnswer{}
	if err := decodeAnswer(w.Body.Bytes(), got); err != nil {
		return err.Error()
	}
	if len(want.Exceptions) > 0 || len(got.Exceptions) > 0 {
		if len(want.Exceptions) == 0 {
			return "fails: " + w.Body.String()
		}
		if len(got.Exceptions) == 0 {
			return fmt.Sprintf("no error instead of %v", want.Exceptions)
		}
		// 427 is a server that failed before it could say why.
		if code := want.Exceptions[0].ErrorCode; code != got.Exceptions[0].ErrorCode && code != 427 {
			return fmt.Sprintf("error %d instead of %d", got.Exceptions[0].ErrorCode, code)
		}
		return ""
	}
	if !reflect.DeepEqual(got.ResultTable.DataSchema, want.ResultTable.DataSchema) {
		return fmt.Sprintf("schema %v instead of %v", got.ResultTable.DataSchema, want.ResultTable.DataSchema)
	}
	// How many rows are looked at before LIMIT is reached hangs on Pinot's segments,
	// their order and their indexes.
	grouped := bytes.Contains(bytes.ToUpper(body), []byte("GROUP BY")) && !bytes.Contains(bytes.ToUpper(body), []byte("FILTER"))
	if grouped && (got.NumDocsScanned != want.NumDocsScanned || got.TotalDocs != want.TotalDocs || got.NumGroupsLimitReached != want.NumGroupsLimitReached) {
		return fmt.Sprintf("%d of %d rows scanned instead of %d of %d", got.NumDocsScanned, got.TotalDocs, want.NumDocsScanned, want.TotalDocs)
	}
	ordered := bytes.Contains(bytes.ToUpper(body), []byte("ORDER BY"))
	return differentRows(got.ResultTable.Rows, want.ResultTable.Rows, ordered)
}

func differentRows(got, want [][]any, ordered bool) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d rows instead of %d", len(got), len(want))
	}
	if !ordered {
		for _, rows := range [][][]any{got, want} {
			slices.SortFunc(rows, func(a, b []any) int { return strings.Compare(fmt.Sprint(a...), fmt.Sprint(b...)) })
		}
	}
	for i := range want {
		if !sameValue(any(got[i]), any(want[i])) {
			return fmt.Sprintf("row %d: %v instead of %v", i, got[i], want[i])
		}
	}
	return ""
}

// sameValue compares doubles up to their last digits.
func sameValue(got, want any) bool {
	switch w := want.(type) {
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		for i := range w {
			if !sameValue(g[i], w[i]) {
				return false
			}
		}
		return true
	case json.Number:
		g, ok := got.(json.Number)
		if !ok || !strings.ContainsAny(string(w), ".eE") {
			return ok && g == w
		}
		x, _ := g.Float64()
		y, _ := w.Float64()
		return x == y || math.Abs(x-y) <= 1e-12*math.Abs(y)
	}
	return got == want
}
