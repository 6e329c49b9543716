package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/decantdb/decant/nimble"
)

// ErrSchema means that a schema or a table config is not one of Pinot's, or not
// one that is kept here.
var ErrSchema = errors.New("invalid schema")

func schemaf(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSchema, fmt.Sprintf(format, args...))
}

// Type is the data type of a field.
type Type uint8

// The data types.
const (
	Int Type = iota
	Long
	Float
	Double
	BigDecimal
	Boolean
	Timestamp
	String
	JSON
	Bytes
)

var typeNames = [...]string{
	Int: "INT", Long: "LONG", Float: "FLOAT", Double: "DOUBLE", BigDecimal: "BIG_DECIMAL", Boolean: "BOOLEAN",
	Timestamp: "TIMESTAMP", String: "STRING", JSON: "JSON", Bytes: "BYTES",
}

// String returns Pinot's name of the type.
func (t Type) String() string { return typeNames[t] }

// Role is what a field is in a table.
type Role uint8

// The roles.
const (
	Dimension Role = iota
	Metric
	DateTime
)

// Field is a column of a schema.
type Field struct {
	Name  string
	Type  Type
	Multi bool // several values a row
	Role  Role
	// Default is the text of the value that is stored for null, "" for the one
	// that Pinot has for the type and role.
	Default   string
	MaxLength int // of texts, in characters
}

// Schema is a Pinot schema.
type Schema struct {
	Name   string
	Fields []Field
	// NullHandling says that the schema wants nulls to be kept.
	NullHandling bool
	// Raw is the schema as it was given.
	Raw json.RawMessage
}

// fieldSpec is a field as JSON.
type fieldSpec struct {
	Name             string          `json:"name"`
	DataType         string          `json:"dataType"`
	SingleValueField *bool           `json:"singleValueField"`
	DefaultNullValue json.RawMessage `json:"defaultNullValue"`
	MaxLength        int             `json:"maxLength"`
}

type schemaSpec struct {
	SchemaName                    string      `json:"schemaName"`
	EnableColumnBasedNullHandling bool        `json:"enableColumnBasedNullHandling"`
	DimensionFieldSpecs           []fieldSpec `json:"dimensionFieldSpecs"`
	MetricFieldSpecs              []fieldSpec `json:"metricFieldSpecs"`
	DateTimeFieldSpecs            []fieldSpec `json:"dateTimeFieldSpecs"`
	ComplexFieldSpecs             []fieldSpec `json:"complexFieldSpecs"`
	TimeFieldSpec                 *struct {
		IncomingGranularitySpec fieldSpec  `json:"incomingGranularitySpec"`
		OutgoingGranularitySpec *fieldSpec `json:"outgoingGranularitySpec"`
	} `json:"timeFieldSpec"`
}

// defaultMaxLength is how many characters of a text Pinot keeps.
const defaultMaxLength = 512

// tableName is what tables may be called: names that are safe as a folder's.
var tableName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$`)

// ParseSchema reads a Pinot schema. Errors wrap [ErrSchema].
func ParseSchema(data []byte) (*Schema, error) {
	var spec schemaSpec
	if err := json.Unmarshal(data, &spec); err != nil {
		return nil, schemaf("%v", err)
	}
	if !tableName.MatchString(spec.SchemaName) {
		return nil, schemaf("schemaName %q is no name of letters, digits, _ and -", spec.SchemaName)
	}
	if len(spec.ComplexFieldSpecs) > 0 {
		return nil, schemaf("field %s: complex fields are not kept", spec.ComplexFieldSpecs[0].Name)
	}
	s := &Schema{Name: spec.SchemaName, NullHandling: spec.EnableColumnBasedNullHandling, Raw: data}
	if t := spec.TimeFieldSpec; t != nil {
		out := t.IncomingGranularitySpec
		if t.OutgoingGranularitySpec != nil {
			out = *t.OutgoingGranularitySpec
		}
		spec.DateTimeFieldSpecs = append(spec.DateTimeFieldSpecs, out)
	}
	for role, fields := range [][]fieldSpec{spec.DimensionFieldSpecs, spec.MetricFieldSpecs, spec.DateTimeFieldSpecs} {
		for _, f := range fields {
			if err := s.add(f, Role(role)); err != nil {
				return nil, err
			}
		}
	}
	if len(s.Fields) == 0 {
		return nil, schemaf("there are no fields")
	}
	return s, nil
}

func (s *Schema) add(spec fieldSpec, role Role) error {
	f := Field{Name: spec.Name, Role: role, MaxLength: spec.MaxLength}
	f.Multi = spec.SingleValueField != nil && !*spec.SingleValueField
	if f.MaxLength == 0 {
		f.MaxLength = defaultMaxLength
	}
	found := false
	for t, name := range typeNames {
		if strings.EqualFold(name, spec.DataType) {
			f.Type, found = Type(t), true
		}
	}
	switch {
	case f.Name == "" || strings.HasPrefix(f.Name, "$"):
		return schemaf("a field may not be called %q", f.Name)
	case s.Field(f.Name) >= 0:
		return schemaf("there are two fields %s", f.Name)
	case !found:
		return schemaf("field %s: unknown dataType %q", f.Name, spec.DataType)
	case f.Multi && (role != Dimension || f.Type == BigDecimal || f.Type == JSON):
		return schemaf("field %s: a %v of this kind has one value", f.Name, f.Type)
	case len(spec.DefaultNullValue) > 0:
		if json.Unmarshal(spec.DefaultNullValue, &f.Default) != nil {
			f.Default = string(spec.DefaultNullValue) // a number or a truth
		}
		var c cell
		if err := c.parse(f.Type, f.Default); err != nil {
			return schemaf("field %s: defaultNullValue: %v", f.Name, err)
		}
	}
	s.Fields = append(s.Fields, f)
	return nil
}

// Field returns the index of a field, -1 if there is none of that name.
func (s *Schema) Field(name string) int {
	for i, f := range s.Fields {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// storedKinds are the kinds of column that types are stored as.
var storedKinds = [...]nimble.Kind{
	Int: nimble.Integer, Long: nimble.BigInt, Float: nimble.Real, Double: nimble.Double, BigDecimal: nimble.Varchar,
	Boolean: nimble.Boolean, Timestamp: nimble.Timestamp, String: nimble.Varchar, JSON: nimble.Varchar, Bytes: nimble.Varbinary,
}

// Stored returns the type of the segments' rows.
func (s *Schema) Stored() *nimble.Type {
	row := &nimble.Type{Kind: nimble.Row}
	for _, f := range s.Fields {
		t := &nimble.Type{Kind: storedKinds[f.Type]}
		if f.Type == JSON {
			t.Logical = "json"
		}
		if f.Multi {
			t = &nimble.Type{Kind: nimble.Array, Children: []*nimble.Type{t}}
		}
		row.Names, row.Children = append(row.Names, f.Name), append(row.Children, t)
	}
	return row
}

// DefaultText returns the text of the value that is stored for null.
func (f *Field) DefaultText() string {
	if f.Default != "" {
		return f.Default
	}
	if f.Role == Metric {
		switch f.Type {
		case Int, Long, Float, Double, BigDecimal:
			return "0"
		}
		return ""
	}
	switch f.Type {
	case Int:
		return "-2147483648"
	case Long:
		return "-9223372036854775808"
	case Float, Double:
		return "-Infinity"
	case BigDecimal, Timestamp:
		return "0"
	case Boolean:
		return "false"
	case Bytes:
		return ""
	}
	return "null"
}

// Config is what counts of a Pinot table config.
type Config struct {
	Name         string // without the type's suffix
	NullHandling bool
	Raw          json.RawMessage
}

// ParseConfig reads a Pinot table config. Errors wrap [ErrSchema].
func ParseConfig(data []byte) (*Config, error) {
	var spec struct {
		TableName        string `json:"tableName"`
		TableType        string `json:"tableType"`
		TableIndexConfig struct {
			NullHandlingEnabled bool `json:"nullHandlingEnabled"`
		} `json:"tableIndexConfig"`
	}
	if err := json.Unmarshal(data, &spec); err != nil {
		return nil, schemaf("table config: %v", err)
	}
	c := &Config{Name: strings.TrimSuffix(spec.TableName, "_OFFLINE"), NullHandling: spec.TableIndexConfig.NullHandlingEnabled, Raw: data}
	switch {
	case spec.TableType != "" && !strings.EqualFold(spec.TableType, "OFFLINE"):
		return nil, schemaf("table config: tableType %s: only OFFLINE tables are kept", spec.TableType)
	case !tableName.MatchString(c.Name):
		return nil, schemaf("table config: tableName %q is no name of letters, digits, _ and -", spec.TableName)
	}
	return c, nil
}

// newConfig makes up the config of a table.
func newConfig(name string, nullHandling bool) *Config {
	raw, err := json.MarshalIndent(map[string]any{
		"tableName": name + "_OFFLINE", "tableType": "OFFLINE",
		"segmentsConfig":   map[string]any{"replication": "1", "segmentPushType": "APPEND"},
		"tenants":          map[string]any{"broker": "DefaultTenant", "server": "DefaultTenant"},
		"tableIndexConfig": map[string]any{"loadMode": "MMAP", "nullHandlingEnabled": nullHandling},
		"metadata":         map[string]any{},
	}, "", "  ")
	if err != nil {
		panic(err) // texts and truths alone
	}
	return &Config{Name: name, NullHandling: nullHandling, Raw: raw}
}
