package convert

import (
	"fmt"

	"github.com/decantdb/decant/nimble"
)

// jsonGuess is what is known of the values at one place of JSON lines. Their type is
// the narrowest that holds all without a loss:
//
//	nothing, or null alone     VARCHAR
//	true, false                BOOLEAN
//	numbers                    INTEGER, BIGINT, DOUBLE, as of CSV
//	strings                    DATE or TIMESTAMP if all are, in one form; VARCHAR
//	numbers and "NaN" or such  DOUBLE
//	arrays                     ARRAY of the type of all elements
//	objects                    ROW of all members; without any, MAP<VARCHAR, VARCHAR>
//	two of these, or numbers
//	that no type holds         JSON, the text of each value
type jsonGuess struct {
	bools, lists, objects bool
	number, text          guess
	words                 bool // there are strings besides those that are NaN or infinite
	nonFinite             bool
	known                 *nimble.Type // that is given, nil if it is to be found
	element               *jsonGuess
	names                 []string
	fields                map[string]*jsonGuess
}

// jsonMembers bounds the places of one file.
type jsonMembers int

// knownMembers returns the guess of objects whose members, so far, are those of a row
// type, which may be nil.
func knownMembers(row *nimble.Type, members *jsonMembers) (*jsonGuess, error) {
	g := &jsonGuess{}
	if row == nil {
		return g, nil
	}
	for i, name := range row.Names {
		field, err := g.field([]byte(name), members)
		if err != nil {
			return nil, err
		}
		if field.known != nil {
			return nil, fmt.Errorf("%w: column %q has two types", nimble.ErrSchema, name)
		}
		field.known = row.Children[i]
	}
	return g, nil
}

// add widens the guess so that it holds the next value of c.
func (g *jsonGuess) add(c *jsonCursor, members *jsonMembers, depth int) error {
	if depth > nimble.MaxDepth {
		return fmt.Errorf("%w: nested more than %d levels", errJSON, nimble.MaxDepth)
	}
	if g.known != nil {
		_, err := c.skip(depth)
		return err
	}
	switch first := c.peek(); {
	case first == '{':
		g.objects = true
		return c.members(func(name []byte) error {
			field, err := g.field(name, members)
			if err != nil {
				return err
			}
			return field.add(c, members, depth+1)
		})
	case first == '[':
		g.lists = true
		if g.element == nil {
			g.element = &jsonGuess{}
		}
		return c.elements(func() error { return g.element.add(c, members, depth+1) })
	case first == '"':
		text, err := c.text()
		if err == nil {
			g.addText(text)
		}
		return err
	case c.word("null"):
		return nil
	case c.word("true"), c.word("false"):
		g.bools = true
		return nil
	}
	text, err := c.number()
	if err == nil && g.number.kind != guessVarchar {
		g.number.add(text)
	}
	return err
}

// field returns the guess of a member.
func (g *jsonGuess) field(name []byte, members *jsonMembers) (*jsonGuess, error) {
	if field, ok := g.fields[string(name)]; ok {
		return field, nil
	}
	if *members++; *members > maxColumns {
		return nil, fmt.Errorf("more than %d different members: use --schema with a MAP", maxColumns)
	}
	if g.fields == nil {
		g.fields = map[string]*jsonGuess{}
	}
	field := &jsonGuess{}
	g.fields[string(name)] = field
	g.names = append(g.names, string(name))
	return field, nil
}

// addText widens the guess so that it holds a string, which says more than its text
// only if it is a date or a moment.
func (g *jsonGuess) addText(text []byte) {
	if isNonFinite(text) {
		g.nonFinite = true
	} else {
		g.words = true
	}
	switch g.text.kind {
	case guessVarchar:
		return
	case guessNothing:
		g.text = guessOne(text)
	default:
		g.text.add(text)
	}
	if g.text.kind != guessDate && g.text.kind != guessTimestamp {
		g.text.kind = guessVarchar
	}
}

// typ returns the narrowest type of all values.
func (g *jsonGuess) typ() *nimble.Type {
	if g.known != nil {
		return g.known
	}
	numbers, texts := g.number.kind != guessNothing, g.words || g.nonFinite
	shapes := 0
	for _, has := range []bool{g.bools, numbers, texts, g.lists, g.objects} {
		if has {
			shapes++
		}
	}
	switch {
	case shapes == 0:
		return &nimble.Type{Kind: nimble.Varchar}
	case shapes == 2 && numbers && g.nonFinite && !g.words:
		if g.number.kind != guessVarchar && g.exact() {
			return &nimble.Type{Kind: nimble.Double}
		}
		fallthrough
	case shapes > 1, g.number.kind == guessVarchar:
		t := nimble.Logical{Kind: nimble.LogicalJSON}.Type()
		setAttribute(t, TextKey, rawText)
		return t
	case g.bools:
		return &nimble.Type{Kind: nimble.Boolean}
	case numbers:
		return g.number.typ()
	case texts:
		return g.text.typ()
	case g.lists:
		return &nimble.Type{Kind: nimble.Array, Children: []*nimble.Type{g.element.typ()}}
	}
	return g.row()
}

// exact reports whether a DOUBLE holds all numbers.
func (g *jsonGuess) exact() bool {
	return g.number.kind != guessInteger || g.number.low >= -maxExactInteger && g.number.high <= maxExactInteger
}

// row returns the type of objects.
func (g *jsonGuess) row() *nimble.Type {
	if len(g.names) == 0 {
		text := &nimble.Type{Kind: nimble.Varchar}
		return &nimble.Type{Kind: nimble.Map, Children: []*nimble.Type{text, text}}
	}
	types := make([]*nimble.Type, len(g.names))
	for i, name := range g.names {
		types[i] = g.fields[name].typ()
	}
	return nimble.RowOf(g.names, types)
}
