package fn

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Documents are read where they lie: a value is the bytes that hold it.

// skipSpace returns what follows blanks.
func skipSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n' || b[0] == '\t' || b[0] == '\r') {
		b = b[1:]
	}
	return b
}

// cutValue takes the first value off; ok tells whether there is one. Inside of
// it only quotes and brackets are looked at.
func cutValue(b []byte) (value, rest []byte, ok bool) {
	b = skipSpace(b)
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if i >= len(b) {
				return nil, nil, false
			}
			if depth == 0 {
				return b[:i+1], b[i+1:], true
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return b[:i], b[i:], i > 0
			}
			if depth--; depth == 0 {
				return b[:i+1], b[i+1:], true
			}
		case ',', ':', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return b[:i], b[i:], i > 0
			}
		}
	}
	return b, nil, depth == 0 && len(b) > 0
}

// members calls visit for each member of an object, or each element of an array,
// whose key is then nil, until it returns false.
func members(value []byte, visit func(key, member []byte) bool) {
	if len(value) < 2 {
		return
	}
	object := value[0] == '{'
	if !object && value[0] != '[' {
		return
	}
	rest := value[1:]
	for {
		var key, member []byte
		var ok bool
		if object {
			if key, rest, ok = cutValue(rest); !ok {
				return
			}
			if rest = skipSpace(rest); len(rest) == 0 || rest[0] != ':' {
				return
			}
			rest = rest[1:]
		}
		if member, rest, ok = cutValue(rest); !ok || !visit(key, member) {
			return
		}
		if rest = skipSpace(rest); len(rest) == 0 || rest[0] != ',' {
			return
		}
		rest = rest[1:]
	}
}

// step is one step of a path: to a member, to an element counted from the end
// where negative, to all of them, and below at any depth.
type step struct {
	key   string
	index int
	kind  stepKind
	deep  bool
}

type stepKind uint8

const (
	stepKey stepKind = iota
	stepIndex
	stepAll
)

// jsonPath is a compiled path; many says that it may lead to several values.
type jsonPath struct {
	steps []step
	many  bool
}

// parsePath reads $, .name, ['name'], [1], [*], .* and ..name.
func parsePath(text string) (jsonPath, error) {
	var p jsonPath
	rest := strings.TrimPrefix(text, "$")
	if rest == text && text != "" && text[0] != '[' {
		rest = "." + text
	}
	for rest != "" {
		var s step
		switch {
		case strings.HasPrefix(rest, ".."):
			s.deep, rest = true, rest[1:]
			if strings.HasPrefix(rest, ".[") {
				rest = rest[1:]
			}
		case rest[0] != '.' && rest[0] != '[':
			return p, badValue("the path %q", text)
		}
		end := 0
		if rest[0] == '.' {
			rest = rest[1:]
			if end = strings.IndexAny(rest, ".["); end < 0 {
				end = len(rest)
			}
			if s.key = rest[:end]; s.key == "*" {
				s.kind = stepAll
			} else if s.key == "" || strings.ContainsAny(s.key, "()?@") {
				return p, badValue("the path %q", text)
			}
		} else {
			if end = strings.IndexByte(rest, ']') + 1; end < 2 {
				return p, badValue("the path %q", text)
			}
			inner := rest[1 : end-1]
			if n, err := strconv.Atoi(inner); err == nil {
				s.kind, s.index = stepIndex, n
			} else if inner == "*" {
				s.kind = stepAll
			} else if len(inner) > 2 && inner[0] == '\'' && strings.IndexByte(inner[1:], '\'') == len(inner)-2 {
				s.key = inner[1 : len(inner)-1]
			} else {
				return p, badValue("the path %q", text)
			}
		}
		rest = rest[end:]
		p.many = p.many || s.deep || s.kind == stepAll
		p.steps = append(p.steps, s)
	}
	return p, nil
}

// find calls visit for each value that the steps lead to.
func find(value []byte, steps []step, visit func(value []byte)) {
	if len(steps) == 0 {
		visit(value)
		return
	}
	s := steps[0]
	count, at := 0, 0
	if s.kind == stepIndex && s.index < 0 {
		members(value, func(_, _ []byte) bool { count++; return true })
	}
	members(value, func(key, member []byte) bool {
		var fits bool
		switch s.kind {
		case stepKey:
			fits = key != nil && keyIs(key, s.key)
		case stepIndex:
			fits = key == nil && (at == s.index || at == s.index+count && s.index < 0)
		default:
			fits = true
		}
		at++
		if fits {
			find(member, steps[1:], visit)
		}
		if s.deep {
			find(member, steps, visit)
		}
		return s.deep || s.kind == stepAll || !fits
	})
}

func keyIs(quoted []byte, key string) bool {
	inner := quoted[1 : len(quoted)-1]
	if string(inner) == key {
		return true
	}
	var text string
	return strings.IndexByte(string(inner), '\\') >= 0 && json.Unmarshal(quoted, &text) == nil && text == key
}
