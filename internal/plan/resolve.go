package plan

import (
	"strings"

	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/sql"
)

// resolver rewrites trees: identifiers take the schema's case and lose the
// table's name, aliases become what they stand for, arithmetic on literals is
// done. Equal expressions then have equal trees.
type resolver struct {
	table   string
	columns []TableColumn
	byName  map[string]int // lower-case name to index
	aliases map[string]sql.Expr
	// nullsOff says that null handling is off.
	nullsOff bool
	// meter watches what is worked out here; nil for none.
	meter *fn.Meter
}

func newResolver(table string, columns []TableColumn) *resolver {
	r := &resolver{table: table, columns: columns, byName: map[string]int{}, aliases: map[string]sql.Expr{}}
	for i, c := range columns {
		lower := strings.ToLower(c.Name)
		if _, taken := r.byName[lower]; !taken {
			r.byName[lower] = i
		}
	}
	return r
}

// lookup returns the index of a column, by its exact name or else by its name
// in any case.
func (r *resolver) lookup(name string) (int, bool) {
	for i, c := range r.columns {
		if c.Name == name {
			return i, true
		}
	}
	i, ok := r.byName[strings.ToLower(name)]
	return i, ok
}

// withAliases says which parts of a query may use the aliases of its SELECT.
type withAliases bool

func (r *resolver) expr(e sql.Expr, aliases withAliases) (sql.Expr, error) {
	switch e := e.(type) {
	case *sql.Identifier:
		return r.identifier(e, aliases)
	case *sql.Call:
		args := make([]sql.Expr, len(e.Args))
		for i, a := range e.Args {
			if id, ok := a.(*sql.Identifier); ok && id.Name == "*" {
				args[i] = a
				continue
			}
			arg, err := r.expr(a, aliases)
			if err != nil {
				return nil, err
			}
			args[i] = arg
		}
		call := &sql.Call{At: e.At, Name: e.Name, Args: args, Distinct: e.Distinct}
		return r.fold(linear(r.countAll(r.overElements(call))))
	}
	return e, nil
}

func (r *resolver) identifier(id *sql.Identifier, aliases withAliases) (sql.Expr, error) {
	if aliases {
		if e, ok := r.aliases[id.Name]; ok {
			return e, nil
		}
	}
	name := id.Name
	i, ok := r.lookup(name)
	if !ok && len(name) > len(r.table) && strings.EqualFold(name[:len(r.table)], r.table) && name[len(r.table)] == '.' {
		i, ok = r.lookup(name[len(r.table)+1:])
	}
	if ok {
		return &sql.Identifier{At: id.At, Name: r.columns[i].Name}, nil
	}
	if v := virtualColumn(name); v != nil {
		return &sql.Identifier{At: id.At, Name: v.Name}, nil
	}
	if strings.HasPrefix(name, "$") {
		return nil, notRun(id.At, "virtual column "+name)
	}
	return nil, errorAt(id.At, ErrUnknownColumn, "unknown column %q, the table has %s", name, r.columnList())
}

// columnList names the table's columns, not too many of them.
func (r *resolver) columnList() string {
	const most = 30
	var names []string
	for i, c := range r.columns {
		if i == most {
			names = append(names, "...")
			break
		}
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}
