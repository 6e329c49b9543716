package fn

import (
	"bytes"
	"fmt"
	"regexp"
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
func CompileRegexp(pattern, flag string) (*regexp.Regexp, error) {
	switch flag {
	case "", "c":
	case "i":
		pattern = "(?i)" + pattern
	default:
		return nil, badValue("flag %q of a regular expression", flag)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrValue, err)
	}
	return re, nil
}

// rowPattern keeps the pattern that a row named last.
type rowPattern struct {
	pattern, flag string
	re            *regexp.Regexp
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

func regexpOf(r *Row, flagArg int) (*regexp.Regexp, error) {
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
	r.B = re.Match(r.Text(0))
	return nil
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
	done := 0
	for i, found := range re.FindAllSubmatchIndex(text, -1) {
		if occurrence >= 0 && int64(i) != occurrence {
			continue
		}
		r.Out = append(r.Out, text[done:found[0]]...)
		if r.Out, err = appendReplacement(r.Out, with, text, found); err != nil {
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

// appendReplacement writes a replacement in Java's syntax: $1 is a group, and a
// backslash takes the next character as it is.
func appendReplacement(dst, with, text []byte, found []int) ([]byte, error) {
	for i := 0; i < len(with); i++ {
		switch c := with[i]; {
		case c == '\\' && i+1 < len(with):
			i++
			dst = append(dst, with[i])
		case c == '\\':
			return dst, badValue("character to be escaped is missing")
		case c != '$':
			dst = append(dst, c)
		case i+1 == len(with) || bytes.IndexByte([]byte("0123456789"), with[i+1]) < 0:
			return dst, badValue("illegal group reference")
		default:
			i++
			group := int(with[i] - '0')
			if 2*group >= len(found) {
				return dst, badValue("no group %d", group)
			}
			for i+1 < len(with) && '0' <= with[i+1] && with[i+1] <= '9' && 2*(group*10+int(with[i+1]-'0')) < len(found) {
				i++
				group = group*10 + int(with[i]-'0')
			}
			if found[2*group] >= 0 {
				dst = append(dst, text[found[2*group]:found[2*group+1]]...)
			}
		}
	}
	return dst, nil
}
