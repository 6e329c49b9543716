package tablet_test

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"
)

// The three encodings that arrays of stripe groups use, all without compression:
//
//	constant         09 06 n:u32 value:u32
//	trivial          00 06 n:u32 00 value:u32 × n
//	fixed bit width  03 06 n:u32 00 base:u32 width:u8 packed, 7 bytes 0
//
// Package nimble brings its own encodings; these are for tests of the container.
const (
	trivialID  = 0
	fixedID    = 3
	constantID = 9
	uint32Type = 6
	slopBytes  = 7
)

var errGroupArray = errors.New("bad array")

func encodeGroupArray(dst []byte, values []uint32) ([]byte, error) {
	n := len(values)
	lo, hi := slices.Min(values), slices.Max(values)
	width := (max(1, bits.Len32(hi-lo)) + 7) / 8 * 8
	head := func(id byte) []byte {
		return binary.LittleEndian.AppendUint32(append(dst, id, uint32Type), uint32(n))
	}
	switch {
	case lo == hi:
		return binary.LittleEndian.AppendUint32(head(constantID), lo), nil
	case 1+4*n <= 6+n*width/8: // the reference's estimate leaves out the slop
		dst = append(head(trivialID), 0)
		for _, v := range values {
			dst = binary.LittleEndian.AppendUint32(dst, v)
		}
		return dst, nil
	}
	dst = binary.LittleEndian.AppendUint32(append(head(fixedID), 0), lo)
	dst = append(dst, byte(width))
	for _, v := range values {
		word := binary.LittleEndian.AppendUint32(nil, v-lo)
		dst = append(dst, word[:width/8]...)
	}
	return append(dst, make([]byte, slopBytes)...), nil
}

func decodeGroupArray(dst []uint32, array []byte) error {
	if len(array) < 6 || array[1] != uint32Type || uint64(binary.LittleEndian.Uint32(array[2:])) != uint64(len(dst)) {
		return errGroupArray
	}
	id, payload := array[0], array[6:]
	switch {
	case id == constantID && len(payload) == 4:
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint32(payload)
		}
		return nil
	case id == trivialID && len(payload) == 1+4*len(dst) && payload[0] == 0:
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint32(payload[1+4*i:])
		}
		return nil
	case id == fixedID && len(payload) > 6 && payload[0] == 0 && payload[5] <= 32:
		base, width := binary.LittleEndian.Uint32(payload[1:]), int(payload[5])
		packed := payload[6:]
		if len(packed) != (len(dst)*width+7)/8+slopBytes {
			return errGroupArray
		}
		for i := range dst {
			at := i * width
			word := binary.LittleEndian.Uint64(packed[at/8:]) >> (at % 8)
			dst[i] = base + uint32(word&(1<<width-1)&math.MaxUint32)
		}
		return nil
	}
	return errGroupArray
}
