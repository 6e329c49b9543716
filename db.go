package decant

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/internal/exec"
	"github.com/decantdb/decant/internal/fn"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/internal/sql"
)

const (
	// pinotLimit is how many rows Pinot returns when a query does not say.
	pinotLimit = 10
	// pinotGroups is how many groups Pinot keeps when a query does not say.
	pinotGroups = 100_000
)

// DB is open files as tables. It may be used by several goroutines.
type DB struct {
	options Options
	memory  exec.Memory // of the workers, from query to query
	budget  *fn.Budget  // of all queries
	tables  []*table
	closed  atomic.Bool
}

// OpenFiles opens files with the default options. See [Open].
func OpenFiles(specs ...string) (*DB, error) {
	return Open(context.Background(), Options{}, specs...)
}

// Open opens files as tables. Each spec is [NAME=]FILE or [NAME=]FOLDER: a folder is
// its files named .nimble, .parquet, .csv or .jsonl, in the order of their names. Without a name the
// table has that of the file, without folders and the last extension. A file
// whose own name has an equals sign is meant if it exists. Files of one name are
// one table, their rows in the order of the specs. Their columns have the same
// names, and types of which one holds the values of the other exactly, such as
// INTEGER and BIGINT; otherwise the error wraps [ErrSchemas].
//
// A file's content says whether it is Nimble, Parquet or CSV. All of a CSV file
// is read to learn its types; ctx ends that early.
func Open(ctx context.Context, o Options, specs ...string) (*DB, error) {
	db := &DB{options: o, budget: fn.NewBudget("all queries", limitOr(o.MemoryBytes, defaultMemoryBytes), nil)}
	db.memory.LimitBytes = o.PoolLimitBytes
	for _, spec := range specs {
		if err := db.add(ctx, spec); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	for _, t := range db.tables {
		if err := t.unify(ctx); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

func (db *DB) add(ctx context.Context, spec string) error {
	name, path := splitSpec(spec)
	if name == "" {
		return fmt.Errorf("%q: the table has no name: write NAME=FILE", spec)
	}
	paths, err := filesOf(path)
	if err != nil {
		return err
	}
	t := db.exact(name)
	if t == nil {
		t = &table{name: name, memory: &db.memory}
		db.tables = append(db.tables, t)
	}
	for _, path := range paths {
		f, err := openFile(ctx, path, db.options)
		if err != nil {
			return err
		}
		t.add(f)
	}
	return nil
}

// filesOf returns the files of a folder whose names are those of tables, in the order
// of the names, or, if it is no folder, the path itself.
func filesOf(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, nil // openFile says what is wrong
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		switch convert.FormatOfName(e.Name()) {
		case convert.FormatNimble, convert.FormatParquet, convert.FormatCSV, convert.FormatJSONL:
			if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
				paths = append(paths, filepath.Join(path, e.Name()))
			}
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: the folder has no file named .nimble, .parquet, .csv or .jsonl", path)
	}
	return paths, nil
}

// splitSpec returns the table's name and the file of a spec.
func splitSpec(spec string) (name, path string) {
	if before, after, named := strings.Cut(spec, "="); named {
		if _, err := os.Stat(spec); err != nil {
			return before, after
		}
	}
	base := filepath.Base(spec)
	return strings.TrimSuffix(base, filepath.Ext(base)), spec
}

// Close closes the files. Answers that are still open must be closed before.
func (db *DB) Close() error {
	if db.closed.Swap(true) {
		return nil
	}
	var errs []error
	for _, t := range db.tables {
		for _, f := range t.files {
			errs = append(errs, f.close())
		}
	}
	return errors.Join(errs...)
}

// Tables returns the tables' names in the order of the specs.
func (db *DB) Tables() []string {
	names := make([]string, len(db.tables))
	for i, t := range db.tables {
		names[i] = t.name
	}
	return names
}

func (db *DB) exact(name string) *table {
	for _, t := range db.tables {
		if t.name == name {
			return t
		}
	}
	return nil
}

// lookup returns the table of that name or, as in Pinot, of that name in any
// case.
func (db *DB) lookup(name string, at sql.Pos) (*table, error) {
	if t := db.exact(name); t != nil {
		return t, nil
	}
	// Pinot's own name of the table has its database before it and its type behind it.
	plain := strings.TrimSuffix(strings.TrimPrefix(name, "default."), "_OFFLINE")
	for _, t := range db.tables {
		if strings.EqualFold(t.name, name) || strings.EqualFold(t.name, plain) {
			return t, nil
		}
	}
	return nil, &SQLError{
		Line: at.Line, Column: at.Column, Err: ErrUnknownTable,
		Msg: fmt.Sprintf("unknown table %q, %s", name, db.tableList()),
	}
}

// tableList says which tables there are.
func (db *DB) tableList() string {
	switch names := db.Tables(); len(names) {
	case 0:
		return "there are none"
	case 1:
		return "there is " + names[0]
	default:
		return "there are " + strings.Join(names, ", ")
	}
}

// Query starts a query and returns its answer, which the caller closes. The
// query stops when ctx ends. What is wrong with the text is a [*SQLError]; what
// goes wrong later is an error of the answer.
func (db *DB) Query(ctx context.Context, text string) (*Rows, error) {
	return db.QueryWith(ctx, text, nil)
}

// QueryWith is Query with options that were not part of the text. They count for
// more than those of its SET statements; names are taken in any case, and what is
// not known is ignored.
func (db *DB) QueryWith(ctx context.Context, text string, options map[string]string) (*Rows, error) {
	if db.closed.Load() {
		return nil, fmt.Errorf("decant: %w", ErrClosed)
	}
	statement, err := sql.Parse(text)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(options)) {
		statement.Options = append(statement.Options, sql.Option{Key: key, Value: options[key]})
	}
	t := &table{}
	if q := statement.Query; q != nil && q.From != nil && q.From.Query == nil {
		if t, err = db.lookup(q.From.Table, q.From.At); err != nil {
			return nil, err
		}
	}
	o := plan.Options{DefaultLimit: -1, ZeroKeys: db.options.ZeroKeys}
	if db.options.PinotDefaults {
		o.DefaultLimit, o.GroupsLimit, o.NullsOff = pinotLimit, pinotGroups, !db.options.HandleNulls
	}
	budget := fn.NewBudget("the query", limitOr(db.options.QueryMemoryBytes, defaultQueryMemoryBytes), db.budget)
	o.Meter = fn.NewMeter(ctx, budget)
	q, err := plan.Compile(statement, t.name, t.columns, o)
	if err != nil {
		budget.Release()
		return nil, err
	}
	rows, err := newRows(ctx, db.options, t, q, budget)
	if err != nil {
		budget.Release()
	}
	return rows, err
}
