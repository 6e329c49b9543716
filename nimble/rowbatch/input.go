package rowbatch

import "encoding/binary"

// input takes fields from the front of untrusted bytes. The first field that is
// not there sets err; those after it are zero.
type input struct {
	data []byte
	err  error
}

func (in *input) bytes(n uint64, what string) []byte {
	if in.err != nil {
		return nil
	}
	if n > uint64(len(in.data)) {
		in.err = corruptf("%s of %d bytes exceeds the %d that are left", what, n, len(in.data))
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

func (in *input) u32(what string) uint32 {
	if b := in.bytes(4, what); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// uv takes a varint of at most 32 bits.
func (in *input) uv(what string) uint32 {
	if in.err != nil {
		return 0
	}
	x, n := binary.Uvarint(in.data)
	if n <= 0 || n > binary.MaxVarintLen32 || x > 1<<32-1 {
		in.err = corruptf("%s is not a varint of 32 bits", what)
		return 0
	}
	in.data = in.data[n:]
	return uint32(x)
}
