package fn

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// toCharset encodes a text in a charset that Java has everywhere.
func toCharset(r *Row) error {
	text := r.Text(0)
	switch name := strings.ToUpper(string(r.Text(1))); name {
	case "UTF-8", "UTF8":
		r.Out = append(r.Out, text...)
	case "US-ASCII", "ASCII":
		r.Out = appendASCII(r.Out, text)
	case "ISO-8859-1", "LATIN1":
		for _, c := range string(text) {
			if c > 0xff {
				c = '?'
			}
			r.Out = append(r.Out, byte(c))
		}
	case "UTF-16", "UTF-16BE", "UTF-16LE":
		if name == "UTF-16" {
			r.Out = append(r.Out, 0xfe, 0xff)
		}
		var order binary.AppendByteOrder = binary.BigEndian
		if name == "UTF-16LE" {
			order = binary.LittleEndian
		}
		for _, unit := range utf16.Encode([]rune(string(text))) {
			r.Out = order.AppendUint16(r.Out, unit)
		}
	default:
		return badValue("charset %q", r.Text(1))
	}
	return nil
}

// fromCharset decodes bytes in a charset that Java has everywhere.
func fromCharset(r *Row) error {
	raw := r.Text(0)
	switch name := strings.ToUpper(string(r.Text(1))); name {
	case "UTF-8", "UTF8":
		r.Out = decodeUTF8(r.Out, raw)
	case "US-ASCII", "ASCII":
		r.Out = decodeASCII(r.Out, raw)
	case "ISO-8859-1", "LATIN1":
		for _, b := range raw {
			r.Out = utf8.AppendRune(r.Out, rune(b))
		}
	case "UTF-16", "UTF-16BE", "UTF-16LE":
		var order binary.ByteOrder = binary.BigEndian
		if name == "UTF-16LE" || name == "UTF-16" && len(raw) > 1 && raw[0] == 0xff && raw[1] == 0xfe {
			order = binary.LittleEndian
		}
		var units []uint16
		for ; len(raw) > 1; raw = raw[2:] {
			units = append(units, order.Uint16(raw))
		}
		if name == "UTF-16" && len(units) > 0 && units[0] == 0xfeff {
			units = units[1:]
		}
		r.Out = append(r.Out, string(utf16.Decode(units))...)
		if len(raw) > 0 {
			r.Out = utf8.AppendRune(r.Out, utf8.RuneError)
		}
	default:
		return badValue("charset %q", r.Text(1))
	}
	return nil
}
