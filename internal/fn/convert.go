package fn

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/decantdb/decant/internal/sql"
	"github.com/decantdb/decant/vector"
)

// Conversion returns how values of one type become values of another, as Java
// and Pinot convert them: floats are cut off and held within the range of
// integers, wide integers lose their high bits, texts are parsed. Its error
// wraps ErrArguments.
func Conversion(from, to Type) (Signature, error) {
	s := Signature{Args: []Type{from}, Type: to}
	if from.Array() && to.Array() {
		elem, err := Conversion(from.Elem(), to.Elem())
		s.New = func() Kernel { return convertElements(elem) }
		return s, err
	}
	var make func(Type) func() Kernel
	switch {
	case from.Array() != to.Array():
		make = rows(func(*Row) error { return badValue("a %v where a %v is needed", from, to) })
	case from == to:
		make = pass
	case to == Boolean:
		make = toBoolean(from)
	case to == String || to == JSON:
		make = rows(toText(from))
	case to == Bytes || to == BigDecimal:
		make = rows(toBytes(from, to))
	case from.Textual() || from == BigDecimal:
		make = rows(fromText(from, to))
	default:
		make = betweenNumbers(from, to)
	}
	if make == nil {
		return s, fmt.Errorf("%w: a %v as a %v", ErrArguments, from, to)
	}
	s.New = make(to)
	return s, nil
}

func pass(Type) func() Kernel {
	return func() Kernel {
		return func(in *Input) (vector.Vector, error) { return in.Args[0], nil }
	}
}

// convertElements converts the elements of lists.
func convertElements(elem Signature) Kernel {
	convert := elem.New()
	out := vector.NewList(nil, NewVector(elem.Type))
	return func(in *Input) (vector.Vector, error) {
		list := in.Args[0].(*vector.List)
		e, err := convert(&Input{N: list.Elem.Len(), Args: []vector.Vector{list.Elem}, Valid: list.Elem.Validity()})
		if err != nil {
			return nil, err
		}
		out.Elem = e
		out.Offsets, out.Valid = list.Offsets, list.Valid
		out.N = list.N
		return out, nil
	}
}

type integer interface{ int32 | int64 }

type floating interface{ float32 | float64 }

// betweenNumbers converts numbers, moments and bools to numbers and moments.
func betweenNumbers(from, to Type) func(Type) func() Kernel {
	switch to {
	case Int:
		return toInteger[int32](from)
	case Long, Timestamp:
		return toInteger[int64](from)
	case Float:
		return toFloating[float32](from)
	case Double:
		return toFloating[float64](from)
	}
	return nil
}

func toInteger[R integer](from Type) func(Type) func() Kernel {
	switch from {
	case Int:
		return loop1(cast[R, int32])
	case Long, Timestamp:
		return loop1(cast[R, int64])
	case Float:
		return loop1(cut[R, float32])
	case Double:
		return loop1(cut[R, float64])
	case Boolean:
		return rows(func(r *Row) error { r.I = bit(r.Bool(0)); return nil })
	}
	return nil
}

func toFloating[R floating](from Type) func(Type) func() Kernel {
	switch from {
	case Int:
		return loop1(cast[R, int32])
	case Long, Timestamp:
		return loop1(cast[R, int64])
	case Float:
		return loop1(cast[R, float32])
	case Double:
		return loop1(cast[R, float64])
	case Boolean:
		return rows(func(r *Row) error { r.F = float64(bit(r.Bool(0))); return nil })
	}
	return nil
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func cast[R integer | floating, A integer | floating](dst []R, a []A) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = R(a[i])
	}
}

// cut makes integers of floats: NaN is 0, what is beyond the range its end.
func cut[R integer, A floating](dst []R, a []A) {
	a = a[:len(dst)]
	for i := range dst {
		dst[i] = cutOne[R](float64(a[i]))
	}
}

func cutOne[R integer](x float64) R {
	var zero R
	if _, narrow := any(zero).(int32); narrow {
		return R(int32(max(math.MinInt32, min(math.MaxInt32, toInt64(x)))))
	}
	return R(toInt64(x))
}

// toInt64 is Java's (long) of a double.
func toInt64(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= 1<<63:
		return math.MaxInt64
	case x < -1<<63:
		return math.MinInt64
	}
	return int64(x)
}

func toBoolean(from Type) func(Type) func() Kernel {
	switch from {
	case Int, Long, Timestamp:
		return rows(func(r *Row) error { r.B = r.Int(0) != 0; return nil })
	case Float, Double:
		return rows(func(r *Row) error { r.B = r.Float(0) != 0; return nil })
	case BigDecimal:
		return rows(func(r *Row) error { r.B = strings.Trim(string(r.Text(0)), "-0.") != ""; return nil })
	case String, JSON:
		return rows(func(r *Row) error { r.B = IsTrueText(r.Text(0)); return nil })
	}
	return nil
}

// IsTrueText reports whether a text is a true BOOLEAN.
func IsTrueText(s []byte) bool {
	return len(s) == 1 && s[0] == '1' || len(s) == 4 && strings.EqualFold(string(s), "true")
}

// toText writes values as Java and Pinot do.
func toText(from Type) func(*Row) error {
	return func(r *Row) error {
		r.Out = r.args[0].appendText(r.Out, from, r.args[0].at)
		return nil
	}
}

func (a *rowArg) appendText(dst []byte, t Type, i int) []byte {
	switch t {
	case Int, Long:
		return strconv.AppendInt(dst, a.int(i), 10)
	case Timestamp:
		return AppendMoment(dst, a.int(i))
	case Float:
		return sql.AppendJavaFloat(dst, a.float(i), 32)
	case Double:
		return sql.AppendJavaFloat(dst, a.float(i), 64)
	case Boolean:
		return strconv.AppendBool(dst, vector.Bit(a.bits, i))
	case Bytes:
		return hex.AppendEncode(dst, a.text(i))
	}
	return append(dst, a.text(i)...)
}

// toBytes makes BYTES of texts in hexadecimal digits, and BIG_DECIMAL of numbers.
func toBytes(from, to Type) func(*Row) error {
	switch {
	case to == Bytes && (from == String || from == JSON):
		return func(r *Row) (err error) {
			if r.Out, err = hex.AppendDecode(r.Out, r.Text(0)); err != nil {
				return badValue("%q is not hexadecimal", r.Text(0))
			}
			return nil
		}
	case to == Bytes && from == BigDecimal:
		return bigDecimalToBytes(false)
	case to == BigDecimal && from == Bytes:
		return bytesToBigDecimal
	case to == Bytes:
		return func(*Row) error { return badValue("a %v as BYTES", from) }
	}
	return func(r *Row) error {
		d := decimalsOf(r)
		var text []byte
		if from == Boolean {
			text = strconv.AppendInt(nil, bit(r.Bool(0)), 10)
		} else if from == Timestamp {
			text = strconv.AppendInt(nil, r.Int(0), 10)
		} else {
			text = r.args[0].appendText(nil, from, r.args[0].at)
		}
		if err := parseDecimal(&d.a, string(text)); err != nil {
			return err
		}
		r.Out = d.a.append(r.Out)
		return nil
	}
}

// fromText parses texts and decimals as numbers and moments.
func fromText(from, to Type) func(*Row) error {
	switch to {
	case Int, Long:
		if from == BigDecimal {
			return func(r *Row) error {
				d := decimalsOf(r)
				if err := parseDecimal(&d.a, string(r.Text(0))); err != nil {
					return err
				}
				r.I = lowBits(d.a.whole())
				return nil
			}
		}
		bits := 64
		if to == Int {
			bits = 32
		}
		return func(r *Row) (err error) {
			if r.I, err = strconv.ParseInt(string(r.Text(0)), 10, bits); err != nil {
				return badValue("%q is no %v", r.Text(0), to)
			}
			return nil
		}
	case Float, Double:
		return func(r *Row) (err error) { r.F, err = parseFloat(string(r.Text(0)), to); return err }
	case Timestamp:
		return func(r *Row) (err error) {
			if r.I, err = ParseMoment(string(r.Text(0))); err != nil {
				return badValue("invalid timestamp: '%s'", r.Text(0))
			}
			return nil
		}
	}
	return nil
}

// parseFloat reads what Java's Double.parseDouble reads.
func parseFloat(s string, t Type) (float64, error) {
	text := strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
	bits := 64
	if t == Float {
		bits = 32
	}
	switch strings.TrimLeft(text, "+-") {
	case "NaN":
		return math.NaN(), nil
	case "Infinity":
		return math.Inf(1 - 2*strings.Count(text, "-")), nil
	}
	if n := len(text); n > 1 && strings.ContainsRune("fFdD", rune(text[n-1])) && !strings.HasPrefix(text, "0x") {
		text = text[:n-1]
	}
	if strings.ContainsAny(text, "_nN") && !strings.HasPrefix(text, "0x") {
		return 0, badValue("%q is no %v", s, t)
	}
	x, err := strconv.ParseFloat(text, bits)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, badValue("%q is no %v", s, t)
	}
	return x, nil
}

// momentLayouts are the texts of moments that Pinot reads. Where none is given
// the zone is UTC.
var momentLayouts = []string{
	"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999Z07:00",
	"2006-01-02T15:04:05.999999999", "2006-01-02",
}

// ParseMoment returns the milliseconds of a moment's text, or of milliseconds
// as text.
func ParseMoment(s string) (int64, error) {
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
		return ms, nil
	}
	var err error
	for _, layout := range momentLayouts {
		var at time.Time
		if at, err = time.ParseInLocation(layout, s, time.UTC); err == nil {
			return at.UnixMilli(), nil
		}
	}
	return 0, err
}
