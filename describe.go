package decant

import "os"

// Table describes a table of a database.
type Table struct {
	Name string
	// Columns are in the order in which SELECT * has them in the file.
	Columns []Column
	Files   []TableFile
}

// TableFile is a file of a table.
type TableFile struct {
	Path  string
	Bytes int64
}

// Describe returns what tables there are, in the order of the specs.
func (db *DB) Describe() []Table {
	tables := make([]Table, len(db.tables))
	for i, t := range db.tables {
		tables[i].Name = t.name
		for _, c := range t.columns {
			if !c.Hidden {
				tables[i].Columns = append(tables[i].Columns, Column{Name: c.Name, Type: c.Type.String()})
			}
		}
		for _, f := range t.files {
			if f.path() == "" {
				continue
			}
			file := TableFile{Path: f.path()}
			if info, err := os.Stat(f.path()); err == nil {
				file.Bytes = info.Size()
			}
			tables[i].Files = append(tables[i].Files, file)
		}
	}
	return tables
}
