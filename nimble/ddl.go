package nimble

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// String returns t in the form that [ParseType] reads, such as
//
//	ROW<id BIGINT, price DECIMAL(10,2), tags ARRAY<VARCHAR>, "two words" DATE>
//
// A logical type takes the place of the kind that stores it. Attributes are not
// part of the text. Of a type that is not valid a ? stands for what is missing,
// and for what goes beyond the limits.
func (t *Type) String() string {
	var f typeFormatter
	f.format(t, 1)
	return f.String()
}

type typeFormatter struct {
	strings.Builder
	nodes int
}

func (f *typeFormatter) format(t *Type, depth int) {
	if f.nodes++; t == nil || depth > MaxDepth || f.nodes > MaxNodes {
		f.WriteByte('?')
		return
	}
	if t.Logical != "" {
		f.WriteString(formatLogical(t.Logical))
		return
	}
	f.WriteString(t.Kind.String())
	if t.Kind.children() == 0 {
		return
	}
	f.WriteByte('<')
	for i, c := range t.Children {
		if i > 0 {
			f.WriteString(", ")
		}
		if t.Kind == Row {
			f.fieldName(t, i)
		}
		f.format(c, depth+1)
	}
	f.WriteByte('>')
}

func (f *typeFormatter) fieldName(t *Type, i int) {
	name := "?"
	if i < len(t.Names) {
		name = QuoteName(t.Names[i])
	}
	f.WriteString(name)
	f.WriteByte(' ')
}

// formatLogical writes the name of a logical type in capitals; a unit stays.
func formatLogical(s string) string {
	name, args, ok := strings.Cut(s, "(")
	if !ok {
		return strings.ToUpper(s)
	}
	return strings.ToUpper(name) + "(" + args
}

// QuoteName returns a field name as it must be written in a schema and in a path.
func QuoteName(name string) string {
	plain := name != ""
	for i, r := range name {
		plain = plain && nameRune(r, i == 0)
	}
	if plain && utf8.ValidString(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func nameRune(r rune, first bool) bool {
	return r == '_' || unicode.IsLetter(r) && r != utf8.RuneError || !first && unicode.IsDigit(r)
}

// ParseType reads a type:
//
//	type    = kind | logical | "ARRAY<" type ">" | "MAP<" type "," type ">" | "ROW<" fields ">"
//	kind    = BOOLEAN | TINYINT | SMALLINT | INTEGER | BIGINT | REAL | DOUBLE
//	        | VARCHAR | VARBINARY | TIMESTAMP
//	logical = DATE | DECIMAL(p,s) | TIME(unit) | TIMESTAMP(unit) | UINT8 … UINT64 | JSON | UUID
//	fields  = [ name type { "," name type } ]
//	name    = letters, digits and _, or any text in "quotes", a quote in it doubled
//
// FLATMAP, WINDOWMAP and DEDUPARRAY stand where MAP and ARRAY may. Kinds and
// logical types are read in any case; a colon may follow a name. Errors wrap
// [ErrSchema] and say at which byte.
func ParseType(text string) (*Type, error) {
	p := typeParser{text: text}
	t, err := p.typ(1)
	if err == nil {
		err = p.end()
	}
	if err != nil {
		return nil, err
	}
	return t, t.Validate()
}

// ParseSchema reads the row type of a file, either as [ParseType] does or as
// its fields alone, such as "id BIGINT, name VARCHAR".
func ParseSchema(text string) (*Type, error) {
	p := typeParser{text: text}
	if strings.EqualFold(p.word(), "ROW") && p.accept("<") {
		return ParseType(text)
	}
	p.pos = 0
	t, err := p.fields(1, "")
	if err == nil {
		err = p.end()
	}
	if err != nil {
		return nil, err
	}
	return t, t.Validate()
}

type typeParser struct {
	text string
	pos  int
}

func (p *typeParser) errorf(format string, args ...any) error {
	return fmt.Errorf("%w at byte %d: %s", ErrSchema, p.pos, fmt.Sprintf(format, args...))
}

func (p *typeParser) space() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// accept skips spaces and then token, if it follows.
func (p *typeParser) accept(token string) bool {
	p.space()
	if token == "" || !strings.HasPrefix(p.text[p.pos:], token) {
		return false
	}
	p.pos += len(token)
	return true
}

func (p *typeParser) expect(token string) error {
	if !p.accept(token) {
		return p.errorf("expected %q", token)
	}
	return nil
}

func (p *typeParser) end() error {
	p.space()
	if p.pos < len(p.text) {
		return p.errorf("unexpected %q", p.text[p.pos:min(len(p.text), p.pos+20)])
	}
	return nil
}

// word reads a name without quotes, "" if none follows.
func (p *typeParser) word() string {
	p.space()
	start := p.pos
	for p.pos < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.pos:])
		if !nameRune(r, p.pos == start) {
			break
		}
		p.pos += size
	}
	return p.text[start:p.pos]
}

// name reads a field's name.
func (p *typeParser) name() (string, error) {
	if !p.accept(`"`) {
		if w := p.word(); w != "" {
			return w, nil
		}
		return "", p.errorf("expected a name")
	}
	var b strings.Builder
	for {
		part, rest, ok := strings.Cut(p.text[p.pos:], `"`)
		if !ok {
			return "", p.errorf("a quoted name does not end")
		}
		b.WriteString(part)
		p.pos += len(part) + 1
		if !strings.HasPrefix(rest, `"`) {
			return b.String(), nil
		}
		b.WriteByte('"')
		p.pos++
	}
}

func (p *typeParser) typ(depth int) (*Type, error) {
	if depth > MaxDepth {
		return nil, p.errorf("types nest deeper than %d", MaxDepth)
	}
	p.space()
	start := p.pos
	word := strings.ToUpper(p.word())
	if p.accept("(") {
		return p.parametric(start, word)
	}
	k := Kind(slices.Index(kindNames[:], word))
	if word == "" || !k.known() {
		l, err := ParseLogical(strings.ToLower(word))
		if err != nil || word == "" {
			p.pos = start
			return nil, p.errorf("%q is not a type", p.text[start:min(len(p.text), start+20)])
		}
		return l.Type(), nil
	}
	return p.children(k, depth)
}

// parametric reads the arguments of a logical type.
func (p *typeParser) parametric(start int, word string) (*Type, error) {
	args, _, ok := strings.Cut(p.text[p.pos:], ")")
	if !ok {
		return nil, p.errorf("expected %q", ")")
	}
	l, err := ParseLogical(strings.ToLower(word + "(" + strings.ReplaceAll(args, " ", "") + ")"))
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", start, err)
	}
	p.pos += len(args) + 1
	return l.Type(), nil
}

// children reads what follows the name of kind k.
func (p *typeParser) children(k Kind, depth int) (*Type, error) {
	want := k.children()
	if want == 0 {
		return &Type{Kind: k}, nil
	}
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	if k == Row {
		return p.fields(depth, ">")
	}
	t := &Type{Kind: k}
	for i := range want {
		if i > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
		c, err := p.typ(depth + 1)
		if err != nil {
			return nil, err
		}
		t.Children = append(t.Children, c)
	}
	return t, p.expect(">")
}

// fields reads a row's fields up to closing; without one, up to the end.
func (p *typeParser) fields(depth int, closing string) (*Type, error) {
	t := &Type{Kind: Row}
	if p.accept(closing) {
		return t, nil
	}
	for {
		name, err := p.name()
		if err != nil {
			return nil, err
		}
		p.accept(":")
		c, err := p.typ(depth + 1)
		if err != nil {
			return nil, err
		}
		t.Names = append(t.Names, name)
		t.Children = append(t.Children, c)
		if p.accept(",") {
			continue
		}
		if closing == "" {
			return t, nil
		}
		return t, p.expect(closing)
	}
}
