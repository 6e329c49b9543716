package convert

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble"
)

// writeFile returns the path of a new file of that content.
func writeFile(tb testing.TB, name, content string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

// openText opens a CSV file of that text.
func openText(tb testing.TB, text string, o Options) (Source, error) {
	tb.Helper()
	src, err := OpenSource(tb.Context(), writeFile(tb, "in.csv", text), o)
	if err == nil {
		tb.Cleanup(func() {
			if err := src.Close(); err != nil {
				tb.Error(err)
			}
		})
	}
	return src, err
}

// drain writes all of src in a text format.
func drain(src Source, format Format, o Options) (string, error) {
	var out bytes.Buffer
	sink, err := NewSink(&out, format, src.Schema(), o)
	if err != nil {
		return "", err
	}
	for {
		b, err := src.Next()
		if errors.Is(err, io.EOF) {
			err := sink.Close()
			return out.String(), err
		}
		if err != nil {
			return "", err
		}
		if err := sink.Write(b); err != nil {
			return "", err
		}
	}
}

// again reads a CSV text and writes it as CSV.
func again(tb testing.TB, text string, o Options) (schema *nimble.Type, out string) {
	tb.Helper()
	src, err := openText(tb, text, o)
	if err != nil {
		tb.Fatal(err)
	}
	out, err = drain(src, FormatCSV, o)
	if err != nil {
		tb.Fatal(err)
	}
	return src.Schema(), out
}

// column returns a CSV file of one column.
func column(values ...string) string { return "v\n" + strings.Join(values, "\n") + "\n" }

// TestInfer checks the type of a column and that its text comes back.
func TestInfer(t *testing.T) {
	for _, c := range []struct {
		name, typ string
		values    []string
	}{
		{"nothing", "VARCHAR", []string{"", ""}},
		{"boolean", "BOOLEAN", []string{"true", "false", ""}},
		{"other booleans", "VARCHAR", []string{"true", "True"}},
		{"yes", "VARCHAR", []string{"t", "f"}},
		{"integer", "INTEGER", []string{"0", "-1", "2147483647", "-2147483648"}},
		{"bigint above", "BIGINT", []string{"1", "2147483648"}},
		{"bigint below", "BIGINT", []string{"-9223372036854775808", "9223372036854775807"}},
		{"one beyond bigint", "VARCHAR", []string{"9223372036854775808"}},
		{"one below bigint", "VARCHAR", []string{"-9223372036854775809"}},
		{"20 digits", "VARCHAR", []string{"12345678901234567890"}},
		{"20 digits, a double", "VARCHAR", []string{"10000000000000000000"}},
		{"leading zeros", "VARCHAR", []string{"0870", "123"}},
		{"leading zero of a negative", "VARCHAR", []string{"-01"}},
		{"plus", "VARCHAR", []string{"+1"}},
		{"underscore", "VARCHAR", []string{"1_000"}},
		{"spaces", "VARCHAR", []string{" 1", "1 "}},
		{"hexadecimal", "VARCHAR", []string{"0x10"}},
		{"names with an exponent", "VARCHAR", []string{"12E4", "7e3"}},
		{"minus zero", "DOUBLE", []string{"-0", "5"}},
		{"mixed", "DOUBLE", []string{"1", "1.7", "-3"}},
		{"shortest", "DOUBLE", []string{"0.1", "1.0", "-2.5"}},
		{"fixed", "DOUBLE", []string{"1.10", "2.50", "-300.00", "0.00"}},
		{"fixed, one", "DOUBLE", []string{"1.0", "2.0"}},
		{"17 digits", "DOUBLE", []string{"0.30000000000000004"}},
		{"18 digits", "VARCHAR", []string{"0.300000000000000041"}},
		{"large", "DOUBLE", []string{"1e+21", "1.5e+300"}},
		{"small", "DOUBLE", []string{"1e-07", "0.000001"}},
		{"too large", "VARCHAR", []string{"1e+400"}},
		{"too small", "VARCHAR", []string{"1e-400"}},
		{"not finite", "DOUBLE", []string{"NaN", "Infinity", "-Infinity", "1.5"}},
		{"other infinities", "VARCHAR", []string{"inf", "1.5"}},
		{"2^53 and a fraction", "DOUBLE", []string{"9007199254740992", "0.5"}},
		{"beyond 2^53 and a fraction", "VARCHAR", []string{"9007199254740994", "0.5"}},
		{"a fraction and beyond 2^53", "VARCHAR", []string{"0.5", "9007199254740994"}},
		{"point alone", "VARCHAR", []string{"1.", ".5"}},
		{"date", "DATE", []string{"2013-01-31", "0001-01-01", "9999-12-31", "2024-02-29"}},
		{"no date", "VARCHAR", []string{"2013-02-29"}},
		{"year zero", "VARCHAR", []string{"0000-01-01"}},
		{"date and number", "VARCHAR", []string{"2013-01-31", "5"}},
		{"zulu", "TIMESTAMP(ms)", []string{"2013-01-01T10:00:00Z", "1969-12-31T23:59:59Z"}},
		{"local", "TIMESTAMP(ms)", []string{"2013-01-01 10:00:00", "2013-01-01 10:00:01"}},
		{"millis", "TIMESTAMP(ms)", []string{"2013-01-01 10:00:00.500", "2013-01-01 10:00:00.000"}},
		{"micros", "TIMESTAMP(us)", []string{"2013-01-01T10:00:00.123456+02:00"}},
		{"nanos", "TIMESTAMP(ns)", []string{"1677-01-01T10:00:00.123456789-05:30"}},
		{"two forms", "VARCHAR", []string{"2013-01-01T10:00:00Z", "2013-01-01 10:00:00Z"}},
		{"two offsets", "VARCHAR", []string{"2013-01-01T10:00:00+01:00", "2013-07-01T10:00:00+02:00"}},
		{"leap second", "VARCHAR", []string{"2016-12-31T23:59:60Z"}},
		{"date and time", "VARCHAR", []string{"2013-01-01", "2013-01-01 10:00:00"}},
		{"text", "VARCHAR", []string{"a", "b c", "Ω"}},
		{"not UTF-8", "VARBINARY", []string{"a\xff\xfeb", "1", "", "x"}},
		{"not UTF-8 at last", "VARBINARY", []string{"1", "NA", "caf\xe9"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := column(c.values...)
			schema, out := again(t, in, Options{})
			if got := schema.Children[0].String(); got != c.typ {
				t.Errorf("the type is %s, want %s", got, c.typ)
			}
			// Text that looks like a value of another type is quoted.
			if bare := strings.ReplaceAll(out, `"`, ""); bare != in {
				t.Errorf("%q became %q", in, bare)
			}
			schema2, out2 := again(t, out, Options{})
			if !schema.Equal(schema2) || out2 != out {
				t.Errorf("the second time it is %v and %q, the first time %v and %q", schema2, out2, schema, out)
			}
		})
	}
}

// TestInferNumerically has columns whose text is in several styles, so that it
// comes back as another text of the same numbers.
func TestInferNumerically(t *testing.T) {
	in, want := column("1.10", "2.5", "3", "1.5e3"), column("1.1", "2.5", "3.0", "1500.0")
	schema, out := again(t, in, Options{})
	if schema.Children[0].Kind != nimble.Double || out != want {
		t.Errorf("%v %q, want %q", schema, out, want)
	}
}

// TestReplay44 has values that a sample of the first lines would not see.
func TestReplay44(t *testing.T) {
	many := strings.Repeat("12\n", 25_000)
	for late, typ := range map[string]string{"1.7": "DOUBLE", "007": "VARCHAR", "1_000": "VARCHAR", "": "INTEGER"} {
		in := "n\n" + many + late + "\n"
		schema, out := again(t, in, Options{})
		if got := schema.Children[0].String(); got != typ {
			t.Errorf("with %q the type is %s, want %s", late, got, typ)
		}
		if strings.ReplaceAll(out, `"`, "") != in {
			t.Errorf("with %q the values changed", late)
		}
	}
	src, err := openText(t, "n\n"+many+"1.7\n", Options{Schema: parseSchema(t, "n INTEGER")})
	if err != nil {
		t.Fatal(err)
	}
	_, err = drain(src, FormatCSV, Options{})
	var place *PlaceError
	if !errors.As(err, &place) || !errors.Is(err, ErrValue) {
		t.Fatalf("error %v", err)
	}
	place.File = "in.csv"
	if want := `in.csv:25002:1: "1.7" is not an INTEGER`; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

// TestReplay45 has identifiers that must not become numbers.
func TestReplay45(t *testing.T) {
	schema, out := again(t, "id,zip,code\n12345678901234567890,0870,\"5\"\n", Options{})
	if got := schema.String(); got != "ROW<id VARCHAR, zip VARCHAR, code VARCHAR>" {
		t.Error(got)
	}
	if want := "id,zip,code\n12345678901234567890,0870,\"5\"\n"; out != want {
		t.Errorf("%q, want %q", out, want)
	}
}

// TestReplay47 tells null from the empty string and from the text NULL.
func TestReplay47(t *testing.T) {
	in := "w,x,y,z\na,,\"\",NULL\n"
	for _, c := range []struct {
		nulls       []string
		json, again string
	}{
		{nil, `{"w":"a","x":null,"y":"","z":"NULL"}`, in},
		{[]string{"NULL"}, `{"w":"a","x":null,"y":"","z":null}`, "w,x,y,z\na,NULL,\"\",NULL\n"},
		{[]string{"-", "NULL"}, `{"w":"a","x":null,"y":"","z":null}`, "w,x,y,z\na,-,\"\",-\n"},
	} {
		o := Options{Nulls: c.nulls}
		src, err := openText(t, in, o)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := drain(src, FormatJSONL, o); err != nil || got != c.json+"\n" {
			t.Errorf("nulls %q: %s (%v), want %s", c.nulls, got, err, c.json)
		}
		if _, got := again(t, in, o); got != c.again {
			t.Errorf("nulls %q: %q, want %q", c.nulls, got, c.again)
		}
	}
	// A text that is no null keeps apart from one that is, by quotes.
	if _, got := again(t, "w\n\"NULL\"\nNULL\n", Options{Nulls: []string{"NULL"}}); got != "w\n\"NULL\"\nNULL\n" {
		t.Errorf("%q", got)
	}
}

func TestCSVText(t *testing.T) {
	for _, c := range []struct{ name, in, out string }{
		{"quotes", "a,b\n\"x\"\"y\",\"1,2\"\n", "a,b\n\"x\"\"y\",\"1,2\"\n"},
		{"needless quotes", "a\n\"x\"\n", "a\nx\n"},
		{"line ends inside", "a,b\n\"x\r\ny\nz\",w\n", "a,b\n\"x\r\ny\nz\",w\n"},
		{"CRLF", "a,b\r\n1,x\r\n", "a,b\n1,x\n"},
		{"CRLF after quotes", "a,b\r\n1,\"x\"\r\n", "a,b\n1,x\n"},
		{"carriage return alone", "a\nx\ry\n", "a\n\"x\ry\"\n"},
		{"byte order mark", "\xef\xbb\xbfa\n1\n", "a\n1\n"},
		{"mark before quotes", "\xef\xbb\xbf\"a\"\n1\n", "a\n1\n"},
		{"no last line end", "a,b\n1,", "a,b\n1,\n"},
		{"quotes at the end", "a,b\n1,\"x\"", "a,b\n1,x\n"},
		{"empty lines", "a,b\n\n1,2\n\r\n\n3,4\n\n", "a,b\n1,2\n3,4\n"},
		{"empty lines of one column", "a\n1\n\n\n", "a\n1\n\n\n"},
		{"quote inside", "a\nx\"y\n", "a\n\"x\"\"y\"\n"},
		{"no rows", "a,b\n", "a,b\n"},
		{"names", ",a,b,\"x,y\"\n1,2,3,4\n", ",a,b,\"x,y\"\n1,2,3,4\n"},
		{"a name that looks like several", "\"a;b\"\n1\n", "\"a;b\"\n1\n"},
		{"names with other delimiters", "a;b,c|d\n1,2\n", "a;b,c|d\n1,2\n"},
		{"typed text", "a\n\"1\"\n\"true\"\n\"2013-01-01\"\nx\n", "a\n\"1\"\n\"true\"\n\"2013-01-01\"\nx\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, out := again(t, c.in, Options{}); out != c.out {
				t.Errorf("%q became %q, want %q", c.in, out, c.out)
			}
		})
	}
}

func TestCSVErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "in.csv:1:1: the file is empty, not even a header"},
		{"short", "a,b\n1,2\n3\n", "in.csv:3: 1 field, the header has 2"},
		{"long", "a,b\n1,2\n3,4,5\n", "in.csv:3: 3 fields, the header has 2"},
		{"lines inside", "a,b\n\"x\n\ny\",2\n3\n", "in.csv:5: 1 field, the header has 2"},
		{"open quotes", "a,b\n1,2\n3,\"4\n5,6\n", "in.csv:3:2: a quoted field does not end"},
		{"text after quotes", "a,b\n\"1\"2,3\n", "in.csv:2:1: text after a closing quote"},
		{"a name twice", "a,b,a\n1,2,3\n", `in.csv:1:3: the name "a" is that of column 1 already`},
		{"no name twice", "a,\"\",\n1,2,3\n", `in.csv:1:3: the name "" is that of column 2 already`},
		{"a name twice, on other lines", "\"a\n\",b,\"a\n\"\n1,2,3\n", `in.csv:2:3: the name "a\n" is that of column 1 already`},
		{"semicolons", "a;b\n1;2\n", `in.csv:1:1: one column named "a;b": is the delimiter ';'? use --delimiter`},
		{"tabs", "a\tb\n1\t2\n", `in.csv:1:1: one column named "a\tb": is the delimiter '\t'? use --delimiter`},
		{"bars", "a|b;c\n1|2\n", `in.csv:1:1: one column named "a|b;c": is the delimiter '|'? use --delimiter`},
		{"UTF-16", "\xff\xfea\x00", "in.csv:1:1: the text is UTF-16, not UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := openText(t, c.in, Options{})
			var place *PlaceError
			if !errors.As(err, &place) {
				t.Fatalf("error %v", err)
			}
			place.File = filepath.Base(place.File)
			if got := place.Error(); got != c.want {
				t.Errorf("error %q, want %q", got, c.want)
			}
		})
	}
	for _, o := range []Options{
		{Delimiter: '"'},
		{Delimiter: 0xe9},
		{Nulls: []string{"a,b"}},
		{Nulls: []string{`"`}},
		{Schema: parseSchema(t, "nosuch INTEGER")},
		{Schema: parseSchema(t, "a ARRAY<INTEGER>")},
		{Schema: parseSchema(t, "a INTEGER, a DOUBLE")},
		{NoHeader: true, Schema: parseSchema(t, "a INTEGER, b INTEGER")},
	} {
		if _, err := openText(t, "a\n1\n", o); err == nil {
			t.Errorf("%+v is no error", o)
		}
	}
}

func parseSchema(tb testing.TB, text string) *nimble.Type {
	tb.Helper()
	schema, err := nimble.ParseSchema(text)
	if err != nil {
		tb.Fatal(err)
	}
	return schema
}

// TestCSVSchema reads a value of each type that a schema may give.
func TestCSVSchema(t *testing.T) {
	for _, c := range []struct{ typ, in, out string }{
		{"BOOLEAN", "true", "true"},
		{"TINYINT", "-128", "-128"},
		{"SMALLINT", "007", "7"},
		{"INTEGER", "\"5\"", "5"},
		{"BIGINT", "+9223372036854775807", "9223372036854775807"},
		{"REAL", "0.1", "0.1"},
		{"DOUBLE", "1e5", "100000.0"},
		{"VARCHAR", "5", "\"5\""},
		{"VARBINARY", "DEAD00", "dead00"},
		{"VARBINARY", "\"\"", "\"\""},
		{"DATE", "2013-01-31", "2013-01-31"},
		{"TIMESTAMP", "2013-01-31 08:00:00+02:00", "2013-01-31T06:00:00.000000000Z"},
		{"TIMESTAMP(s)", "2013-01-31T08:00:00Z", "2013-01-31T08:00:00Z"},
		{"TIME(ms)", "08:30:00.5", "08:30:00.500"},
		{"DECIMAL(5,2)", "-1.5", "-1.50"},
		{"DECIMAL(5,2)", "-0.05", "-0.05"},
		{"DECIMAL(5,2)", "999.9900", "999.99"},
		{"DECIMAL(38,2)", "-123456789012345678901234567890123456.78", "-123456789012345678901234567890123456.78"},
		{"DECIMAL(38,30)", "1", "1.000000000000000000000000000000"},
		{"DECIMAL(20,0)", "-128", "-128"},
		{"UINT8", "255", "255"},
		{"UINT64", "18446744073709551615", "18446744073709551615"},
		{"JSON", "{}", "{}"},
		{"UUID", "01234567-89AB-cdef-0123-456789abcdef", "01234567-89ab-cdef-0123-456789abcdef"},
	} {
		schema := parseSchema(t, "v "+c.typ)
		if _, out := again(t, column(c.in), Options{Schema: schema}); out != column(c.out) {
			t.Errorf("%s: %q became %q, want %q", c.typ, c.in, out, c.out)
		}
	}
	for _, c := range []struct{ typ, in string }{
		{"BOOLEAN", "1"},
		{"TINYINT", "128"},
		{"INTEGER", "1.0"},
		{"INTEGER", "\"\""},
		{"INTEGER", "1_000"},
		{"BIGINT", "9223372036854775808"},
		{"REAL", "1e39"},
		{"DOUBLE", "0x1p4"},
		{"VARBINARY", "abc"},
		{"VARBINARY", "zz"},
		{"DATE", "2013-1-1"},
		{"TIMESTAMP(s)", "2013-01-31T08:00:00.5Z"},
		{"TIME(ms)", "24:00:00"},
		{"TIME(ms)", "08:30:00.0005"},
		{"DECIMAL(5,2)", "1000"},
		{"DECIMAL(5,2)", "0.001"},
		{"DECIMAL(20,1)", "12345678901234567890"},
		{"UINT8", "256"},
		{"UINT64", "-1"},
		{"JSON", "{"},
		{"UUID", "0123456789abcdef0123456789abcdef"},
	} {
		src, err := openText(t, column(c.in), Options{Schema: parseSchema(t, "v "+c.typ)})
		if err != nil {
			t.Fatal(err)
		}
		if out, err := drain(src, FormatCSV, Options{}); !errors.Is(err, ErrValue) {
			t.Errorf("%s: %q became %q, error %v", c.typ, c.in, out, err)
		}
	}
}

func TestCSVHeader(t *testing.T) {
	if schema, out := again(t, "1,x\n2,y\n", Options{NoHeader: true}); schema.String() !=
		"ROW<column1 INTEGER, column2 VARCHAR>" || out != "1,x\n2,y\n" {
		t.Errorf("%v %q", schema, out)
	}
	o := Options{NoHeader: true, Schema: parseSchema(t, "n BIGINT, s VARCHAR")}
	if schema, out := again(t, "1,x\n2,y\n", o); !schema.Equal(o.Schema) || out != "1,x\n2,y\n" {
		t.Errorf("%v %q", schema, out)
	}
	// Types of some columns, the others inferred.
	o = Options{Schema: parseSchema(t, "b DOUBLE")}
	if schema, _ := again(t, "a,b\n1,2\n", o); schema.String() != "ROW<a INTEGER, b DOUBLE>" {
		t.Error(schema)
	}
}

// TestCSVBuffer has records about as long as the buffer, and longer.
func TestCSVBuffer(t *testing.T) {
	var in strings.Builder
	in.WriteString("a,b\n")
	for _, n := range []int{1, firstBufferBytes - 3, firstBufferBytes, 3 * firstBufferBytes, 100} {
		in.WriteString(strings.Repeat("x", n) + ",\"" + strings.Repeat("y\"\"\n", n) + "\"\n")
	}
	in.WriteString(strings.Repeat("\n", 2*firstBufferBytes) + "end,end\n")
	want := strings.ReplaceAll(in.String(), "\n\n", "")
	if _, out := again(t, in.String(), Options{}); out != want {
		t.Errorf("%d bytes became %d, want %d", in.Len(), len(out), len(want))
	}
}

func TestProject(t *testing.T) {
	src, err := openText(t, "a,b,c\n1,x,true\n2,y,false\n", Options{BatchRows: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := src.Project([]int{3}); err == nil {
		t.Error("column 3 of 3 is no error")
	}
	if err := src.Project([]int{2, 0}); err != nil {
		t.Fatal(err)
	}
	if out, err := drain(src, FormatCSV, Options{}); err != nil || out != "c,a\ntrue,1\nfalse,2\n" {
		t.Errorf("%q %v", out, err)
	}
}
