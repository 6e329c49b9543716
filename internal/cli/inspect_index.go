package cli

import (
	"fmt"
	"strings"

	"github.com/decantdb/decant/nimble"
)

// indexReport is an index of a file.
type indexReport struct {
	Kind    string            `json:"kind"`
	Columns []indexColumn     `json:"columns"`
	Keys    uint64            `json:"keys"`
	Parts   []indexPartReport `json:"parts"`
}

type indexColumn struct {
	Name       string `json:"name"`
	Descending bool   `json:"descending,omitempty"`
}

type indexPartReport struct {
	Pos   uint64 `json:"pos"`
	Bytes uint64 `json:"bytes"`
	Keys  uint64 `json:"keys,omitempty"`
}

type indexesReport struct {
	Indexes  []indexReport `json:"indexes"`
	Warnings []string      `json:"warnings,omitempty"` // indexes that cannot be used
}

func (f *nimbleFile) reportIndex() (report, error) {
	r := &indexesReport{Indexes: []indexReport{}}
	indexes, errs := f.nimble.Indexes()
	for _, err := range errs {
		r.Warnings = append(r.Warnings, err.Error())
	}
	for _, x := range indexes {
		one := indexReport{Kind: x.Kind.String(), Keys: x.Keys, Parts: []indexPartReport{}}
		for i, name := range x.Columns {
			one.Columns = append(one.Columns, indexColumn{name, x.Orders[i].Descending})
		}
		for _, p := range x.Parts {
			one.Parts = append(one.Parts, indexPartReport{p.Pos, p.Len, p.Keys})
		}
		r.Indexes = append(r.Indexes, one)
	}
	return r, nil
}

func (r *indexesReport) print(c *console) error {
	for _, w := range r.Warnings {
		fmt.Fprintf(c.stdout, "warning: %s\n", visible(w, escapeLines))
	}
	if len(r.Indexes) == 0 {
		_, err := fmt.Fprintln(c.stdout, "the file has no index that can be used")
		return err
	}
	for _, x := range r.Indexes {
		names := make([]string, len(x.Columns))
		for i, column := range x.Columns {
			names[i] = column.Name
			if column.Descending {
				names[i] += " descending"
			}
		}
		fmt.Fprintf(c.stdout, "%s index of %s: %s\n", x.Kind, visible(strings.Join(names, ", "), escapeLines), counted(int64(x.Keys), "key"))
		g := newReportGrid(c, gridColumn{"part", true}, gridColumn{"position", true}, gridColumn{"bytes", true}, gridColumn{"keys", true})
		for i, p := range x.Parts {
			keys := ""
			if p.Keys > 0 || x.Kind != nimble.HashIndex.String() {
				keys = grouped(int64(p.Keys))
			}
			row := []cell{{text: fmt.Sprint(i)}, {text: grouped(int64(p.Pos))}, {text: grouped(int64(p.Bytes))}, {text: keys}}
			if err := g.add(row); err != nil {
				return err
			}
		}
		if err := g.close(); err != nil {
			return err
		}
	}
	return nil
}
