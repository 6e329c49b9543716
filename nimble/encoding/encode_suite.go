package encoding

import "github.com/decantdb/decant/vector"

// encodeEntry is one encoding's encode side for values of type T.
type encodeEntry[T Physical] struct {
	// estimate returns the size in bytes that the selection reckons with; ok is
	// false if the encoding cannot hold the values. Nil if it is never selected.
	estimate func(st *stats[T]) (sizeBytes uint64, ok bool)
	// needsUniques says that estimate depends on the distinct values. While
	// these are being counted it is a lower bound of what it will be.
	needsUniques bool
	// append writes the whole array, its prefix included.
	append func(st *stats[T], dst []byte, n encodeNode) ([]byte, error)
}

type encodeSuite[T Physical] [numKinds]encodeEntry[T]

// numericEncodeSuite is the table of encodings for numbers.
func numericEncodeSuite[T Integer]() encodeSuite[T] {
	return encodeSuite[T]{
		KindTrivial:         {estimateTrivial[T], false, appendTrivial[T]},
		KindFixedBitWidth:   {estimateFixedBitWidth[T], false, appendFixedBitWidth[T]},
		KindConstant:        {estimateConstant[T], false, appendConstant[T]},
		KindMainlyConstant:  {estimateMainlyConstant[T], true, appendMainlyConstant[T]},
		KindDictionary:      {estimateDictionary[T], true, appendDictionary[T]},
		KindRLE:             {estimateRLE[T], false, appendRLE[T]},
		KindVarint:          {estimateVarint[T], false, appendVarint[T]},
		KindDelta:           {nil, false, appendDelta[T]},
		KindALP:             {estimateALP[T], false, appendALP[T]},
		KindPFOR:            {estimatePFOR[T], false, appendPFOR[T]},
		KindSimdForBitpack:  {estimateSimdForBitpack[T], false, appendSimdForBitpack[T]},
		KindBlockBitPacking: {estimateBlockBitPacking[T], false, appendBlockBitPacking[T]},
		KindFOR:             {nil, false, appendFOR[T]},
		KindHuffman:         {estimateHuffman[T], true, appendHuffman[T]},
		KindDeltaBlock:      {estimateDeltaBlock[T], false, appendDeltaBlock[T]},
	}
}

// stringEncodeSuite is the table of encodings for strings.
func stringEncodeSuite() encodeSuite[vector.View] {
	return encodeSuite[vector.View]{
		KindTrivial:        {estimateTrivialString, false, appendTrivialString},
		KindConstant:       {estimateConstantString, false, appendConstant[vector.View]},
		KindMainlyConstant: {estimateMainlyConstantString, true, appendMainlyConstant[vector.View]},
		KindDictionary:     {estimateDictionaryString, true, appendDictionary[vector.View]},
		KindRLE:            {estimateRLEString, true, appendRLE[vector.View]},
		KindPrefix:         {nil, false, appendPrefixes},
		KindFsst:           {estimateFsst, false, appendFsst},
	}
}

// encodeBoolEntry is one encoding's encode side for bools.
type encodeBoolEntry struct {
	estimate func(st *boolStats) (sizeBytes uint64, ok bool)
	append   func(st *boolStats, dst []byte, n encodeNode) ([]byte, error)
}

type encodeBoolSuite [numKinds]encodeBoolEntry

// boolEncodeSuite is the table of encodings for bools.
func boolEncodeSuite() encodeBoolSuite {
	return encodeBoolSuite{
		KindTrivial:    {estimateTrivialBool, appendTrivialBool},
		KindConstant:   {estimateConstantBool, appendConstantBool},
		KindSparseBool: {estimateSparseBoolStats, appendSparseBool},
		KindRLE:        {estimateRLEBool, appendRLEBool},
	}
}
