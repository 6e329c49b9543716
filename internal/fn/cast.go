package fn

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"
)

// casts is CAST.
var casts = []Function{
	{Name: "cast", Rows: resolveCast(func(from, to Type) (Signature, error) {
		if to == Bytes {
			s := Signature{Args: []Type{from}, Type: to}
			s.New = rows(func(*Row) error { return badValue("cannot read a %v as BYTES", from) })(to)
			return s, nil
		}
		return Conversion(from, to)
	}), Fold: resolveCast(Conversion)},
}

func resolveCast(conversion func(from, to Type) (Signature, error)) Resolver {
	return func(args []Arg) (Signature, error) {
		if len(args) != 2 || args[1].Literal == nil || args[1].Type != String {
			return Signature{}, wrongNumber(args)
		}
		to, ok := ParseType(args[1].Literal.S)
		if !ok {
			return Signature{}, badValue("unknown data type %q", args[1].Literal.S)
		}
		from := args[0].Type
		if from.Array() && !to.Array() {
			if to, ok = ArrayOf(to); !ok {
				return Signature{}, wrongNumber(args)
			}
		}
		if from == Unknown { // NULL
			return Signature{Args: []Type{to, Unknown}, Type: to, New: pass(to)}, nil
		}
		s, err := conversion(from, to)
		s.Args = append(s.Args, Unknown)
		return s, err
	}
}

// binaries is the family of functions between texts, numbers and bytes.
var binaries = []Function{
	{Name: "base64encode", Rows: takes(Bytes, rows(toBase64), Bytes)},
	{Name: "base64decode", Rows: takes(Bytes, rows(fromBase64), Bytes)},
	{Name: "tobase64", Rows: takes(String, rows(toBase64), Bytes)},
	{Name: "frombase64", Rows: takes(Bytes, rows(fromBase64), String)},
	{Name: "bigdecimaltobytes", Rows: resolveDecimalBytes},
	{Name: "bytestobigdecimal", Rows: takes(BigDecimal, rows(bytesToBigDecimal), Bytes)},
	{Name: "bytestohex", Rows: takes(String, rows(bytesToHex), Bytes)},
	{Name: "hextobytes", Rows: takes(Bytes, rows(toBytes(String, Bytes)), String)},
	{Name: "hexdecimaltolong", Rows: takes(Long, rows(hexToLong), String)},
	{Name: "longtohexdecimal", Rows: takes(String, rows(longToHex), Long)},
	{Name: "toascii", Rows: takes(Bytes, rows(func(r *Row) error { r.Out = appendASCII(r.Out, r.Text(0)); return nil }), String)},
	{Name: "fromascii", Rows: takes(String, rows(func(r *Row) error { r.Out = decodeASCII(r.Out, r.Text(0)); return nil }), Bytes)},
	{Name: "toutf8", Rows: takes(Bytes, rows(copyText), String)},
	{Name: "fromutf8", Rows: takes(String, rows(func(r *Row) error { r.Out = decodeUTF8(r.Out, r.Text(0)); return nil }), Bytes)},
	{Name: "tobytes", Rows: takes(Bytes, rows(toCharset), String, String)},
	{Name: "frombytes", Rows: takes(String, rows(fromCharset), Bytes, String)},
	{Name: "touuidbytes", Rows: takes(Bytes, rows(toUUIDBytes), String)},
	{Name: "fromuuidbytes", Rows: takes(String, rows(fromUUIDBytes), Bytes)},
}

func copyText(r *Row) error {
	r.Out = append(r.Out, r.Text(0)...)
	return nil
}

func toBase64(r *Row) error {
	r.Out = base64.StdEncoding.AppendEncode(r.Out, r.Text(0))
	return nil
}

func fromBase64(r *Row) (err error) {
	text := r.Text(0)
	coding := base64.StdEncoding
	if len(text)%4 != 0 {
		coding = base64.RawStdEncoding
	}
	if r.Out, err = coding.AppendDecode(r.Out, text); err != nil || slices.Contains(text, '\n') {
		return badValue("illegal base64 %q", text)
	}
	return nil
}

func resolveDecimalBytes(args []Arg) (Signature, error) {
	column := slices.ContainsFunc(stored(args), func(s bool) bool { return s })
	return takes(Bytes, rows(bigDecimalToBytes(column)), BigDecimal)(args)
}

// bigDecimalToBytes writes a decimal as Pinot stores it: the scale in two bytes,
// then the unscaled number in two's complement, both big-endian.
func bigDecimalToBytes(stored bool) func(*Row) error {
	return func(r *Row) error {
		d := decimalsOf(r)
		if err := d.a.read(r, 0, stored); err != nil {
			return err
		}
		r.Out = binary.BigEndian.AppendUint16(r.Out, uint16(d.a.scale))
		r.Out = appendTwosComplement(r.Out, &d.a.unscaled)
		return nil
	}
}

func appendTwosComplement(dst []byte, x *big.Int) []byte {
	n := x.BitLen()/8 + 1
	if x.Sign() < 0 {
		n = new(big.Int).Not(x).BitLen()/8 + 1
	}
	value := x
	if x.Sign() < 0 {
		value = new(big.Int).Add(x, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	return append(dst, value.FillBytes(make([]byte, n))...)
}

func bytesToBigDecimal(r *Row) error {
	raw := r.Text(0)
	if len(raw) < 3 {
		return badValue("%d bytes are no BIG_DECIMAL", len(raw))
	}
	d := decimalsOf(r)
	d.a.scale = int(int16(binary.BigEndian.Uint16(raw)))
	d.a.unscaled.SetBytes(raw[2:])
	if raw[2]&0x80 != 0 {
		d.a.unscaled.Sub(&d.a.unscaled, new(big.Int).Lsh(big.NewInt(1), uint(8*len(raw[2:]))))
	}
	r.Out = d.a.append(r.Out)
	return nil
}

func bytesToHex(r *Row) error {
	r.Out = hex.AppendEncode(r.Out, r.Text(0))
	return nil
}

func hexToLong(r *Row) (err error) {
	text := string(r.Text(0))
	if len(text) > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') {
		text = text[2:]
	}
	if r.I, err = strconv.ParseInt(text, 16, 64); err != nil {
		return badValue("%q is no hexadecimal LONG", text)
	}
	return nil
}

func longToHex(r *Row) error {
	r.Out = strconv.AppendUint(r.Out, uint64(r.Int(0)), 16)
	return nil
}

// appendASCII writes a question mark for each UTF-16 pair or unit beyond ASCII.
func appendASCII(dst, text []byte) []byte {
	for _, c := range string(text) {
		if c >= utf8.RuneSelf {
			c = '?'
		}
		dst = append(dst, byte(c))
	}
	return dst
}

func decodeASCII(dst, raw []byte) []byte {
	for _, b := range raw {
		if b < utf8.RuneSelf {
			dst = append(dst, b)
		} else {
			dst = utf8.AppendRune(dst, utf8.RuneError)
		}
	}
	return dst
}

// decodeUTF8 replaces what is not UTF-8: each longest start of a character, or
// else each byte, by U+FFFD.
func decodeUTF8(dst, raw []byte) []byte {
	for len(raw) > 0 {
		c, size := utf8.DecodeRune(raw)
		if c == utf8.RuneError && size == 1 {
			size = max(1, startLength(raw))
		}
		dst = utf8.AppendRune(dst, c)
		raw = raw[size:]
	}
	return dst
}

// startLength returns how many bytes begin a character that does not end.
func startLength(raw []byte) int {
	for n := min(3, len(raw)); n > 1; n-- {
		if !utf8.FullRune(raw[:n]) {
			return n
		}
	}
	return 1
}

func toUUIDBytes(r *Row) (err error) {
	text := r.Text(0)
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return badValue("%q is no UUID", text)
	}
	digits := slices.DeleteFunc(slices.Clone(text), func(c byte) bool { return c == '-' })
	if r.Out, err = hex.AppendDecode(r.Out, digits); err != nil {
		return badValue("%q is no UUID", text)
	}
	return nil
}

func fromUUIDBytes(r *Row) error {
	raw := r.Text(0)
	if len(raw) != 16 {
		return badValue("%d bytes are no UUID", len(raw))
	}
	for i, end := range []int{4, 6, 8, 10, 16} {
		if i > 0 {
			r.Out = append(r.Out, '-')
		}
		r.Out = hex.AppendEncode(r.Out, raw[[]int{0, 4, 6, 8, 10}[i]:end])
	}
	return nil
}
