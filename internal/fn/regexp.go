package fn

import (
	"bytes"
	"fmt"
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// regexps is the family of patterns. Regular expressions are those of the
// standard library, in linear time: they have no look-around and no references
// to groups, which Java has.
var regexps = []Function{
	{Name: "like", Rows: takes(Boolean, rows(likeRow), String, String)},
	{Name: "likevar", Rows: takes(Boolean, rows(likeRow), String, String)},
	{Name: "regexplike", Rows: regexpLike},
	{Name: "regexplikevar", Rows: regexpLike},
	{Name: "regexpextract", Rows: regexpExtract},
	{Name: "regexpextractvar", Rows: regexpExtract},
	{Name: "regexpreplace", Rows: regexpReplace},
	{Name: "regexpreplacevar", Rows: regexpReplace},
}

var (
	regexpLike = checked(either(
		takes(Boolean, rows(regexpLikeRow), String, String),
		takes(Boolean, rows(regexpLikeRow), String, String, String),
	))
	regexpExtract = checked(either(
		takes(String, rows(regexpExtractRow), String, String),
		takes(String, rows(regexpExtractRow), String, String, Int),
		takes(String, rows(regexpExtractRow), String, String, Int, String),
	))
	regexpReplace = checked(either(
		takes(String, rows(regexpReplaceRow), String, String, String),
		takes(String, rows(regexpReplaceRow), String, String, String, Int),
		takes(String, rows(regexpReplaceRow), String, String, String, Int, Int),
		takes(String, rows(regexpReplaceRow), String, String, String, Int, Int, String),
	))
)

// checked compiles a pattern that is a literal before anything is run.
func checked(r Resolver) Resolver {
	return func(args []Arg) (Signature, error) {
		if len(args) > 1 && args[1].Literal != nil && args[1].Type == String {
			if _, err := CompileRegexp(args[1].Literal.S, ""); err != nil {
				return Signature{}, err
			}
		}
		return r(args)
	}
}

// CompileRegexp compiles a regular expression; the flag "i" lets case not count.
// Its error wraps ErrValue.
func CompileRegexp(pattern, flag string) (*Regexp, error) {
	switch flag {
	case "", "c":
	case "i":
		pattern = "(?i)" + pattern
	default:
		return nil, badValue("flag %q of a regular expression", flag)
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrValue, err)
	}
	size := programSize(tree)
	if size > maxProgram {
		return nil, badValue("a regular expression of more than %d steps", maxProgram)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrValue, err)
	}
	return &Regexp{re, size}, nil
}

// Regexp is a regular expression with what it costs. It may be used by several
// goroutines.
type Regexp struct {
	*regexp.Regexp
	steps int // of the program, about
}

const (
	// maxProgram bounds the steps of a regular expression's program, each of some
	// 40 bytes.
	maxProgram = 20_000
	// maxMatchUnits bounds the work on one text, which nothing interrupts: a second.
	maxMatchUnits = 1 << 30
	// maxPlaces bounds the places of groups that are noted for one text.
	maxPlaces = 4 << 20
	// unitsOfStep is what a step costs for a byte of text.
	unitsOfStep = 4
)

// Match reports whether the expression matches a part of text. It counts that as
// work, and so returns what has ended the query.
func (re *Regexp) Match(m *Meter, text []byte) (bool, error) {
	if err := re.begin(m, text); err != nil {
		return false, err
	}
	return re.Regexp.Match(text), nil
}

// begin counts the work of going through a text once.
func (re *Regexp) begin(m *Meter, text []byte) error {
	units := len(text) * re.steps * unitsOfStep
	if units > maxMatchUnits {
		return badValue("a text of %d bytes for a regular expression of %d steps", len(text), re.steps)
	}
	return m.Work(units / 8) // most steps are idle most of the time
}

// programSize returns about how many steps a tree compiles to.
func programSize(re *syntax.Regexp) int {
	size := 1 + len(re.Rune)/8
	for _, sub := range re.Sub {
		size += programSize(sub)
	}
	if re.Op == syntax.OpLiteral {
		size = len(re.Rune)
	}
	if re.Op == syntax.OpRepeat {
		size *= max(1, re.Min, re.Max)
	}
	return min(size, 2*maxProgram)
}

// rowPattern keeps the pattern that a row named last.
type rowPattern struct {
	pattern, flag string
	re            *Regexp
	like          LikePattern
	compiled      bool
}

func patternOf(r *Row) *rowPattern {
	p, ok := r.Scratch.(*rowPattern)
	if !ok {
		p = &rowPattern{}
		r.Scratch = p
	}
	return p
}

// compileUnits is the work of compiling, by byte of the pattern.
const compileUnits = 1000

func regexpOf(r *Row, flagArg int) (*Regexp, error) {
	p := patternOf(r)
	var flag []byte
	if r.Args() > flagArg {
		flag = r.Text(flagArg)
	}
	if p.re != nil && string(r.Text(1)) == p.pattern && string(flag) == p.flag {
		return p.re, nil
	}
	var err error
	p.pattern, p.flag = string(r.Text(1)), string(flag)
	if err = r.Work(compileUnits * len(p.pattern)); err != nil {
		return nil, err
	}
	p.re, err = CompileRegexp(p.pattern, p.flag)
	return p.re, err
}

func likeRow(r *Row) error {
	p := patternOf(r)
	if !p.compiled || string(r.Text(1)) != p.pattern {
		p.pattern, p.compiled = string(r.Text(1)), true
		p.like = CompileLike(p.pattern, '\\')
	}
	r.B = p.like.Match(r.Text(0))
	return nil
}

func regexpLikeRow(r *Row) error {
	re, err := regexpOf(r, 2)
	if err != nil {
		return err
	}
	r.B, err = re.Match(r.meter, r.Text(0))
	return err
}

// regexpExtractRow gives the first match, or a group of it.
func regexpExtractRow(r *Row) error {
	re, err := regexpOf(r, 99)
	if err != nil {
		return err
	}
	group := int64(0)
	if r.Args() > 2 {
		group = r.Int(2)
	}
	if err := re.begin(r.meter, r.Text(0)); err != nil {
		return err
	}
	found := re.FindSubmatchIndex(r.Text(0))
	switch {
	case group < 0:
		return badValue("no group %d", group)
	case found == nil || group > int64(re.NumSubexp()):
		if r.Args() > 3 {
			r.Out = append(r.Out, r.Text(3)...)
		}
	case found[2*group] < 0:
		r.Null = true
	default:
		r.Out = append(r.Out, r.Text(0)[found[2*group]:found[2*group+1]]...)
	}
	return nil
}

// regexpReplaceRow replaces all matches from a position on or, of an occurrence
// that is not negative, that one.
func regexpReplaceRow(r *Row) error {
	re, err := regexpOf(r, 5)
	if err != nil {
		return err
	}
	text, with := r.Text(0), r.Text(2)
	occurrence := int64(-1)
	if r.Args() > 4 {
		occurrence = r.Int(4)
	}
	begin := 0
	if r.Args() > 3 {
		if start := r.Int(3); start < 0 || start > int64(unitCount(text)) {
			return badValue("no position %d", start)
		}
		begin = byteOffset(text, r.Int(3))
	}
	r.Out = append(r.Out, text[:begin]...)
	text = text[begin:]
	if err := re.begin(r.meter, text); err != nil {
		return err
	}
	if n := len(text) * (re.NumSubexp() + 1); n > maxPlaces {
		return badValue("a text of %d bytes for a regular expression of %d groups", len(text), re.NumSubexp())
	}
	done := 0
	for i, found := range re.FindAllSubmatchIndex(text, -1) {
		if occurrence >= 0 && int64(i) != occurrence {
			continue
		}
		if r.Full() {
			return nil
		}
		r.Out = append(r.Out, text[done:found[0]]...)
		if err = r.replacement(with, text, found); err != nil {
			return err
		}
		done = found[1]
	}
	r.Out = append(r.Out, text[done:]...)
	return nil
}

// byteOffset returns where a unit begins.
func byteOffset(text []byte, unit int64) int {
	at := 0
	for ; unit > 0 && at < len(text); unit-- {
		c, size := utf8.DecodeRune(text[at:])
		at += size
		if c > 0xffff {
			unit--
		}
	}
	return at
}

// replacement writes a replacement in Java's syntax: $1 is a group, and a
// backslash takes the next character as it is.
func (r *Row) replacement(with, text []byte, found []int) error {
	for i := 0; i < len(with) && !r.Full(); i++ {
		switch c := with[i]; {
		case c == '\\' && i+1 < len(with):
			i++
			r.Out = append(r.Out, with[i])
		case c == '\\':
			return badValue("character to be escaped is missing")
		case c != '$':
			r.Out = append(r.Out, c)
		case i+1 == len(with) || bytes.IndexByte([]byte("0123456789"), with[i+1]) < 0:
			return badValue("illegal group reference")
		default:
			i++
			group := int(with[i] - '0')
			if 2*group >= len(found) {
				return badValue("no group %d", group)
			}
			for i+1 < len(with) && '0' <= with[i+1] && with[i+1] <= '9' && 2*(group*10+int(with[i+1]-'0')) < len(found) {
				i++
				group = group*10 + int(with[i]-'0')
			}
			if found[2*group] >= 0 {
				r.Out = append(r.Out, text[found[2*group]:found[2*group+1]]...)
			}
		}
	}
	return nil
}
