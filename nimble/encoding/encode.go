package encoding

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// ReadFactor is a candidate of the selection. Its estimated size in bytes times
// Factor is its cost, so a smaller factor favours it: the price of reading.
type ReadFactor struct {
	Kind   Kind
	Factor float32
}

// DefaultReadFactors returns the candidates of a default writer. Of equal costs
// the first of the list wins.
func DefaultReadFactors() []ReadFactor {
	return []ReadFactor{
		{KindConstant, 1.0},
		{KindTrivial, 0.7},
		{KindFixedBitWidth, 0.9},
		{KindMainlyConstant, 1.0},
		{KindSparseBool, 1.0},
		{KindDictionary, 1.0},
		{KindRLE, 1.0},
		{KindVarint, 1.0},
	}
}

// DefaultAcceptRatio is the part of its raw size that a compressed payload must
// not exceed to be kept.
const DefaultAcceptRatio = 0.98

// EncodeOptions say how an [Encoder] encodes. The zero value selects among the
// default candidates and compresses nothing.
type EncodeOptions struct {
	// Candidates are the encodings to select from, at every level less those of
	// the levels above. Nil means DefaultReadFactors.
	Candidates []ReadFactor
	// Compression is tried on the payloads of selected encodings: Uncompressed,
	// Zstd (level 3) or LZ4.
	Compression Compression
	// AcceptRatio replaces DefaultAcceptRatio and the bars of single encodings
	// if it is not 0.
	AcceptRatio float32
	// VarintRowCount writes row counts as varints instead of four bytes. The
	// reader must be told the same.
	VarintRowCount bool
	// ExactBits lets FixedBitWidth use any width instead of whole bytes.
	ExactBits bool
	// NestedALP adds ALP to the candidates of floats that are alphabets, run
	// values or the others of MainlyConstant, and takes the two zeros of a
	// float for one constant.
	NestedALP bool
	// PackedBlockRows, at most DefaultPackedBlockRows, is the block of
	// BlockBitPacking, DeltaBlockRows that of DeltaBlock, RestartRows the
	// distance of full strings in Prefix. 0 means the default of each.
	PackedBlockRows, DeltaBlockRows, RestartRows int
	// FsstRatio replaces DefaultFsstRatio if it is not 0.
	FsstRatio float64
	// Layout fixes the tree instead of selecting it. A part that is nil is
	// selected. Nil means that everything is selected.
	Layout *Layout
}

func (o *EncodeOptions) packedBlockRows() int {
	return cmp.Or(o.PackedBlockRows, DefaultPackedBlockRows)
}

func (o *EncodeOptions) deltaBlockRows() int { return cmp.Or(o.DeltaBlockRows, DefaultDeltaBlockRows) }
func (o *EncodeOptions) restartRows() int    { return cmp.Or(o.RestartRows, DefaultRestartRows) }
func (o *EncodeOptions) fsstRatio() float64  { return cmp.Or(o.FsstRatio, DefaultFsstRatio) }

// check reports options that are out of range.
func (o *EncodeOptions) check() error {
	for _, c := range o.Candidates {
		if c.Kind >= numKinds {
			return fmt.Errorf("candidate %v: %w", c.Kind, ErrUnsupported)
		}
	}
	if o.packedBlockRows() < 1 || o.packedBlockRows() > DefaultPackedBlockRows ||
		o.deltaBlockRows() < 1 || o.restartRows() < 1 || o.restartRows() > math.MaxUint32 {
		return fmt.Errorf("blocks of %d, %d and %d rows: %w",
			o.packedBlockRows(), o.deltaBlockRows(), o.restartRows(), ErrUnsupported)
	}
	if err := o.Layout.check(); err != nil {
		return err
	}
	return checkEncodeCodec(o.Compression)
}

// DefaultEncodeOptions returns the options of a default writer: the default
// candidates, zstd, fixed row counts.
func DefaultEncodeOptions() EncodeOptions {
	return EncodeOptions{Candidates: DefaultReadFactors(), Compression: Zstd}
}

// Encoder encodes arrays: it selects an encoding for each and for what is
// nested in it, by estimated size times read factor, and writes it. Scratch
// comes from a pool; once warm it allocates nothing but what dst needs to grow.
// An Encoder belongs to one goroutine.
type Encoder struct {
	pool    *pool.Pool
	opts    EncodeOptions
	u8      encodeLane[uint8]
	u16     encodeLane[uint16]
	u32     encodeLane[uint32]
	u64     encodeLane[uint64]
	strings encodeLane[vector.View]
	bools   encodeBoolLane
	withALP []ReadFactor // the candidates and ALP
	seed    uint64       // of the hash tables; results do not depend on it
	zstd    *zstd.Encoder
	lz4     lz4.Compressor
	fsst    *fsstTrainer
}

// encodeLane is what an encoder has for one physical type.
type encodeLane[T Physical] struct {
	suite encodeSuite[T]
	free  []*stats[T]
}

type encodeBoolLane struct {
	suite encodeBoolSuite
	free  []*boolStats
}

// NewEncoder returns an encoder with scratch from p, which may be nil. Options
// that name an unknown encoding or a codec that cannot be written, or that are
// out of range, are an error that wraps ErrUnsupported.
func NewEncoder(p *pool.Pool, o EncodeOptions) (*Encoder, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	e := &Encoder{pool: p, opts: o, seed: encodeSeed()}
	if e.opts.Candidates == nil {
		e.opts.Candidates = DefaultReadFactors()
	}
	e.withALP = e.opts.Candidates
	if !slices.ContainsFunc(e.withALP, func(c ReadFactor) bool { return c.Kind == KindALP }) {
		e.withALP = append(slices.Clone(e.withALP), ReadFactor{KindALP, 1})
	}
	e.u8.suite = numericEncodeSuite[uint8]()
	e.u16.suite = numericEncodeSuite[uint16]()
	e.u32.suite = numericEncodeSuite[uint32]()
	e.u64.suite = numericEncodeSuite[uint64]()
	e.strings.suite = stringEncodeSuite()
	e.bools.suite = boolEncodeSuite()
	return e, nil
}

// laneOf returns the encoder's lane of type T.
func laneOf[T Physical](e *Encoder) *encodeLane[T] {
	var zero T
	var lane any
	switch any(zero).(type) {
	case uint8:
		lane = &e.u8
	case uint16:
		lane = &e.u16
	case uint32:
		lane = &e.u32
	case uint64:
		lane = &e.u64
	default:
		lane = &e.strings
	}
	return lane.(*encodeLane[T])
}
