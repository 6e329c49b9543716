package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/exec"
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/internal/sql"
	"github.com/decantdb/decant/vector"
)

// functionCase is one recorded answer.
type functionCase struct {
	Function     string
	SQL          string
	NullHandling bool
	ColumnNames  []string
	ColumnTypes  []string
	Rows         [][]any
	Error        string
	ErrorCode    int
	Volatile     bool
	Unordered    bool
}

// functionArea says where a function belongs and whether it is required.
type functionArea struct{ area, priority, kind string }

// leastPassing is how many of the required cases pass, by the size of the set. It
// may only grow.
var leastPassing = map[int]int{576: 561, 5871: 5701}

// TestGoldenFunctions compares answers to those that Pinot 1.5.0 gave to calls
// of single functions.
func TestGoldenFunctions(t *testing.T) {
	for _, root := range golden.Roots(t) {
		dir := filepath.Join(root, "pinot", "functions")
		tables := readFunctionTables(t, dir)
		areas := readFunctionAreas(t, dir)
		passed, total := map[string]int{}, map[string]int{}
		required, requiredPassed := 0, 0
		for _, c := range readFunctionCases(t, dir) {
			a, known := areas[fn.Canonical(c.Function)]
			if !known {
				a = functionArea{area: "topic " + c.Function, priority: "required"}
			}
			name := a.area
			if a.priority != "required" {
				name = "(" + a.priority + ") " + name
			}
			if strings.HasPrefix(a.kind, "aggregation") {
				name = strings.Replace(name, "aggregate", "aggregation", 1)
			}
			total[name]++
			failure := checkFunctionCase(tables, &c)
			counts := a.priority == "required"
			if counts {
				required++
			}
			if failure == "" {
				passed[name]++
				if counts {
					requiredPassed++
				}
			} else if want := os.Getenv("DECANT_SHOW"); want != "" && (want == "all" || strings.Contains(name, want)) {
				t.Logf("%s\n   nulls %v: %s", c.SQL, c.NullHandling, failure)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(total)) {
			t.Logf("%-24s %4d of %4d", name, passed[name], total[name])
		}
		t.Logf("%s: %d of %d required cases pass", dir, requiredPassed, required)
		if requiredPassed < leastPassing[required] {
			t.Errorf("%d cases pass, and %d did before", requiredPassed, leastPassing[required])
		}
	}
}

func readFunctionCases(t *testing.T, dir string) []functionCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []functionCase
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c functionCase
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.UseNumber()
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		t.Fatalf("%s has no cases", dir)
	}
	return cases
}

// readFunctionAreas reads the list of functions beside the cases or, for the
// shared set, among the specifications.
func readFunctionAreas(t *testing.T, dir string) map[string]functionArea {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "functions.tsv"))
	if err != nil {
		data, err = os.ReadFile(filepath.Join(dir, "..", "..", "..", "spec", "functions.tsv"))
	}
	if err != nil {
		t.Fatal(err)
	}
	areas := map[string]functionArea{}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 8 {
			t.Fatalf("a line of %d fields", len(f))
		}
		for _, name := range append(strings.Split(f[1], ","), f[0]) {
			if name = fn.Canonical(strings.TrimSpace(name)); name != "" {
				areas[name] = functionArea{area: f[3], priority: f[7], kind: f[2]}
			}
		}
	}
	return areas
}

func checkFunctionCase(tables map[string]*functionTable, c *functionCase) (failure string) {
	if c.Volatile {
		return ""
	}
	q, rows, err := askFunction(tables, c)
	if c.ErrorCode != 0 {
		switch {
		case err == nil:
			return fmt.Sprintf("no error, want %d %s", c.ErrorCode, c.Error)
		case plan.Code(err) != c.ErrorCode && c.ErrorCode < 400 || plan.Code(err) != c.ErrorCode && c.ErrorCode >= 500:
			return fmt.Sprintf("%v (%d), want %d %s", err, plan.Code(err), c.ErrorCode, c.Error)
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	var names, types []string
	for _, o := range q.Outputs {
		names = append(names, o.Name)
		types = append(types, o.Expr.Type().String())
	}
	if !slices.Equal(names, c.ColumnNames) {
		return fmt.Sprintf("names %q, want %q", names, c.ColumnNames)
	}
	if !slices.Equal(types, c.ColumnTypes) {
		return fmt.Sprintf("types %q, want %q", types, c.ColumnTypes)
	}
	if len(rows) != len(c.Rows) {
		return fmt.Sprintf("%d rows, want %d: %v", len(rows), len(c.Rows), rows)
	}
	for i, row := range c.Rows {
		for j := range row {
			if !sameCell(types[j], rows[i][j], row[j], c.Unordered) {
				return fmt.Sprintf("row %d: %v, want %v", i, rows[i][j], row[j])
			}
		}
	}
	return ""
}

// sameCell compares numbers by value and texts by UTF-16 units.
func sameCell(typ string, got, want any, unordered bool) bool {
	switch w := want.(type) {
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return false
		}
		if unordered {
			byText := func(list []any) {
				sort.Slice(list, func(i, j int) bool { return fmt.Sprint(list[i]) < fmt.Sprint(list[j]) })
			}
			byText(g)
			byText(w)
		}
		for i := range w {
			if !sameCell(typ, g[i], w[i], false) {
				return false
			}
		}
		return true
	case json.Number:
		g, ok := got.(json.Number)
		if !ok {
			return false
		}
		x, _ := g.Float64()
		y, _ := w.Float64()
		isWhole := !strings.ContainsAny(string(w), ".eE")
		if strings.HasPrefix(typ, "FLOAT") {
			x, y = float64(float32(x)), float64(float32(y))
		}
		return g == w || !isWhole && near(x, y) && math.Signbit(x) == math.Signbit(y)
	}
	return got == want
}

// near allows for the last digits of transcendental functions, which no standard
// fixes.
func near(x, y float64) bool {
	const units = 8
	return x == y || math.Abs(x-y) <= units*math.Abs(math.Nextafter(y, math.Inf(1))-y)
}

func askFunction(tables map[string]*functionTable, c *functionCase) (*plan.Query, [][]any, error) {
	statement, err := sql.Parse(fmt.Sprintf("SET enableNullHandling = %v; %s", c.NullHandling, c.SQL))
	if err != nil {
		return nil, nil, err
	}
	name := ""
	if statement.Query != nil && statement.Query.From != nil {
		name = statement.Query.From.Table
	}
	table := tables[name]
	if table == nil {
		table = &functionTable{}
	}
	q, err := plan.Compile(statement, name, table.columns, plan.Options{DefaultLimit: 10, NullsOff: true, ZeroKeys: true})
	if err != nil {
		return nil, nil, err
	}
	var rows [][]any
	_, err = exec.Run(context.Background(), q, table, exec.Options{Workers: 2}, func(b *vector.Batch) error {
		for i := range b.N {
			var row []any
			for j, v := range b.Columns {
				var cell any
				d := json.NewDecoder(bytes.NewReader(appendCell(nil, q.Outputs[j].Expr.Type(), v, i)))
				d.UseNumber()
				if err := d.Decode(&cell); err != nil {
					return err
				}
				row = append(row, cell)
			}
			rows = append(rows, row)
		}
		return nil
	})
	return q, rows, err
}

// appendCell writes a value as a response has it.
func appendCell(dst []byte, t fn.Type, v vector.Vector, row int) []byte {
	if !vector.Valid(v.Validity(), row) {
		return append(dst, "null"...)
	}
	switch v := v.(type) {
	case *vector.Bools:
		return strconv.AppendBool(dst, vector.Bit(v.Bits, row))
	case *vector.Vec[int32]:
		x, _ := v.At(row)
		return strconv.AppendInt(dst, int64(x), 10)
	case *vector.Vec[int64]:
		x, _ := v.At(row)
		if t != fn.Timestamp {
			return strconv.AppendInt(dst, x, 10)
		}
		return appendString(dst, fn.AppendMoment(nil, x))
	case *vector.Vec[float32]:
		x, _ := v.At(row)
		return appendFloat(dst, float64(x), 32)
	case *vector.Vec[float64]:
		x, _ := v.At(row)
		return appendFloat(dst, x, 64)
	case *vector.Vec[vector.View]:
		x, _ := v.At(row)
		text := x.Bytes(v.Buffers.List())
		if t == fn.Bytes {
			text = hex.AppendEncode(nil, text)
		}
		return appendString(dst, text)
	case *vector.List:
		dst = append(dst, '[')
		begin, end := v.Span(row)
		for i := begin; i < end; i++ {
			if i > begin {
				dst = append(dst, ',')
			}
			dst = appendCell(dst, t.Elem(), v.Elem, i)
		}
		return append(dst, ']')
	}
	return append(dst, "null"...)
}
