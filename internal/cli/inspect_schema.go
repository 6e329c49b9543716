package cli

import (
	"fmt"
	"strings"

	"github.com/decantdb/decant/nimble"
)

// typeReport is a type of the schema with the numbers of its streams.
type typeReport struct {
	Path       string            `json:"path"`
	Depth      int               `json:"depth"`
	Kind       string            `json:"kind"`
	Type       string            `json:"type"`
	Streams    map[string]uint32 `json:"streams"` // by what is stored
	Attributes []pairReport      `json:"attributes,omitempty"`
}

type schemaReport struct {
	Schema string       `json:"schema"`
	Types  []typeReport `json:"types"`
}

func (f *nimbleFile) reportSchema() (report, error) {
	r := &schemaReport{Schema: f.nimble.Schema().String()}
	byPath := map[string]map[string]uint32{}
	for _, s := range f.nimble.Streams() {
		if byPath[s.Path] == nil {
			byPath[s.Path] = map[string]uint32{}
		}
		byPath[s.Path][s.Part] = s.ID
	}
	w := schemaWalk{report: r, streams: byPath, list: f.nimble.Streams()}
	w.walk(f.nimble.Schema(), "", 0)
	return r, nil
}

type schemaWalk struct {
	report  *schemaReport
	streams map[string]map[string]uint32
	list    []nimble.StreamInfo
}

func (w *schemaWalk) add(path string, depth int, kind, typ string) *typeReport {
	streams := w.streams[path]
	if streams == nil {
		streams = map[string]uint32{}
	}
	w.report.Types = append(w.report.Types, typeReport{Path: path, Depth: depth, Kind: kind, Type: typ, Streams: streams})
	return &w.report.Types[len(w.report.Types)-1]
}

// walk adds t, whose streams have the given path, and what is below it.
func (w *schemaWalk) walk(t *nimble.Type, path string, depth int) {
	r := w.add(path, depth, t.Kind.String(), t.String())
	for _, a := range t.Attributes {
		r.Attributes = append(r.Attributes, pairReport(a))
	}
	switch {
	case t.Kind == nimble.FlatMap:
		for _, s := range w.list {
			if s.Part == "in-map" && strings.HasPrefix(s.Path, path+`["`) {
				w.walk(t.Children[1], s.Path, depth+1)
			}
		}
	case t.Kind == nimble.Row:
		for i, c := range t.Children {
			child := t.Names[i]
			if path != "" {
				child = path + "." + child
			}
			w.walk(c, child, depth+1)
		}
	case len(t.Children) == 1:
		w.walk(t.Children[0], path+"[]", depth+1)
	case len(t.Children) == 2:
		w.walk(t.Children[0], path+"[key]", depth+1)
		w.walk(t.Children[1], path+"[value]", depth+1)
	}
}

func (r *schemaReport) print(c *console) error {
	g := newReportGrid(c, gridColumn{"type", false}, gridColumn{"of", false}, gridColumn{"streams", false}, gridColumn{"attributes", false})
	for _, t := range r.Types {
		var streams, attributes []string
		for _, part := range []string{"values", "micros", "nanos", "nulls", "offsets", "lengths", "in-map"} {
			if id, ok := t.Streams[part]; ok {
				streams = append(streams, fmt.Sprintf("%s %d", part, id))
			}
		}
		for _, a := range t.Attributes {
			attributes = append(attributes, a.Key+"="+a.Value)
		}
		kind := t.Kind
		if !strings.Contains(t.Type, "<") && t.Type != "" {
			kind = t.Type
		}
		path := t.Path
		if path == "" {
			path = "(row)"
		}
		row := []cell{{text: strings.Repeat("  ", t.Depth) + kind}, {text: path}, {text: strings.Join(streams, ", ")}, {text: strings.Join(attributes, ", ")}}
		if err := g.add(row); err != nil {
			return err
		}
	}
	return g.close()
}

// valuesReport is what the statistics say of a type.
type valuesReport struct {
	Path          string `json:"path"`
	Type          string `json:"type"`
	PhysicalBytes uint64 `json:"physicalBytes"`
	*statsReport
}

type allStatsReport struct {
	Known bool           `json:"known"` // the file has statistics
	Types []valuesReport `json:"types"`
}

func (f *nimbleFile) reportAllStats() (report, error) {
	r := &allStatsReport{Types: []valuesReport{}}
	stats := f.nimble.Stats()
	if stats == nil {
		return r, nil
	}
	r.Known = true
	next := 0
	var walk func(t *nimble.Type, path string) error
	walk = func(t *nimble.Type, path string) error {
		s := &stats[next]
		next++
		one, err := reportStats(t, s)
		if err != nil {
			return err
		}
		r.Types = append(r.Types, valuesReport{Path: path, Type: t.String(), PhysicalBytes: s.PhysicalBytes, statsReport: one})
		for i, child := range t.Children {
			at := path + "[]"
			switch {
			case t.Kind == nimble.Row && path == "":
				at = t.Names[i]
			case t.Kind == nimble.Row:
				at = path + "." + t.Names[i]
			case len(t.Children) == 2:
				at = path + []string{"[key]", "[value]"}[i]
			}
			if err := walk(child, at); err != nil {
				return err
			}
		}
		return nil
	}
	return r, walk(f.nimble.Schema(), "")
}

func (r *allStatsReport) print(c *console) error {
	if !r.Known {
		_, err := fmt.Fprintln(c.stdout, "the file has no statistics of its columns")
		return err
	}
	g := newReportGrid(c, gridColumn{"of", false}, gridColumn{"values", true}, gridColumn{"nulls", true},
		gridColumn{"logical bytes", true}, gridColumn{"stored bytes", true}, gridColumn{"least", false}, gridColumn{"greatest", false})
	for _, t := range r.Types {
		path := t.Path
		if path == "" {
			path = "(row)"
		}
		row := []cell{
			{text: path},
			{text: grouped(int64(t.Values))},
			{text: grouped(int64(t.Nulls))},
			{text: grouped(int64(t.LogicalBytes))},
			{text: grouped(int64(t.PhysicalBytes))},
			{text: shortened(t.Least)},
			{text: shortened(t.Greatest)},
		}
		if err := g.add(row); err != nil {
			return err
		}
	}
	return g.close()
}
