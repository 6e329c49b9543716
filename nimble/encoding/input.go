package encoding

import (
	"encoding/binary"
	"math"
)

// input takes fields from the front of an array's body. The first field that
// is not there sets err; those after it are zero.
type input struct {
	data []byte
	err  error
}

// bytes takes n bytes, for the field called what.
func (in *input) bytes(n int, what string) []byte {
	if in.err != nil {
		return nil
	}
	if n < 0 || n > len(in.data) {
		in.err = corrupt("%s of %d bytes exceeds the %d that are left", what, n, len(in.data))
		return nil
	}
	b := in.data[:n:n]
	in.data = in.data[n:]
	return b
}

func (in *input) u8(what string) uint8 {
	if b := in.bytes(1, what); b != nil {
		return b[0]
	}
	return 0
}

func (in *input) u32(what string) int {
	if b := in.bytes(4, what); b != nil {
		return int(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// sized takes a u32 length and as many bytes.
func (in *input) sized(what string) []byte { return in.bytes(in.u32(what), what) }

func (in *input) uvarint(what string) uint64 {
	if in.err != nil {
		return 0
	}
	x, n := binary.Uvarint(in.data)
	if n <= 0 {
		in.err = corrupt("%s is not a varint", what)
		return 0
	}
	in.data = in.data[n:]
	return x
}

// uvarint32 takes a varint that fits 32 bits.
func (in *input) uvarint32(what string) int {
	x := in.uvarint(what)
	if x > math.MaxUint32 {
		in.err = corrupt("%s %d exceeds 32 bits", what, x)
		return 0
	}
	return int(x)
}

// varsized takes a varint length and as many bytes.
func (in *input) varsized(what string) []byte { return in.bytes(in.uvarint32(what), what) }

// scalar takes one value of T.
func scalar[T Integer](in *input, what string) T {
	b := in.bytes(sizeOf[T](), what)
	var x uint64
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return T(x)
}

// end returns the first error, or one if there is something left.
func (in *input) end() error {
	if in.err == nil && len(in.data) > 0 {
		return corrupt("%d bytes behind the end", len(in.data))
	}
	return in.err
}

// canonical32 takes a varint of 32 bits in its shortest form.
func (in *input) canonical32(what string) int {
	before := in.data
	x := in.uvarint32(what)
	if n := len(before) - len(in.data); in.err == nil && n > 1 && before[n-1] == 0 {
		in.err = corrupt("%s is not in its shortest form", what)
		return 0
	}
	return x
}
