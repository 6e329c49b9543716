package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrExists means that there is a table or schema of that name.
var ErrExists = errors.New("exists already")

// ErrNotFound means that there is no table or schema of that name.
var ErrNotFound = errors.New("not found")

// Data is a directory of tables. It may be used by several goroutines and
// processes.
type Data struct{ dir string }

// schemas is the folder of schemas without a table.
const schemas = ".schemas"

// OpenData returns a directory of tables, which is made if it does not exist.
func OpenData(dir string) (*Data, error) {
	if dir == "" {
		return nil, errors.New("table: the data directory has no name")
	}
	return &Data{dir}, os.MkdirAll(dir, 0o755)
}

// Names returns the names of all tables, sorted.
func (d *Data) Names() ([]string, error) {
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && tableName.MatchString(e.Name()) && exists(filepath.Join(d.dir, e.Name(), "schema.json")) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Create makes a table of a schema. Without a config it has the schema's name and
// handles nulls if the schema says so. Errors wrap [ErrExists] or [ErrSchema].
func (d *Data) Create(name string, s *Schema, c *Config) (*Table, error) {
	if !tableName.MatchString(name) {
		return nil, schemaf("%q is no name of letters, digits, _ and -", name)
	}
	if c == nil {
		c = newConfig(name, s.NullHandling)
	}
	if names, err := d.Names(); err != nil {
		return nil, err
	} else if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }) {
		return nil, fmt.Errorf("table %s %w", name, ErrExists)
	}
	temporary, err := os.MkdirTemp(d.dir, ".new-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	for file, data := range map[string]json.RawMessage{"schema.json": s.Raw, "table.json": c.Raw} {
		if err := writeFile(filepath.Join(temporary, file), data); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(temporary, 0o755); err != nil {
		return nil, err
	}
	if err := os.Rename(temporary, filepath.Join(d.dir, name)); err != nil {
		if exists(filepath.Join(d.dir, name)) {
			return nil, fmt.Errorf("table %s %w", name, ErrExists)
		}
		return nil, err
	}
	return d.Open(name)
}

// writeFile writes a file and waits until it is on the disk.
func writeFile(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// Open opens a table, whose name may be in any case. Errors wrap [ErrNotFound] or
// [ErrSchema].
func (d *Data) Open(name string) (*Table, error) {
	names, err := d.Names()
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	if at < 0 {
		return nil, fmt.Errorf("table %s %w", name, ErrNotFound)
	}
	t := &Table{Name: names[at], dir: filepath.Join(d.dir, names[at])}
	raw, err := os.ReadFile(filepath.Join(t.dir, "schema.json"))
	if err != nil {
		return nil, err
	}
	if t.Schema, err = ParseSchema(raw); err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Name, err)
	}
	if raw, err = os.ReadFile(filepath.Join(t.dir, "table.json")); err != nil {
		return nil, err
	}
	if t.Config, err = ParseConfig(raw); err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Name, err)
	}
	return t, nil
}

// Drop removes a table: at once for who opens it later, and then its files.
func (d *Data) Drop(name string) error {
	t, err := d.Open(name)
	if err != nil {
		return err
	}
	gone, err := os.MkdirTemp(d.dir, ".gone-*")
	if err != nil {
		return err
	}
	if err := os.Rename(t.dir, filepath.Join(gone, t.Name)); err != nil {
		return errors.Join(err, os.Remove(gone))
	}
	return os.RemoveAll(gone)
}

// Schema returns the schema of a table, or one that was put here.
func (d *Data) Schema(name string) (*Schema, error) {
	if t, err := d.Open(name); !errors.Is(err, ErrNotFound) {
		if err != nil {
			return nil, err
		}
		return t.Schema, nil
	}
	if !tableName.MatchString(name) {
		return nil, fmt.Errorf("schema %s %w", name, ErrNotFound)
	}
	raw, err := os.ReadFile(filepath.Join(d.dir, schemas, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("schema %s %w", name, ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return ParseSchema(raw)
}

// PutSchema keeps a schema for a table to come. One of the same name is replaced,
// unless a table has it.
func (d *Data) PutSchema(s *Schema) error {
	if _, err := d.Open(s.Name); err == nil {
		return fmt.Errorf("schema %s %w", s.Name, ErrExists)
	}
	dir := filepath.Join(d.dir, schemas)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(s.Raw)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, s.Name+".json"))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// DropSchema removes a schema that no table has.
func (d *Data) DropSchema(name string) error {
	if _, err := d.Open(name); err == nil {
		return fmt.Errorf("schema %s is in use: drop the table first", name)
	}
	if !tableName.MatchString(name) {
		return fmt.Errorf("schema %s %w", name, ErrNotFound)
	}
	err := os.Remove(filepath.Join(d.dir, schemas, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("schema %s %w", name, ErrNotFound)
	}
	return err
}

// SchemaNames returns the names of all schemas, of tables and others, sorted.
func (d *Data) SchemaNames() ([]string, error) {
	names, err := d.Names()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(d.dir, schemas, "*.json"))
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	slices.Sort(names)
	return slices.Compact(names), err
}
