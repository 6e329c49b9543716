package cli

import (
	"strings"
	"testing"
)

func TestReadSchema(t *testing.T) {
	const want = "ROW<a INTEGER, b DECIMAL(10,2), \"c d\" DATE>"
	for _, text := range []string{
		"a INTEGER, b DECIMAL(10,2), \"c d\" DATE",
		want,
		"a INTEGER\nb DECIMAL(10,2)\n\"c d\" DATE\n",
		"\r\na INTEGER \r\n\r\nb DECIMAL(10, 2)\r\n\"c d\" DATE",
		"a INTEGER,\nb DECIMAL(10,2),\n\"c d\" DATE,\n",
		"ROW<a INTEGER,\nb DECIMAL(10,2),\n\"c d\" DATE>\n",
	} {
		schema, err := readSchema("@" + write(t, "schema.ddl", text))
		if err != nil || schema.String() != want {
			t.Errorf("%q: %v %v", text, schema, err)
		}
	}
	for text, want := range map[string]string{
		"a INT":                   ": for INT write INTEGER",
		"a long, b BIGINT":        ": for LONG write BIGINT",
		"b BIGINT, a string":      ": for STRING write VARCHAR",
		"a FLOAT":                 ": for FLOAT write DOUBLE (64 bits) or REAL (32 bits)",
		"a NUMERIC(10,2)":         ": for NUMERIC write DECIMAL(p,s)",
		"a DECIMAL":               ": for DECIMAL write DECIMAL(p,s)",
		"a VARCHAR(20)":           ": for VARCHAR write VARCHAR without a length",
		"a WHAT":                  "JSON and UUID, with s, ms, us or ns as unit",
		"a":                       "",
		"a BIGINT\nb TEXT\n":      ": for TEXT write VARCHAR",
		"a BIGINT,\nb DATETIME\n": ": for DATETIME write TIMESTAMP",
	} {
		if _, err := readSchema(text); err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestTypeAliases wants each advice that is a type alone to be one.
func TestTypeAliases(t *testing.T) {
	known := 0
	for alias, name := range typeAliases {
		if strings.ContainsAny(name, " <") || strings.Contains(name, "(p,s)") {
			continue
		}
		known++
		if _, err := readSchema("a " + name); err != nil {
			t.Errorf("%s: %v", alias, err)
		}
	}
	if known < 20 {
		t.Errorf("%d aliases checked", known)
	}
}

func TestSchemaTypes(t *testing.T) {
	help := mustRun(t, "convert", "--help")
	for _, name := range []string{
		"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UINT8", "UINT64", "REAL", "DOUBLE", "DECIMAL(5,2)",
		"VARCHAR", "VARBINARY", "DATE", "TIME(us)", "TIMESTAMP", "TIMESTAMP(ms)", "JSON", "UUID",
	} {
		if _, err := readSchema("a " + name); err != nil {
			t.Error(err)
		}
		if word, _, _ := strings.Cut(name, "("); !strings.Contains(help, word) {
			t.Errorf("the help does not name %s", word)
		}
	}
}

func TestSchemaIsForCSV(t *testing.T) {
	csv := write(t, "in.csv", "a\n1\n")
	for _, name := range []string{"t.nimble", "t.parquet"} {
		in := csv + name
		mustRun(t, "convert", csv, in)
		want := "decant: " + in + ": --schema is for CSV text and JSON lines alone\n"
		if _, stderr, code := run(t, "convert", "--schema", "a BIGINT", in, in+".csv"); code != ExitFailed || stderr != want {
			t.Errorf("code %d, %s", code, stderr)
		}
	}
}
