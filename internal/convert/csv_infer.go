package convert

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/decantdb/decant/nimble"
)

// guess is the narrowest type that holds every value of a column so far. Types
// widen in this order alone:
//
//	nothing -> BOOLEAN | integer -> DOUBLE | DATE | TIMESTAMP -> VARCHAR
type guess struct {
	kind      guessKind
	low, high int64      // integer: the range so far
	styles    textStyles // DOUBLE: those in which all values print as their text
	decimals  int        // DOUBLE: of the first value
	form      momentForm // TIMESTAMP: of all values
}

type guessKind uint8

const (
	guessNothing guessKind = iota
	guessBoolean
	guessInteger
	guessDouble
	guessDate
	guessTimestamp
	guessVarchar
)

// maxExactInteger is the largest integer up to which a float64 has all.
const maxExactInteger = 1 << 53

// add widens the guess so that it holds an unquoted value.
func (g *guess) add(text []byte) {
	switch g.kind {
	case guessNothing:
		*g = guessOne(text)
	case guessInteger:
		if n, ok := parseInteger(text); ok {
			g.low, g.high = min(g.low, n), max(g.high, n)
			return
		}
		if g.low < -maxExactInteger || g.high > maxExactInteger {
			g.kind = guessVarchar
			return
		}
		g.kind, g.styles = guessDouble, asBare
		g.addDouble(text)
	case guessDouble:
		g.addDouble(text)
	case guessBoolean:
		if _, ok := parseBool(text); !ok {
			g.kind = guessVarchar
		}
	case guessDate:
		if _, ok := parseDate(text); !ok {
			g.kind = guessVarchar
		}
	case guessTimestamp:
		if _, form, ok := parseMoment(text); !ok || form != g.form {
			g.kind = guessVarchar
		}
	}
}

// guessOne returns the type of one value.
func guessOne(text []byte) guess {
	if n, ok := parseInteger(text); ok {
		return guess{kind: guessInteger, low: n, high: n}
	}
	if _, ok := parseBool(text); ok {
		return guess{kind: guessBoolean}
	}
	if n, styles, ok := guessFloat(text); ok {
		return guess{kind: guessDouble, styles: styles, decimals: n.decimals}
	}
	if _, ok := parseDate(text); ok {
		return guess{kind: guessDate}
	}
	if _, form, ok := parseMoment(text); ok {
		return guess{kind: guessTimestamp, form: form}
	}
	return guess{kind: guessVarchar}
}

// looksTyped reports whether text, unquoted and alone in its column, is taken
// for something else than text.
func looksTyped(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	switch c := text[0]; {
	case c-'0' <= 9, c == '-', c == 't', c == 'f', c == 'N', c == 'I':
		return guessOne(text).kind != guessVarchar
	}
	return false // no other byte begins a boolean, a number, or a date
}

// addDouble adds one more value to a guess of DOUBLE.
func (g *guess) addDouble(text []byte) {
	n, styles, ok := guessFloat(text)
	if !ok {
		g.kind = guessVarchar
		return
	}
	if n.decimals != g.decimals {
		styles &^= asFixed
	}
	g.styles &= styles
}

// guessFloat reads a float whose value survives. An exponent without a sign and
// without a point before it is not taken for one: 12E4 may well be a name; and a
// whole number beyond 2^53 may well be one too.
func guessFloat(text []byte) (n numeral, styles textStyles, ok bool) {
	n, ok = scanNumeral(text)
	if !ok {
		return n, asDotted | asBare, isNonFinite(text)
	}
	if !n.point && !n.exponent && !n.zero {
		whole, ok := parseInteger(text)
		return n, asBare, ok && whole >= -maxExactInteger && whole <= maxExactInteger
	}
	if n.exponent && !n.point && !n.sign {
		return n, 0, false
	}
	styles, ok = n.survives(text)
	return n, styles, ok
}

// typ returns the type that the guess stands for.
func (g *guess) typ() *nimble.Type {
	switch g.kind {
	case guessBoolean:
		return &nimble.Type{Kind: nimble.Boolean}
	case guessInteger:
		if g.low >= math.MinInt32 && g.high <= math.MaxInt32 {
			return &nimble.Type{Kind: nimble.Integer}
		}
		return &nimble.Type{Kind: nimble.BigInt}
	case guessDouble:
		t := &nimble.Type{Kind: nimble.Double}
		switch {
		case g.styles&asDotted != 0:
		case g.styles&asBare != 0:
			setAttribute(t, TextKey, bareText)
		case g.styles&asFixed != 0:
			setAttribute(t, TextKey, fmt.Sprintf("fixed(%d)", g.decimals))
		}
		return t
	case guessDate:
		return nimble.Logical{Kind: nimble.LogicalDate}.Type()
	case guessTimestamp:
		t := nimble.Logical{Kind: nimble.LogicalTimestamp, Unit: g.form.unit()}.Type()
		if g.form.zone == 0 {
			setAttribute(t, ZoneKey, LocalZone)
		}
		setAttribute(t, TextKey, g.form.String())
		return t
	default:
		return &nimble.Type{Kind: nimble.Varchar}
	}
}

const bareText = "bare"

// styleOf returns how the floats of a type print.
func styleOf(t *nimble.Type) floatStyle {
	text := attribute(t, TextKey)
	if text == bareText {
		return floatStyle{fixed: -1, bare: true}
	}
	digits, ok := strings.CutPrefix(text, "fixed(")
	if !ok {
		return dottedStyle
	}
	n, err := strconv.Atoi(strings.TrimSuffix(digits, ")"))
	if err != nil || n < 1 || n > maxFixed {
		return dottedStyle
	}
	return floatStyle{fixed: n}
}

func parseBool(text []byte) (value, ok bool) {
	switch string(text) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}
