package cli

import (
	"regexp"
	"strings"

	"github.com/decantdb/decant/nimble"
)

// schemaTypes are the types that --schema knows for fields of CSV.
const schemaTypes = `BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT (8 to 64 bits), UINT8 to UINT64, REAL,
DOUBLE, DECIMAL(p,s), VARCHAR, VARBINARY, DATE, TIME(unit), TIMESTAMP, TIMESTAMP(unit),
JSON and UUID, with s, ms, us or ns as unit`

// typeAliases are names that types have elsewhere, and what to write.
var typeAliases = map[string]string{
	"BOOL": "BOOLEAN", "BIT": "BOOLEAN", "LOGICAL": "BOOLEAN",
	"BYTE": "TINYINT", "SHORT": "SMALLINT", "INT16": "SMALLINT", "INT2": "SMALLINT",
	"INT": "INTEGER", "INT32": "INTEGER", "INT4": "INTEGER", "MEDIUMINT": "INTEGER",
	"LONG": "BIGINT", "INT64": "BIGINT", "INT8": "BIGINT (64 bits) or TINYINT (8 bits)",
	"FLOAT": "DOUBLE (64 bits) or REAL (32 bits)", "FLOAT32": "REAL", "FLOAT4": "REAL",
	"FLOAT64": "DOUBLE", "FLOAT8": "DOUBLE", "NUMBER": "DOUBLE or DECIMAL(p,s)",
	"NUMERIC": "DECIMAL(p,s)", "DECIMAL": "DECIMAL(p,s)", "BIG_DECIMAL": "DECIMAL(p,s)",
	"STRING": "VARCHAR", "STR": "VARCHAR", "TEXT": "VARCHAR", "CHAR": "VARCHAR", "UTF8": "VARCHAR", "NVARCHAR": "VARCHAR",
	"BYTES": "VARBINARY", "BINARY": "VARBINARY", "BLOB": "VARBINARY", "BYTEA": "VARBINARY",
	"DATETIME": "TIMESTAMP", "TIMESTAMPTZ": "TIMESTAMP", "DATE32": "DATE", "TIME": "TIME(ms)",
	"VARCHAR": "VARCHAR without a length", "VARBINARY": "VARBINARY without a length",
	"INTEGER": "INTEGER without a length", "BIGINT": "BIGINT without a length", "DOUBLE": "DOUBLE alone",
	"LIST": "ARRAY<type>", "STRUCT": "ROW<name type, ...>",
}

// wrongType finds the word that is no type in an error of the package nimble.
var wrongType = regexp.MustCompile(`"(\w+)[^"]*" is not a type|unknown logical type "(\w+)`)

// readSchema reads the value of --schema.
func readSchema(text string) (*nimble.Type, error) {
	from := "--schema"
	if name, ok := strings.CutPrefix(text, "@"); ok {
		var err error
		if text, err = readText(name); err != nil {
			return nil, err
		}
		from = name
	}
	t, err := nimble.ParseSchema(text)
	if err != nil {
		listed, listErr := nimble.ParseSchema(joinLines(text))
		if listErr == nil {
			return listed, nil
		}
		if !strings.Contains(text, ",") {
			err = listErr
		}
		return nil, usagef("%s: %w%s", from, err, typeHint(err))
	}
	return t, nil
}

// joinLines puts commas between lines that have a column each.
func joinLines(text string) string {
	var columns []string
	for line := range strings.Lines(text) {
		if column := strings.TrimRight(strings.TrimSpace(line), ", "); column != "" {
			columns = append(columns, column)
		}
	}
	return strings.Join(columns, ", ")
}

// typeHint says what to write in the place of what is no type, "" if err is about
// something else.
func typeHint(err error) string {
	match := wrongType.FindStringSubmatch(err.Error())
	if match == nil {
		return ""
	}
	word := match[1] + match[2]
	if name, ok := typeAliases[strings.ToUpper(word)]; ok {
		return ": for " + strings.ToUpper(word) + " write " + name
	}
	return ": want one of " + strings.Join(strings.Fields(schemaTypes), " ")
}
