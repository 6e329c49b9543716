package fn

import (
	"encoding/json"
	"strconv"
	"strings"
)

// documents is the family of functions of JSON documents.
var documents = []Function{
	{Name: "jsonextractscalar", Rows: resolveExtractScalar, Fold: neverFolds},
}

// resolveExtractScalar takes a document, a path, the name of a type, and what
// stands for a value that is not there.
func resolveExtractScalar(args []Arg) (Signature, error) {
	if len(args) < 3 || len(args) > 4 || args[0].Literal != nil || args[0].Type.Array() || args[1].Literal == nil || args[2].Literal == nil {
		return Signature{}, wrongNumber(args)
	}
	path, err := parsePath(args[1].Literal.S)
	if err != nil {
		return Signature{}, err
	}
	t, ok := ParseType(args[2].Literal.S)
	if !ok || t == Bytes {
		return Signature{}, badValue("unsupported results type %q", args[2].Literal.S)
	}
	e := &extraction{path: path, t: t}
	types := []Type{String, Unknown, Unknown}
	if len(args) == 4 {
		types = append(types, Unknown)
		if args[3].Literal == nil || args[3].Literal.Null {
			return Signature{}, wrongNumber(args)
		}
		if !t.Array() {
			if e.missing, err = args[3].Literal.Convert(t); err != nil {
				return Signature{}, err
			}
		}
		e.hasMissing = true
	}
	return Signature{Args: types, Type: t, New: rows(e.row)(t)}, nil
}

// extraction is a call of JSONEXTRACTSCALAR. It is shared and not changed.
type extraction struct {
	path       jsonPath
	t          Type
	missing    Value
	hasMissing bool
}

func (e *extraction) row(r *Row) error {
	var found []byte
	n := 0
	if text := r.Text(0); json.Valid(text) {
		if e.path.many {
			found = append(found, '[')
		}
		find(skipSpace(text), e.path.steps, func(value []byte) {
			if !e.path.many {
				found = value
				n++
				return
			}
			if n++; n > 1 {
				found = append(found, ',')
			}
			found = append(found, value...)
		})
		if e.path.many {
			found, n = append(found, ']'), 1
		}
	}
	if n == 0 || string(found) == "null" {
		if !e.hasMissing {
			return badValue("the JSON path leads to nothing; a default value may stand for it")
		}
		e.setMissing(r)
		return nil
	}
	if e.t.Array() {
		return e.setList(r, found)
	}
	return e.set(r, found)
}

func (e *extraction) setMissing(r *Row) {
	r.I, r.F, r.B = e.missing.I, e.missing.F, e.missing.B
	r.Out = append(r.Out, e.missing.S...)
}

// set makes a value the result: numbers are cut off, texts are read as numbers.
func (e *extraction) set(r *Row, value []byte) (err error) {
	kind := value[0]
	number := kind == '-' || '0' <= kind && kind <= '9'
	text := string(value)
	if kind == '"' {
		if err := json.Unmarshal(value, &text); err != nil {
			return badValue("%v", err)
		}
	}
	switch e.t {
	case Int, Long, Timestamp, Boolean:
		if number {
			d := decimalsOf(r)
			if err := parseDecimal(&d.a, text); err != nil {
				return err
			}
			r.I = lowBits(d.a.whole())
		} else if r.I, err = strconv.ParseInt(text, 10, 64); err != nil {
			return badValue("%q is no %v", text, e.t)
		}
		if e.t == Int {
			r.I = int64(int32(r.I))
		}
		r.B = r.I != 0
	case Float, Double:
		r.F, err = parseFloat(text, e.t)
		return err
	case BigDecimal:
		d := decimalsOf(r)
		if err := parseDecimal(&d.a, text); err != nil {
			return err
		}
		r.Out = d.a.append(r.Out)
	default:
		if kind == '"' {
			r.Out = append(r.Out, text...)
		} else {
			r.Out = appendCompact(r.Out, value)
		}
	}
	return nil
}

func (e *extraction) setList(r *Row, value []byte) (err error) {
	one := &extraction{t: e.t.Elem()}
	members(value, func(_, member []byte) bool {
		r.Out = r.Out[:0]
		if err = one.set(r, member); err != nil {
			return false
		}
		switch t := one.t; {
		case t.Integral():
			r.AddInt(r.I)
		case t == Float || t == Double:
			r.AddFloat(r.F)
		case t == Boolean:
			r.AddBool(r.B)
		default:
			r.AddText(r.Out)
		}
		return true
	})
	return err
}

// appendCompact writes a value without blanks, and its numbers as Java writes a
// BigDecimal without zeros at its end.
func appendCompact(dst, value []byte) []byte {
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			text, _, _ := cutValue(value[i:])
			dst = append(dst, text...)
			i += max(1, len(text))
		case c == '-' || '0' <= c && c <= '9':
			end := i + 1
			for end < len(value) && strings.IndexByte("0123456789+-.eE", value[end]) >= 0 {
				end++
			}
			dst = appendJavaDecimal(dst, string(value[i:end]))
			i = end
		default:
			if c > ' ' {
				dst = append(dst, c)
			}
			i++
		}
	}
	return dst
}

func appendJavaDecimal(dst []byte, text string) []byte {
	var d decimal
	if !strings.ContainsAny(text, ".eE") || parseDecimal(&d, text) != nil {
		return append(dst, text...)
	}
	digits := strings.TrimPrefix(d.unscaled.String(), "-")
	short := strings.TrimRight(digits, "0")
	if short == "" {
		return append(dst, '0')
	}
	scale := d.scale - (len(digits) - len(short))
	exponent := len(short) - 1 - scale
	if scale >= 0 && exponent >= -6 {
		d.unscaled.SetString(short, 10)
		if text[0] == '-' {
			d.unscaled.Neg(&d.unscaled)
		}
		d.scale = scale
		return d.append(dst)
	}
	if text[0] == '-' {
		dst = append(dst, '-')
	}
	dst = append(dst, short[0])
	if len(short) > 1 {
		dst = append(append(dst, '.'), short[1:]...)
	}
	dst = append(dst, 'E')
	if exponent >= 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(exponent), 10)
}
