package encoding

import "github.com/decantdb/decant/vector"

const numDataTypes = int(String) + 1

// register fills the tables of encodings, one line for each. What is not there
// is refused by name.
func (s *Session) register() {
	registerInteger(&s.u8, "an 8-bit type", Int8, Uint8)
	registerInteger(&s.u16, "a 16-bit type", Int16, Uint16)
	registerInteger(&s.u32, "a 32-bit type", Int32, Uint32, Float)
	registerInteger(&s.u64, "a 64-bit type", Int64, Uint64, Double)
	registerWide(&s.u32)
	registerWide(&s.u64)
	registerString(&s.views)
	registerBool(&s.bools)
}

// of says which data types f holds.
func (f *family[N]) of(name string, types ...DataType) {
	f.types = name
	for _, t := range types {
		f.holds[t] = true
	}
}

func registerAny[T Physical](f *family[Decoder[T]]) {
	f.create[KindConstant] = func(b base) Decoder[T] { return &constant[T]{base: b} }
	f.create[KindDictionary] = func(b base) Decoder[T] { return &dictionary[T]{base: b} }
	f.create[KindRLE] = func(b base) Decoder[T] { return &rle[T]{base: b} }
	f.create[KindMainlyConstant] = func(b base) Decoder[T] { return &mainlyConstant[T]{base: b} }
	f.create[KindNullable] = func(b base) Decoder[T] { return &nullable[T]{base: b} }
}

func registerInteger[T Integer](f *family[Decoder[T]], name string, types ...DataType) {
	f.of(name, types...)
	registerAny(f)
	f.create[KindTrivial] = func(b base) Decoder[T] { return &trivial[T]{base: b} }
	f.create[KindDelta] = func(b base) Decoder[T] { return &delta[T]{base: b} }
	f.create[KindPFOR] = func(b base) Decoder[T] { return &pfor[T]{base: b} }
	f.create[KindSimdForBitpack] = func(b base) Decoder[T] { return &simdFor[T]{base: b} }
	f.create[KindBlockBitPacking] = func(b base) Decoder[T] { return &blockBitPacking[T]{base: b} }
	f.create[KindFOR] = func(b base) Decoder[T] { return &frameFor[T]{base: b} }
	f.create[KindHuffman] = func(b base) Decoder[T] { return &huffman[T]{base: b} }
	f.create[KindDeltaBlock] = func(b base) Decoder[T] { return &deltaBlock[T]{base: b} }
	f.create[KindSharedDictionary] = func(b base) Decoder[T] { return &sharedDictionary[T]{base: b} }
	f.create[KindFixedBitWidth] = func(b base) Decoder[T] { return &fixedBitWidth[T]{base: b} }
}

func registerWide[T wide](f *family[Decoder[T]]) {
	f.create[KindALP] = func(b base) Decoder[T] { return &alp[T]{base: b} }
	f.create[KindVarint] = func(b base) Decoder[T] { return &varint[T]{base: b} }
}

func registerString(f *family[Decoder[vector.View]]) {
	f.of("String", String)
	registerAny(f)
	f.create[KindPrefix] = func(b base) Decoder[vector.View] { return &prefixed{base: b} }
	f.create[KindFsst] = func(b base) Decoder[vector.View] { return &fsst{base: b} }
	f.create[KindTrivial] = func(b base) Decoder[vector.View] { return &trivialString{base: b} }
}

func registerBool(f *family[BoolDecoder]) {
	f.of("Bool", Bool)
	f.create[KindTrivial] = func(b base) BoolDecoder { return &trivialBool{base: b} }
	f.create[KindConstant] = func(b base) BoolDecoder { return &constantBool{base: b} }
	f.create[KindRLE] = func(b base) BoolDecoder { return &rleBool{base: b} }
	f.create[KindSparseBool] = func(b base) BoolDecoder { return &sparseBool{base: b} }
	f.create[KindNullable] = func(b base) BoolDecoder { return &nullableBool{base: b} }
}
