package nimble

import (
	"fmt"
	"math"
	"runtime"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
)

// The defaults of WriterOptions are those of the reference's writer.
const (
	DefaultStripeBytes    = 256 << 20
	DefaultChunkBytes     = 20 << 20
	DefaultWideChunkBytes = 2 << 20 // with more than wideStreams streams
	DefaultMinChunkBytes  = 512 << 10
	DefaultFlatMapKeys    = 200_000
	wideStreams           = 500
)

// StatsKind is what a file says of its values as a whole.
type StatsKind uint8

const (
	// StatsByColumn are those of each type: how many values and nulls, their
	// sizes and bounds.
	StatsByColumn StatsKind = iota
	// StatsTotal is the logical size of all rows alone, as older files have it.
	StatsTotal
	// StatsNone says nothing.
	StatsNone
)

// WriterOptions say how a file is written. The zero value is the reference
// writer's default: zstd level 3 inside encodings, statistics, and streams of a
// stripe with equal bytes stored once. Attributes are part of the schema.
type WriterOptions struct {
	// StripeBytes ends a stripe when the values buffered for it take that much:
	// their width each, strings 16 bytes and their length, and a byte for each
	// row of a stream with nulls. 0 is DefaultStripeBytes. A writer's memory is
	// about three times that, and the size of one batch.
	StripeBytes int
	// StripeRows is the most rows of a stripe; 0 is no limit.
	StripeRows int
	// Flush, if set, takes the place of StripeBytes.
	Flush *FlushPolicy
	// ChunkBytes is the most that a chunk's values take, counted likewise. 0 is
	// DefaultChunkBytes or, for wide schemas, DefaultWideChunkBytes.
	ChunkBytes int
	// MinChunkBytes is the least that a chunk's values take which is encoded
	// before its stripe ends. 0 is DefaultMinChunkBytes.
	MinChunkBytes int
	// Unchunked makes one chunk of each stream in a stripe, whatever its size.
	Unchunked bool
	// ChunkCodec compresses whole chunks where that makes them a fifth smaller:
	// Raw, Zstd or LZ4. It is apart from the compression that encodings have.
	ChunkCodec tablet.Codec
	// Encoding says how arrays are encoded; nil is encoding.DefaultEncodeOptions.
	Encoding *encoding.EncodeOptions
	// KeepSelection encodes all chunks of a stream as the first one was, so that
	// encodings are selected but once.
	KeepSelection bool
	// Workers is how many goroutines encode a stripe's streams; 0 is one for
	// each processor. The file does not depend on it.
	Workers int
	// FlatMaps are options of flat maps, by the names of their columns.
	FlatMaps map[string]FlatMapOptions
	// FlatMapKeys is the most keys that a flat map may have in a file, since each
	// has streams of its own. 0 is DefaultFlatMapKeys.
	FlatMapKeys int
	// DropConstantInMaps leaves out which maps have a key in stripes where all
	// that are not null do, if a reader can tell from the key's values. It has an
	// effect with Unchunked alone.
	DropConstantInMaps bool
	// StoreEqualStreams stores streams of a stripe that have equal bytes each.
	StoreEqualStreams bool
	// Stats is which statistics of values are stored.
	Stats StatsKind
	// ChunkStats stores where the chunks of streams begin, with their rows and
	// nulls, for groups of stripes with at least MinAverageChunks chunks a stream.
	// The reference's default of that is DefaultMinAverageChunks.
	ChunkStats       bool
	MinAverageChunks float64
	// GroupsByStream stores the places of streams by stream instead of by stripe.
	GroupsByStream bool
	// CompressOverBytes is the size from which on, exclusively, sections such as
	// the schema are compressed. 0 is 64 KiB.
	CompressOverBytes int
	// Metadata is stored with the file.
	Metadata []Attribute
}

// DefaultMinAverageChunks is the reference's value of MinAverageChunks.
const DefaultMinAverageChunks = 2

// FlatMapOptions say how the keys of a flat map are stored.
type FlatMapOptions struct {
	// Keys are the keys that the map may have, whatever their order; integers are in
	// decimal. They are in the schema whether or not they occur, sorted by their
	// texts, and other keys are an error. Nil takes keys as they are first seen.
	Keys []string
	// Order is which keys' streams come first in a stripe. Keys that do not occur
	// are passed over.
	Order []string
}

// FlushPolicy bounds a writer's memory by encoding what is buffered before the
// stripe ends: chunks take less than their values. The zero value is the
// reference's default of it.
type FlushPolicy struct {
	// HighBytes is the size of buffered values and chunks at which the largest
	// streams are encoded, down to LowBytes. 0 is 200 and 100 MiB.
	HighBytes, LowBytes int
	// StripeBytes ends a stripe when chunks, and what is buffered divided by how
	// much smaller chunks were so far, reach it. 0 is 100 MiB.
	StripeBytes int
	// Factor is how much smaller chunks are taken to be before there are any.
	// 0 is 3.7.
	Factor float64
}

// check tests the options.
func (o *WriterOptions) check(schema *Type) error {
	if o.StripeBytes < 0 || o.StripeRows < 0 || o.ChunkBytes < 0 || o.MinChunkBytes < 0 ||
		o.Workers < 0 || o.FlatMapKeys < 0 || o.CompressOverBytes < 0 {
		return fmt.Errorf("writer options must not be negative")
	}
	if f := o.Flush; f != nil && (f.HighBytes < 0 || f.LowBytes < 0 || f.StripeBytes < 0 || f.Factor < 0) {
		return fmt.Errorf("a flush policy must not be negative")
	}
	if o.ChunkCodec != tablet.Raw && o.ChunkCodec != tablet.Zstd && o.ChunkCodec != tablet.LZ4 {
		return fmt.Errorf("%w: chunks compressed by %v", ErrUnsupported, o.ChunkCodec)
	}
	if o.Stats > StatsNone {
		return fmt.Errorf("unknown kind %d of statistics", o.Stats)
	}
	for name := range o.FlatMaps {
		if i := schema.Field(name); i < 0 || schema.Children[i].Kind != FlatMap {
			return fmt.Errorf("%w: options of a flat map %q, which is no flat map", ErrSchema, name)
		}
	}
	return nil
}

// withDefaults returns the options with defaults in place of zeros, ChunkBytes
// excepted, which depends on the number of streams.
func (o WriterOptions) withDefaults() WriterOptions {
	setDefault(&o.StripeBytes, DefaultStripeBytes)
	setDefault(&o.StripeRows, math.MaxInt32)
	setDefault(&o.MinChunkBytes, DefaultMinChunkBytes)
	setDefault(&o.FlatMapKeys, DefaultFlatMapKeys)
	setDefault(&o.Workers, runtime.GOMAXPROCS(0))
	if o.Encoding == nil {
		e := encoding.DefaultEncodeOptions()
		o.Encoding = &e
	}
	if o.Flush != nil {
		f := *o.Flush
		setDefault(&f.HighBytes, 200<<20)
		setDefault(&f.LowBytes, 100<<20)
		setDefault(&f.StripeBytes, 100<<20)
		setDefault(&f.Factor, 3.7)
		o.Flush = &f
	}
	return o
}

func setDefault[T comparable](to *T, value T) {
	var zero T
	if *to == zero {
		*to = value
	}
}

// chunkBytes returns the most that a chunk takes in a file of so many streams.
func (o *WriterOptions) chunkBytes(streams int) int {
	switch {
	case o.Unchunked:
		return math.MaxInt
	case o.ChunkBytes > 0:
		return o.ChunkBytes
	case streams > wideStreams:
		return DefaultWideChunkBytes
	default:
		return DefaultChunkBytes
	}
}
