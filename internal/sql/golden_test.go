package sql

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
)

const parseErrorCode = 150

// rejectedByParser are the messages by which a parse error (code 150) shows that
// the grammar rejected the text; other messages with that code come from later
// steps of the broker.
var rejectedByParser = regexp.MustCompile(`Encountered "`)

// checkRoundTrip checks that printing and parsing keep the statement.
func checkRoundTrip(t *testing.T, text string, s *Statement) {
	t.Helper()
	printed := s.String()
	again, err := Parse(printed)
	if err != nil {
		t.Errorf("%s\nprinted as %s\n%v", text, printed, err)
	} else if !s.Equal(again) {
		t.Errorf("%s\nprinted as %s\nread as %s", text, printed, again)
	}
}

func TestGoldenBrokerQueries(t *testing.T) {
	for _, dir := range golden.Dirs(t, "pinot/broker") {
		files, err := filepath.Glob(filepath.Join(dir, "queries*", "*.request.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no queries (%v)", dir, err)
		}
		accepted, refused := 0, 0
		for _, file := range files {
			var request struct{ SQL string }
			readJSON(t, file, &request)
			var response struct {
				Exceptions []struct {
					ErrorCode int
					Message   string
				}
			}
			readJSON(t, strings.TrimSuffix(file, ".request.json")+".response.json", &response)
			answered, wellFormed := true, true
			for _, exception := range response.Exceptions {
				answered = answered && exception.ErrorCode != parseErrorCode
				wellFormed = wellFormed && !rejectedByParser.MatchString(exception.Message)
			}
			s, err := Parse(request.SQL)
			switch {
			case err == nil && wellFormed:
				accepted++
				checkRoundTrip(t, request.SQL, s)
			case err == nil:
				t.Errorf("%s\nparsed as %s\nthe reference says %v", request.SQL, s, response.Exceptions)
			case answered:
				t.Errorf("%s\n%v\nthe reference parses it", request.SQL, err)
			default:
				refused++
			}
		}
		t.Logf("%s: %d queries parsed, %d rejected", dir, accepted, refused)
	}
}

func readJSON(t *testing.T, file string, value any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, value); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// functionCase is a line of functions/cases.jsonl.
type functionCase struct {
	SQL          string
	NullHandling bool
	ColumnNames  []string
	Error        string
	ErrorCode    int
}

func functionCases(t *testing.T, dir string) []functionCase {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []functionCase
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var c functionCase
		decoder := json.NewDecoder(bytes.NewReader(scanner.Bytes()))
		if err := decoder.Decode(&c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

// place finds the line and the column in a message of the reference's parser.
var place = regexp.MustCompile(`at line (\d+), column (\d+)`)

func TestGoldenFunctionQueries(t *testing.T) {
	for _, dir := range golden.Dirs(t, "pinot/functions") {
		accepted, refused, samePlace := 0, 0, 0
		for _, c := range functionCases(t, dir) {
			s, err := Parse(c.SQL)
			if err == nil {
				accepted++
				checkRoundTrip(t, c.SQL, s)
			} else {
				refused++
			}
			if rejectedByParser.MatchString(c.Error) {
				if err == nil {
					t.Errorf("%s\nparsed as %s\nthe reference says %s", c.SQL, s, c.Error)
					continue
				}
				var where *Error
				if !errors.As(err, &where) {
					t.Fatalf("%s: %T is not *Error", c.SQL, err)
				}
				at := place.FindStringSubmatch(c.Error)
				if at != nil && at[1] == strconv.Itoa(where.Line) && at[2] == strconv.Itoa(where.Column) {
					samePlace++
				}
				continue
			}
			if err != nil && (c.ErrorCode == 0 || !errors.Is(err, ErrUnsupported)) {
				t.Errorf("%s\n%v\nthe reference: code %d %s", c.SQL, err, c.ErrorCode, c.Error)
			}
		}
		t.Logf("%s: %d queries parsed, %d rejected, %d of them at the reference's line and column",
			dir, accepted, refused, samePlace)
	}
}

func TestGoldenColumnNames(t *testing.T) {
	for _, dir := range golden.Dirs(t, "pinot/functions") {
		multiValue := multiValueColumns(t, dir)
		checked, left := 0, 0
		for _, c := range functionCases(t, dir) {
			s, err := Parse(c.SQL)
			if err != nil || c.ColumnNames == nil || len(s.Query.Select) != len(c.ColumnNames) {
				continue
			}
			for i, item := range s.Query.Select {
				if item.Alias == "" && isRewritten(item.Expr, multiValue) {
					left++
					continue
				}
				name := item.Alias
				if name == "" {
					name = ColumnName(item.Expr)
				}
				checked++
				if want := c.ColumnNames[i]; name != want {
					t.Errorf("%s\ngot  %s\nwant %s", c.SQL, name, want)
				}
			}
		}
		if checked == 0 {
			t.Errorf("%s: no names", dir)
		}
		t.Logf("%s: %d names equal, %d left to the rewrites", dir, checked, left)
	}
}

func multiValueColumns(t *testing.T, dir string) map[string]bool {
	t.Helper()
	var table struct {
		Columns []struct {
			Name       string
			MultiValue bool
		}
	}
	readJSON(t, filepath.Join(dir, "table.json"), &table)
	columns := map[string]bool{}
	for _, column := range table.Columns {
		columns[column.Name] = column.MultiValue
	}
	return columns
}

// isRewritten reports whether the broker changes an expression before it names
// it: it folds constant calls, moves arithmetic out of aggregates, gives
// aggregates of multi-value columns their own names, and trims table names.
// Queries of literals only name theirs in another way. Funnels are not run, and
// their names follow no rule.
func isRewritten(e Expr, multiValue map[string]bool) bool {
	if _, isLiteral := e.(*Literal); isLiteral {
		return true
	}
	rewritten := false
	Walk(e, func(e Expr) bool {
		switch e := e.(type) {
		case *Identifier:
			rewritten = rewritten || e.Name == "*" || strings.Contains(e.Name, ".")
		case *Call:
			constant := true
			for _, arg := range e.Args {
				if _, isLiteral := arg.(*Literal); !isLiteral {
					constant = false
				}
				if id, isColumn := arg.(*Identifier); isColumn && multiValue[id.Name] {
					rewritten = true
				}
			}
			rewritten = rewritten || constant || e.Name == "count" || isMovable(e) || strings.HasPrefix(e.Name, "funnel")
		}
		return true
	})
	return rewritten
}

func isMovable(c *Call) bool {
	if len(c.Args) != 1 || !slices.Contains([]string{"sum", "min", "max", "avg"}, c.Name) {
		return false
	}
	inner, ok := c.Args[0].(*Call)
	return ok && slices.Contains([]string{OpPlus, OpMinus, OpTimes}, inner.Name)
}
