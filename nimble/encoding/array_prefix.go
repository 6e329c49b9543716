package encoding

import "encoding/binary"

// Prefix is what every encoded array begins with:
//
//	u8 kind | u8 data type | u32 rows      (fixed row count)
//	u8 kind | u8 data type | uvarint rows  (Options.VarintRowCount, and DeltaBlock always)
type Prefix struct {
	Kind Kind
	Type DataType
	Rows int
}

// fixedPrefixBytes is the size of a prefix with a fixed row count.
const fixedPrefixBytes = 6

// ReadPrefix returns the prefix of an encoded array and its size in bytes. It
// does not say whether the kind and the data type are known.
func ReadPrefix(data []byte, varintRowCount bool) (Prefix, int, error) {
	if len(data) < 2 {
		return Prefix{}, 0, corrupt("prefix cut off after %d bytes", len(data))
	}
	p := Prefix{Kind: Kind(data[0]), Type: DataType(data[1])}
	if !varintRowCount && p.Kind != KindDeltaBlock {
		if len(data) < fixedPrefixBytes {
			return p, 0, corrupt("prefix cut off after %d bytes", len(data))
		}
		p.Rows = int(binary.LittleEndian.Uint32(data[2:]))
		return p, fixedPrefixBytes, nil
	}
	in := input{data: data[2:]}
	p.Rows = in.uvarint32("row count")
	return p, len(data) - len(in.data), in.err
}
