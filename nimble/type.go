package nimble

import (
	"fmt"
	"slices"
)

// Kind is the physical kind of a column.
type Kind uint8

// The kinds. DedupArray and SlidingWindowMap are read as arrays and maps; they
// differ in how they are stored.
const (
	Boolean Kind = iota + 1
	TinyInt
	SmallInt
	Integer
	BigInt
	Real
	Double
	Varchar
	Varbinary
	Timestamp
	Array
	Map
	Row
	FlatMap
	DedupArray
	SlidingWindowMap
)

var kindNames = [...]string{
	Boolean: "BOOLEAN", TinyInt: "TINYINT", SmallInt: "SMALLINT", Integer: "INTEGER", BigInt: "BIGINT",
	Real: "REAL", Double: "DOUBLE", Varchar: "VARCHAR", Varbinary: "VARBINARY", Timestamp: "TIMESTAMP",
	Array: "ARRAY", Map: "MAP", Row: "ROW",
	FlatMap: "FLATMAP", DedupArray: "DEDUPARRAY", SlidingWindowMap: "WINDOWMAP",
}

// String returns the kind's name as it is written in a schema.
func (k Kind) String() string {
	if k.known() {
		return kindNames[k]
	}
	return fmt.Sprintf("KIND(%d)", uint8(k))
}

func (k Kind) known() bool { return k >= Boolean && int(k) < len(kindNames) }

// Scalar reports whether the kind has one value a row, a timestamp excepted.
func (k Kind) Scalar() bool { return k >= Boolean && k <= Varbinary }

// IsString reports whether the kind is Varchar or Varbinary.
func (k Kind) IsString() bool { return k == Varchar || k == Varbinary }

// children returns how many children a type of the kind has, -1 for any number.
func (k Kind) children() int {
	switch k {
	case Row:
		return -1
	case Array, DedupArray:
		return 1
	case Map, FlatMap, SlidingWindowMap:
		return 2
	default:
		return 0
	}
}

// Attribute is a free text that a schema keeps with a type.
type Attribute struct{ Key, Value string }

// LogicalKey is the key of the attribute that holds a type's logical type.
const LogicalKey = "decant.type"

// Type is a node of a schema. It is not changed once a file or a writer has it.
type Type struct {
	Kind Kind
	// Logical is what the values stand for, in the form that [ParseLogical]
	// reads, such as "date" or "decimal(10,2)"; "" if nothing but the kind. It
	// is kept in the attribute LogicalKey, which is not among Attributes.
	Logical string
	// Names are the names of a row's fields, one for each child. A map that is to
	// be read may have the keys here that are wanted, as text; nil is all.
	Names []string
	// Children are a row's fields, an array's element, or a map's key and value.
	Children   []*Type
	Attributes []Attribute
}

// Limits of a schema.
const (
	// MaxDepth is how deep types may nest, the root included.
	MaxDepth = 64
	// MaxNodes is how many types a schema may have.
	MaxNodes = 1 << 20
)

// RowOf returns a row type; names[i] is the name of children[i].
func RowOf(names []string, children []*Type) *Type {
	return &Type{Kind: Row, Names: names, Children: children}
}

// Equal reports whether two types are the same in all they hold.
func (t *Type) Equal(u *Type) bool {
	if t == nil || u == nil {
		return t == u
	}
	return t.Kind == u.Kind && t.Logical == u.Logical && slices.Equal(t.Names, u.Names) &&
		slices.Equal(t.Attributes, u.Attributes) &&
		slices.EqualFunc(t.Children, u.Children, (*Type).Equal)
}

// Field returns the place of the first field of that name in a row, -1 if there
// is none.
func (t *Type) Field(name string) int { return slices.Index(t.Names, name) }

// Validate checks that the tree under t is well formed and within the limits.
// Its errors wrap [ErrSchema].
func (t *Type) Validate() error { return (&validator{}).check(t, 1) }

// validateRead is Validate for a type that is to be read, whose maps may name the
// keys that are wanted.
func (t *Type) validateRead() error { return (&validator{keys: true}).check(t, 1) }

// validator checks the types of a tree.
type validator struct {
	keys  bool // maps may have names
	nodes int
}

func (v *validator) check(t *Type, depth int) error {
	if t == nil {
		return fmt.Errorf("%w: a type is missing", ErrSchema)
	}
	if depth > MaxDepth {
		return fmt.Errorf("%w: types nest deeper than %d", ErrSchema, MaxDepth)
	}
	if v.nodes++; v.nodes > MaxNodes {
		return fmt.Errorf("%w: more than %d types", ErrSchema, MaxNodes)
	}
	if err := t.validateNode(v.keys); err != nil {
		return err
	}
	for i, c := range t.Children {
		if err := v.check(c, depth+1); err != nil {
			if t.Kind == Row {
				return fmt.Errorf("%s: %w", t.Names[i], err)
			}
			return err
		}
	}
	return nil
}

// validateNode checks t without its children. A map may have names if keys is set.
func (t *Type) validateNode(keys bool) error {
	if !t.Kind.known() {
		return fmt.Errorf("%w: unknown kind %d", ErrSchema, uint8(t.Kind))
	}
	if want := t.Kind.children(); want >= 0 && len(t.Children) != want {
		return fmt.Errorf("%w: %v with %d children instead of %d", ErrSchema, t.Kind, len(t.Children), want)
	}
	names := 0
	switch {
	case t.Kind == Row:
		names = len(t.Children)
	case keys && plainKind(t.Kind) == Map:
		names = len(t.Names)
	}
	if len(t.Names) != names {
		return fmt.Errorf("%w: %v of %d children has %d names", ErrSchema, t.Kind, len(t.Children), len(t.Names))
	}
	if t.Kind == FlatMap {
		if key := t.Children[0]; key == nil || !flatKey(key.Kind) {
			return fmt.Errorf("%w: a flat map's keys must be integers or strings", ErrSchema)
		}
	}
	if t.Logical == "" {
		return nil
	}
	l, err := ParseLogical(t.Logical)
	if err != nil {
		return err
	}
	if l.Storage() != t.Kind {
		return fmt.Errorf("%w: %s is stored as %v, not as %v", ErrSchema, t.Logical, l.Storage(), t.Kind)
	}
	return nil
}

// flatKey reports whether a flat map may have keys of kind k.
func flatKey(k Kind) bool { return k >= TinyInt && k <= BigInt || k.IsString() }
