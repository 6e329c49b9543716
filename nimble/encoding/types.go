package encoding

import (
	"errors"
	"fmt"

	"github.com/decantdb/decant/vector"
)

// Kind is the number of an encoding, byte 0 of every encoded array.
type Kind uint8

// The encodings.
const (
	KindTrivial            Kind = 0
	KindRLE                Kind = 1
	KindDictionary         Kind = 2
	KindFixedBitWidth      Kind = 3
	KindSentinel           Kind = 4
	KindNullable           Kind = 5
	KindSparseBool         Kind = 6
	KindVarint             Kind = 7
	KindDelta              Kind = 8
	KindConstant           Kind = 9
	KindMainlyConstant     Kind = 10
	KindPrefix             Kind = 11
	KindALP                Kind = 12
	KindPFOR               Kind = 13
	KindSimdForBitpack     Kind = 14
	KindBlockBitPacking    Kind = 15
	KindSubIntSplit        Kind = 16
	KindFrequencyPartition Kind = 17
	KindFOR                Kind = 18
	KindFsst               Kind = 19
	KindHuffman            Kind = 20
	KindDeltaBlock         Kind = 21
	KindSharedDictionary   Kind = 22
	numKinds                    = 23
)

var kindNames = [numKinds]string{
	"Trivial", "RLE", "Dictionary", "FixedBitWidth", "Sentinel", "Nullable", "SparseBool", "Varint",
	"Delta", "Constant", "MainlyConstant", "Prefix", "ALP", "PFOR", "SimdForBitpack", "BlockBitPacking",
	"SubIntSplit", "FrequencyPartition", "FOR", "Fsst", "Huffman", "DeltaBlock", "SharedDictionary",
}

// String returns the encoding's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Encoding(%d)", uint8(k))
}

// DataType is the logical type of an encoded array's values, byte 1 of it.
type DataType uint8

// The data types.
const (
	Undefined DataType = 0
	Int8      DataType = 1
	Uint8     DataType = 2
	Int16     DataType = 3
	Uint16    DataType = 4
	Int32     DataType = 5
	Uint32    DataType = 6
	Int64     DataType = 7
	Uint64    DataType = 8
	Float     DataType = 9
	Double    DataType = 10
	Bool      DataType = 11
	String    DataType = 12
)

var dataTypeNames = [...]string{
	"Undefined", "Int8", "Uint8", "Int16", "Uint16", "Int32", "Uint32", "Int64", "Uint64",
	"Float", "Double", "Bool", "String",
}

// dataTypeBytes is the width of the physical type: signed integers and floats
// are encoded by their bits. Strings have none.
var dataTypeBytes = [...]int{0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1, 0}

// String returns the data type's name.
func (t DataType) String() string {
	if int(t) < len(dataTypeNames) {
		return dataTypeNames[t]
	}
	return fmt.Sprintf("DataType(%d)", uint8(t))
}

// Bytes returns the width of the physical type, 0 for strings and unknown types.
func (t DataType) Bytes() int {
	if int(t) < len(dataTypeBytes) {
		return dataTypeBytes[t]
	}
	return 0
}

// Compression is the codec of a payload inside an encoding.
type Compression uint8

// The codecs. MetaInternal and OpenZL are recognised and refused by name.
const (
	Uncompressed Compression = 0
	Zstd         Compression = 1
	MetaInternal Compression = 2
	LZ4          Compression = 3
	OpenZL       Compression = 4
)

var compressionNames = [...]string{"Uncompressed", "Zstd", "MetaInternal", "LZ4", "OpenZL"}

// String returns the codec's name.
func (c Compression) String() string {
	if int(c) < len(compressionNames) {
		return compressionNames[c]
	}
	return fmt.Sprintf("Compression(%d)", uint8(c))
}

// Physical is the constraint of what encodings work on: unsigned integers, by
// whose width signed integers and floats are encoded too, and strings.
type Physical interface {
	uint8 | uint16 | uint32 | uint64 | vector.View
}

// Integer is Physical without strings.
type Integer interface {
	uint8 | uint16 | uint32 | uint64
}

// The errors of this package. Those of a decoder wrap one of the first three.
var (
	// ErrCorrupt means that an encoded array breaks the format.
	ErrCorrupt = errors.New("corrupt encoding")
	// ErrUnsupported means that an array uses an encoding, a codec or a type
	// that is refused by name.
	ErrUnsupported = errors.New("unsupported encoding")
	// ErrPastEnd means that more rows were asked for than there are.
	ErrPastEnd = errors.New("read past the last row")
	// ErrIncompatible means that an encoding cannot hold the given values.
	ErrIncompatible = errors.New("incompatible encoding")
)
