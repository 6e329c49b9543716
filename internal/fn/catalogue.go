package fn

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// area is a group of Pinot's functions that are not run.
type area struct {
	title, reason string
	parts         []string // of names
}

// areas are told apart by parts of names. The first that fits counts.
var areas = []area{
	{"Geography", "no geometry is read or indexed", []string{"starea", "stas", "stcontains", "stdistance", "stequals", "stgeo", "stpoint", "stpolygon", "stunion", "stwithin", "geohash", "geotoh3", "griddis", "geometry", "geography"}},
	{"Sketches", "their bytes and merges come with the sketch aggregates", []string{"sketch", "hll", "ull", "theta", "cpc", "idset", "tdigest", "kll", "percentileest", "percentilerawest", "bitmap"}},
	{"Vectors", "no vector index", []string{"vector", "cosine", "innerproduct", "euclideandistance", "l1distance", "l2distance", "dotproduct"}},
	{"Funnels", "no funnel aggregate", []string{"funnel"}},
	{"Text and JSON indexes", "no such index", []string{"textmatch", "textcontains", "jsonmatch", "jsonextractindex", "clp"}},
	{"Of the running query and of the clock", "they are the broker's own", []string{"reqid", "cid", "brokerid", "stageid", "workerid", "queryengine", "starttime", "endtime", "now", "ago", "sleep", "groovy", "lookup"}},
}

// WriteCatalogue returns a document that lists the functions: those that are run,
// by family, and those that Pinot 1.5.0 has beside them.
func WriteCatalogue() []byte {
	var b bytes.Buffer
	b.WriteString("# SQL functions\n\nNames are taken without regard to case and underscores. " +
		"This page is written from the registry; `go test ./internal/fn -run Catalogue -update` writes it anew.\n")
	for i, family := range families {
		if i == 0 || families[i-1].Name != family.Name {
			fmt.Fprintf(&b, "\n## %s\n\n", strings.ToUpper(family.Name[:1])+family.Name[1:])
		}
		for _, f := range family.Functions {
			writeName(&b, f.Name, f.Alias)
		}
	}
	for _, family := range aggregateFamilies {
		fmt.Fprintf(&b, "\n## Aggregates of %s\n\n", family.Name)
		for _, a := range family.Aggregates {
			writeName(&b, a.Name, a.Alias)
		}
	}
	b.WriteString("\n## Operators\n\n" +
		"`+ - * / %`, `= <> < <= > >=`, `BETWEEN`, `IN`, `LIKE`, `IS NULL`, `IS TRUE`, `IS FALSE`, `IS DISTINCT FROM`, `AND`, `OR`, `NOT`, `CASE`, `CAST`.\n")
	b.WriteString("\n## In Pinot 1.5.0 and not run\n\nA query that calls one of these is refused by its name.\n")
	writeMissing(&b)
	return b.Bytes()
}

func writeName(b *bytes.Buffer, name string, aliases []string) {
	fmt.Fprintf(b, "- `%s`", name)
	for _, a := range aliases {
		fmt.Fprintf(b, ", `%s`", a)
	}
	b.WriteByte('\n')
}

func writeMissing(b *bytes.Buffer) {
	missing := make([][]string, len(areas)+1)
	for _, name := range pinotNames() {
		if functionByName[name] != nil || aggregateByName[name] != nil || slices.Contains(operatorNames, name) {
			continue
		}
		at := slices.IndexFunc(areas, func(a area) bool {
			return slices.ContainsFunc(a.parts, func(part string) bool { return strings.Contains(name, part) })
		})
		if at < 0 {
			at = len(areas)
		}
		missing[at] = append(missing[at], "`"+name+"`")
	}
	for i, names := range missing {
		if len(names) == 0 {
			continue
		}
		title, reason := "Others", "not written yet"
		if i < len(areas) {
			title, reason = areas[i].title, areas[i].reason
		}
		fmt.Fprintf(b, "\n%s (%s): %s.\n", title, reason, strings.Join(names, ", "))
	}
}

// operatorNames are what the planner makes conditions of.
var operatorNames = []string{
	"in", "notin", "like", "istrue", "isfalse", "isnottrue", "isnotfalse",
}
