package encoding

import (
	"bytes"
	"encoding/binary"
)

// Arrays by hand, for tests of what no writer writes.

// array joins a prefix with a fixed row count and the parts of a body.
func array(k Kind, t DataType, rows int, parts ...[]byte) []byte {
	b := []byte{byte(k), byte(t)}
	b = binary.LittleEndian.AppendUint32(b, uint32(rows))
	return append(b, bytes.Join(parts, nil)...)
}

// trivial32 is a plain array of values.
func trivial32(values ...uint32) []byte {
	body := []byte{0}
	for _, v := range values {
		body = binary.LittleEndian.AppendUint32(body, v)
	}
	return array(KindTrivial, Uint32, len(values), body)
}

// trivialBits is a plain array of bools.
func trivialBits(values ...bool) []byte {
	packed := make([]byte, (len(values)+7)/8+7)
	for i, v := range values {
		if v {
			packed[i/8] |= 1 << (i % 8)
		}
	}
	return array(KindTrivial, Bool, len(values), []byte{0}, packed)
}

// sized puts a u32 size before b.
func sized(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// varsized puts a varint size before b.
func varsized(b []byte) []byte {
	return append(binary.AppendUvarint(nil, uint64(len(b))), b...)
}

func word(x uint32) []byte { return binary.LittleEndian.AppendUint32(nil, x) }

func uvarints(values ...uint64) []byte {
	var b []byte
	for _, v := range values {
		b = binary.AppendUvarint(b, v)
	}
	return b
}
