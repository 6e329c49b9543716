package nimble

import (
	"fmt"
	"slices"
	"strings"
)

// Project returns the type under which a file is read to get the given parts of
// its rows, each at a path from the root:
//
//	a            a column
//	a.b          a field of a row
//	m['k']       a key of a map, of a flat map or of windows; keys of integers too
//	l[].b        a field of an array's elements, or of a map's values
//	"a.b".c      names with other than letters, digits and _ are quoted
//
// Fields come in the order in which the paths name them first. A map of which
// keys are named stays a map, of these keys. Of a flat map only their streams are
// read, and nothing can be left out below a key. Errors wrap [ErrSchema].
func (t *Type) Project(paths ...string) (*Type, error) {
	if err := t.validateRead(); err != nil {
		return nil, err
	}
	root := &selected{}
	for _, path := range paths {
		steps, err := parsePath(path)
		if err != nil {
			return nil, err
		}
		root.add(steps)
	}
	return root.of(t, "")
}

// step is one step of a path.
type step struct {
	kind stepKind
	name string // of a field or a key
}

type stepKind uint8

const (
	fieldStep stepKind = iota
	keyStep
	elementStep
)

// parsePath parses a path as Project describes it.
func parsePath(path string) ([]step, error) {
	var steps []step
	p := &typeParser{text: path}
	for {
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		steps = append(steps, step{fieldStep, name})
		for p.accept("[") {
			if p.accept("]") {
				steps = append(steps, step{kind: elementStep})
				continue
			}
			key, err := p.quoted()
			if err != nil {
				return nil, err
			}
			if err := p.expect("]"); err != nil {
				return nil, err
			}
			steps = append(steps, step{keyStep, key})
		}
		if !p.accept(".") {
			return steps, p.end()
		}
	}
}

// quoted parses a text in single quotes, of which two stand for one.
func (p *typeParser) quoted() (string, error) {
	if err := p.expect("'"); err != nil {
		return "", err
	}
	var b strings.Builder
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		p.pos++
		if c != '\'' {
			b.WriteByte(c)
			continue
		}
		if p.pos == len(p.text) || p.text[p.pos] != '\'' {
			return b.String(), nil
		}
		b.WriteByte(c)
		p.pos++
	}
	return "", p.errorf("a quote is not closed")
}

// selected is what paths select of a type: all, or the steps that follow.
type selected struct {
	all   bool
	steps []step
	next  []*selected
}

func (s *selected) add(steps []step) {
	if len(steps) == 0 {
		s.all = true
		return
	}
	i := slices.Index(s.steps, steps[0])
	if i < 0 {
		i = len(s.steps)
		s.steps, s.next = append(s.steps, steps[0]), append(s.next, &selected{})
	}
	s.next[i].add(steps[1:])
}

// of returns what is selected of t, which is at the place named.
func (s *selected) of(t *Type, place string) (*Type, error) {
	if s.all {
		return t, nil
	}
	out := *t
	switch t.Kind {
	case Row:
		out.Names, out.Children = nil, nil
	case Array, DedupArray, Map, FlatMap, SlidingWindowMap:
		out.Children = slices.Clone(t.Children)
	}
	for i, step := range s.steps {
		at := place + step.String()
		child := step.child(t)
		if child == nil {
			return nil, fmt.Errorf("%w: there is no %s in a %v", ErrSchema, strings.TrimPrefix(at, "."), t.Kind)
		}
		want, err := s.next[i].of(child, at)
		if err != nil {
			return nil, err
		}
		switch step.kind {
		case fieldStep:
			out.Names, out.Children = append(out.Names, step.name), append(out.Children, want)
		case elementStep:
			out.Children[len(out.Children)-1] = want
		case keyStep:
			if want != child {
				return nil, fmt.Errorf("%w: nothing can be left out below %s", ErrSchema, strings.TrimPrefix(at, "."))
			}
			out.Names = append(out.Names, step.name)
		}
	}
	return &out, nil
}

// child returns the type that the step leads to from t, nil if none.
func (s step) child(t *Type) *Type {
	switch t.Kind {
	case Row:
		if i := t.Field(s.name); s.kind == fieldStep && i >= 0 {
			return t.Children[i]
		}
	case Array, DedupArray:
		if s.kind == elementStep {
			return t.Children[0]
		}
	case Map, FlatMap, SlidingWindowMap:
		if s.kind != fieldStep {
			return t.Children[1]
		}
	}
	return nil
}

// String returns the step as it is written in a path.
func (s step) String() string {
	switch s.kind {
	case keyStep:
		return "['" + strings.ReplaceAll(s.name, "'", "''") + "']"
	case elementStep:
		return "[]"
	}
	return "." + QuoteName(s.name)
}
