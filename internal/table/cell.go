package table

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// ErrValue means that a value cannot be taken into a field.
var ErrValue = errors.New("invalid value")

func badValue(text string, t Type) error {
	const most = 60
	if len(text) > most {
		text = text[:most] + "..."
	}
	return fmt.Errorf("%w: %q is no %v", ErrValue, text, t)
}

// cell is one value on its way from a file into a field.
type cell struct {
	kind form
	i    int64   // whole, truth, moment (milliseconds)
	f    float64 // fraction
	text []byte  // text, binary
}

// form is which of a cell's members counts.
type form uint8

const (
	null form = iota
	whole
	fraction
	truth
	moment
	text
	binary
)

const (
	millisOfDay    = 86_400_000
	microsOfMillis = 1000
)

// read reads a row of a column of type t.
func (c *cell) read(v vector.Vector, t *nimble.Type, l nimble.Logical, row int) error {
	c.kind = null
	if !vector.Valid(v.Validity(), row) {
		return nil
	}
	switch v := v.(type) {
	case *vector.Bools:
		c.kind, c.i = truth, 0
		if vector.Bit(v.Bits, row) {
			c.i = 1
		}
	case *vector.Vec[int8]:
		c.setWhole(int64(v.Values[v.ValueIndex(row)]), l)
	case *vector.Vec[int16]:
		c.setWhole(int64(v.Values[v.ValueIndex(row)]), l)
	case *vector.Vec[int32]:
		c.setWhole(int64(v.Values[v.ValueIndex(row)]), l)
	case *vector.Vec[int64]:
		c.setWhole(v.Values[v.ValueIndex(row)], l)
	case *vector.Vec[float32]:
		c.kind, c.f = fraction, float64(v.Values[v.ValueIndex(row)])
		c.text = strconv.AppendFloat(c.text[:0], c.f, 'g', -1, 32)
	case *vector.Vec[float64]:
		c.kind, c.f = fraction, v.Values[v.ValueIndex(row)]
		c.text = strconv.AppendFloat(c.text[:0], c.f, 'g', -1, 64)
	case *vector.Timestamps:
		micros := v.Micros.Values[v.Micros.ValueIndex(row)]
		c.kind, c.i = moment, micros/microsOfMillis
		if micros%microsOfMillis < 0 {
			c.i--
		}
	case *vector.Vec[vector.View]:
		c.kind = text
		if t.Kind == nimble.Varbinary {
			c.kind = binary
		}
		c.text = append(c.text[:0], v.Values[v.ValueIndex(row)].Bytes(v.Buffers.List())...)
	default:
		return fmt.Errorf("%w: a %v has no place in a field", ErrValue, t.Kind)
	}
	return nil
}

func (c *cell) setWhole(x int64, l nimble.Logical) {
	c.kind, c.i = whole, x
	switch l.Kind {
	case nimble.LogicalDate:
		c.kind, c.i = moment, x*millisOfDay
	case nimble.LogicalDecimal:
		c.kind = text
		c.text = append(c.text[:0], new(big.Rat).SetFrac(big.NewInt(x),
			new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(l.Scale)), nil)).FloatString(l.Scale)...)
	}
}

// parse makes c the value of a text as type t.
func (c *cell) parse(t Type, s string) error {
	c.kind, c.text = text, append(c.text[:0], s...)
	return c.convert(t)
}

// unquote makes a value of JSON what it says: the content of a string, null, or the
// text of anything else.
func (c *cell) unquote() error {
	switch {
	case string(c.text) == "null":
		c.kind = null
	case bytes.HasPrefix(c.text, []byte(`"`)):
		var s string
		if err := json.Unmarshal(c.text, &s); err != nil {
			return fmt.Errorf("%w: %v", ErrValue, err)
		}
		c.text = append(c.text[:0], s...)
	}
	return nil
}

// convert turns c into what a field of type t stores: a whole for INT and LONG, a
// fraction for FLOAT and DOUBLE, a truth, a moment, a text for STRING, JSON and
// BIG_DECIMAL, or a binary.
func (c *cell) convert(t Type) error {
	if c.kind == null {
		return nil
	}
	switch t {
	case Int, Long:
		return c.toWhole(t)
	case Float, Double:
		return c.toFraction(t)
	case BigDecimal:
		return c.toDecimal()
	case Boolean:
		return c.toTruth()
	case Timestamp:
		return c.toMoment()
	case JSON:
		return c.toJSON()
	case Bytes:
		return c.toBinary()
	}
	c.kind, c.text = text, c.appendText(nil)
	return nil
}

// appendText appends the value as Pinot writes it.
func (c *cell) appendText(dst []byte) []byte {
	switch c.kind {
	case whole:
		return strconv.AppendInt(dst, c.i, 10)
	case truth:
		return strconv.AppendBool(dst, c.i != 0)
	case moment:
		dst = time.UnixMilli(c.i).UTC().AppendFormat(dst, "2006-01-02 15:04:05.000")
		for dst[len(dst)-1] == '0' && dst[len(dst)-2] != '.' { // as java.sql.Timestamp
			dst = dst[:len(dst)-1]
		}
		return dst
	case binary:
		return hex.AppendEncode(dst, c.text)
	}
	return append(dst, c.text...)
}

func (c *cell) toWhole(t Type) error {
	switch c.kind {
	case fraction:
		if !(c.f >= -1<<63 && c.f < 1<<63) {
			return badValue(string(c.text), t)
		}
		c.i = int64(c.f)
	case text:
		s := strings.TrimSpace(string(c.text))
		x, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			f, ok := new(big.Float).SetPrec(256).SetString(s) // 1e3, 12.0
			if !ok {
				return badValue(s, t)
			}
			if x, _ = f.Int64(); !f.IsInt() && new(big.Float).Abs(f).Cmp(big.NewFloat(1<<62)) > 0 {
				return badValue(s, t)
			}
		}
		c.i = x
	case binary:
		return badValue(string(c.appendText(nil)), t)
	}
	if t == Int && c.i != int64(int32(c.i)) {
		return badValue(strconv.FormatInt(c.i, 10), t)
	}
	c.kind = whole
	return nil
}

func (c *cell) toFraction(t Type) error {
	switch c.kind {
	case whole, truth, moment:
		c.f = float64(c.i)
	case text:
		bits := 64
		if t == Float {
			bits = 32
		}
		s := strings.TrimSpace(string(c.text))
		f, err := strconv.ParseFloat(s, bits)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return badValue(s, t)
		}
		c.f = f
	case binary:
		return badValue(string(c.appendText(nil)), t)
	}
	c.kind = fraction
	if t == Float {
		c.f = float64(float32(c.f))
	}
	switch {
	case math.IsNaN(c.f): // Pinot stores a NaN as null
		c.kind = null
	case c.f == 0: // and no negative zero
		c.f = 0
	}
	return nil
}

// toDecimal makes c a decimal without an exponent and without zeros at its end.
func (c *cell) toDecimal() error {
	s := strings.TrimSpace(string(c.appendText(nil)))
	if c.kind == truth || c.kind == moment {
		s = strconv.FormatInt(c.i, 10)
	}
	const mostExponent = 1 << 14
	if _, exponent, ok := strings.Cut(strings.ToLower(s), "e"); ok {
		if e, err := strconv.Atoi(exponent); err != nil || e > mostExponent || e < -mostExponent {
			return badValue(s, BigDecimal)
		}
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok || strings.ContainsAny(s, "/xXpP_bBoO") {
		return badValue(s, BigDecimal)
	}
	digits, exact := r.FloatPrec()
	if !exact {
		return badValue(s, BigDecimal)
	}
	c.kind, c.text = text, append(c.text[:0], r.FloatString(digits)...)
	return nil
}

func (c *cell) toTruth() error {
	switch c.kind {
	case fraction:
		c.i = 0
		if c.f != 0 {
			c.i = 1
		}
	case text:
		switch strings.ToLower(strings.TrimSpace(string(c.text))) {
		case "true", "1":
			c.i = 1
		default: // as Java's Boolean.parseBoolean
			c.i = 0
		}
	case binary:
		return badValue(string(c.appendText(nil)), Boolean)
	}
	if c.i != 0 {
		c.i = 1
	}
	c.kind = truth
	return nil
}

// momentForms are how moments are written, beside milliseconds since 1970.
var momentForms = []string{"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999", "2006-01-02"}

func (c *cell) toMoment() error {
	switch c.kind {
	case fraction:
		if err := c.toWhole(Timestamp); err != nil {
			return err
		}
	case text:
		s := strings.TrimSpace(string(c.text))
		x, err := strconv.ParseInt(s, 10, 64)
		for _, form := range momentForms {
			if err == nil {
				break
			}
			var at time.Time
			if at, err = time.Parse(form, s); err == nil {
				x = at.UnixMilli()
			}
		}
		if err != nil {
			return badValue(s, Timestamp)
		}
		c.i = x
	case binary, truth:
		return badValue(string(c.appendText(nil)), Timestamp)
	}
	if c.i > math.MaxInt64/microsOfMillis || c.i < math.MinInt64/microsOfMillis {
		return badValue(strconv.FormatInt(c.i, 10), Timestamp)
	}
	c.kind = moment
	return nil
}

// toJSON makes c a document in compact form.
func (c *cell) toJSON() error {
	raw := c.appendText(nil)
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return badValue(string(raw), JSON)
	}
	c.kind, c.text = text, compact.Bytes()
	return nil
}

func (c *cell) toBinary() error {
	switch c.kind {
	case binary:
		return nil
	case text:
		raw, err := hex.DecodeString(string(c.text))
		if err != nil {
			return badValue(string(c.text), Bytes)
		}
		c.kind, c.text = binary, raw
		return nil
	}
	return badValue(string(c.appendText(nil)), Bytes)
}
