package sql

import (
	"math"
	"math/big"
	"strconv"
)

func stringLiteral(at Pos, text string) *Literal {
	return &Literal{At: at, Type: String, Value: unquotePairs(text)}
}

// numberLiteral gives the value of a number token. Integers wrap at 64 bits, as
// BigInteger.longValue does; a decimal beyond the range of a double is infinite.
// There is no negative zero.
func numberLiteral(at Pos, text string, negative bool) *Literal {
	if digitsLength(text) < len(text) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			v = math.Inf(1) // the only error of a well-formed number is its range
		}
		if negative && v != 0 {
			v = -v
		}
		return &Literal{At: at, Type: Double, Value: v}
	}
	var n uint64
	for _, digit := range []byte(text) {
		n = n*10 + uint64(digit-'0')
	}
	if negative {
		n = -n
	}
	if v := int64(n); v != int64(int32(v)) {
		return &Literal{At: at, Type: Long, Value: v}
	}
	return &Literal{At: at, Type: Int, Value: int32(n)}
}

// hexLiteral gives X'...' as Pinot passes it on: the string of its binary
// digits without leading zeros.
func hexLiteral(at Pos, digits string) (*Literal, error) {
	if digits == "" {
		return &Literal{At: at, Type: String, Value: ""}, nil
	}
	n, ok := new(big.Int).SetString(digits, 16)
	if !ok || n.Sign() < 0 || digits[0] == '+' || digits[0] == '-' {
		return nil, syntaxError(at, "expected hexadecimal digits, found %q", digits)
	}
	return &Literal{At: at, Type: String, Value: n.Text(2)}, nil
}

// interval reads INTERVAL [-]'text' UNIT [TO UNIT], which Pinot takes for the
// string of its text.
func (p *parser) interval() (Expr, error) {
	at := p.take().at
	sign := ""
	if p.symbol("-") {
		sign = "-"
	}
	text := p.peek(0)
	if text.kind != tokenString {
		return nil, p.unexpected(text, "string")
	}
	p.skip(1)
	if _, err := p.unit(); err != nil {
		return nil, err
	}
	if p.words("TO") {
		if _, err := p.unit(); err != nil {
			return nil, err
		}
	}
	return stringLiteral(at, sign+text.text), nil
}

// array reads ARRAY[...].
func (p *parser) array() (Expr, error) {
	at := p.peek(0).at
	p.skip(2)
	if p.symbol("]") {
		return p.call(at, OpArray, false)
	}
	elements, err := list(p, p.anyExpr)
	if err == nil {
		err = p.expectSymbol("]")
	}
	if err != nil {
		return nil, err
	}
	return p.call(at, OpArray, false, elements...)
}
