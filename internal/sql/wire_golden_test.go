package sql

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
)

// wireExpr is an expression of a recorded request, by its Thrift fields.
type wireExpr struct {
	Identifier   *struct{ Name string }
	Literal      map[string]any
	FunctionCall *struct {
		Operator string
		Operands []wireExpr
	}
}

type wireQuery struct {
	SelectList, GroupByList, OrderByList []wireExpr
	HavingExpression                     *wireExpr
	Limit, Offset                        *int64
}

// expr gives the tree of a recorded expression.
func (e wireExpr) expr(t *testing.T) Expr {
	t.Helper()
	switch {
	case e.Identifier != nil:
		return &Identifier{Name: e.Identifier.Name}
	case e.FunctionCall != nil:
		c := &Call{Name: strings.ToLower(e.FunctionCall.Operator)}
		for _, operand := range e.FunctionCall.Operands {
			c.Args = append(c.Args, operand.expr(t))
		}
		return c
	}
	for kind, value := range e.Literal {
		number, _ := value.(json.Number)
		n, _ := number.Int64()
		f, _ := number.Float64()
		switch kind {
		case "boolValue":
			return &Literal{Type: Boolean, Value: value}
		case "intValue":
			return &Literal{Type: Int, Value: int32(n)}
		case "longValue":
			return &Literal{Type: Long, Value: n}
		case "doubleValue":
			return &Literal{Type: Double, Value: f}
		case "stringValue":
			return &Literal{Type: String, Value: value}
		case "nullValue":
			return &Literal{}
		}
	}
	t.Fatalf("unknown literal %v", e.Literal)
	return nil
}

// TestGoldenWireTrees compares trees with those that the reference's broker sent
// to its server for the same text, as far as the broker does not rewrite them.
func TestGoldenWireTrees(t *testing.T) {
	for _, dir := range golden.Dirs(t, "pinot/broker") {
		files, err := filepath.Glob(filepath.Join(dir, "wire", "*.req.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no requests (%v)", dir, err)
		}
		multiValue := schemaColumns(t, dir)
		compared := 0
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".req.json")
			var request struct{ SQL string }
			readJSON(t, filepath.Join(dir, "queries", name+".request.json"), &request)
			s, err := Parse(request.SQL)
			if err != nil {
				t.Errorf("%s: %v", request.SQL, err)
				continue
			}
			compared += compareWire(t, request.SQL, s.Query, readWireQuery(t, file), multiValue)
		}
		if compared == 0 {
			t.Errorf("%s: nothing to compare", dir)
		}
		t.Logf("%s: %d requests, %d expressions equal", dir, len(files), compared)
	}
}

func readWireQuery(t *testing.T, file string) wireQuery {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var wire struct {
		InstanceRequest struct {
			Query struct{ PinotQuery wireQuery }
		}
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&wire); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return wire.InstanceRequest.Query.PinotQuery
}

// schemaColumns tells which columns of all tables have several values.
func schemaColumns(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "tables", "*_schema.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no schemas (%v)", dir, err)
	}
	multiValue := map[string]bool{}
	for _, file := range files {
		var schema struct {
			DimensionFieldSpecs []struct {
				Name             string
				SingleValueField *bool
			}
		}
		readJSON(t, file, &schema)
		for _, spec := range schema.DimensionFieldSpecs {
			if spec.SingleValueField != nil && !*spec.SingleValueField {
				multiValue[spec.Name] = true
			}
		}
	}
	return multiValue
}

// compareWire returns how many expressions it compared.
func compareWire(t *testing.T, text string, q *Query, wire wireQuery, multiValue map[string]bool) int {
	t.Helper()
	compared := 0
	compare := func(got Expr, want wireExpr) {
		if isRewritten(got, multiValue) || hasFraction(got) {
			return
		}
		compared++
		if !Equal(got, want.expr(t)) {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want.expr(t))
		}
	}
	items := wire.SelectList
	if q.Distinct && len(items) == 1 && items[0].FunctionCall != nil {
		items = items[0].FunctionCall.Operands
	}
	if len(items) == len(q.Select) {
		for i, item := range q.Select {
			e := item.Expr
			if item.Alias != "" && !isRewritten(e, multiValue) {
				e = &Call{Name: "as", Args: []Expr{e, &Identifier{Name: item.Alias}}}
			}
			compare(e, items[i])
		}
	}
	for i, e := range q.GroupBy {
		if len(wire.GroupByList) == len(q.GroupBy) && !isOrdinalOrAlias(q, e) {
			compare(e, wire.GroupByList[i])
		}
	}
	for i, item := range q.OrderBy {
		if len(wire.OrderByList) == len(q.OrderBy) && !isOrdinalOrAlias(q, item.Expr) {
			compare(orderCall(item), wire.OrderByList[i])
		}
	}
	if q.Having != nil && wire.HavingExpression != nil {
		compare(q.Having, *wire.HavingExpression)
	}
	if q.Offset != nil && (wire.Offset == nil || *wire.Offset != *q.Offset) ||
		q.Limit != nil && (wire.Limit == nil || *wire.Limit != *q.Limit) {
		t.Errorf("%s: limit or offset differs", text)
	}
	return compared
}

// hasFraction reports whether e has a double: the broker adapts those.
func hasFraction(e Expr) bool {
	found := false
	Walk(e, func(e Expr) bool {
		l, ok := e.(*Literal)
		found = found || ok && l.Type == Double
		return true
	})
	return found
}

func isOrdinalOrAlias(q *Query, e Expr) bool {
	for _, item := range q.Select {
		if id, ok := e.(*Identifier); ok && id.Name == item.Alias {
			return true
		}
	}
	_, isLiteral := e.(*Literal)
	return isLiteral
}

// orderCall gives an order key as the calls that requests hold.
func orderCall(item OrderItem) Expr {
	c := &Call{Name: "asc", Args: []Expr{item.Expr}}
	if item.Desc {
		c.Name = "desc"
	}
	switch item.Nulls {
	case NullsFirst:
		return &Call{Name: "nullsfirst", Args: []Expr{c}}
	case NullsLast:
		return &Call{Name: "nullslast", Args: []Expr{c}}
	default:
		return c
	}
}
