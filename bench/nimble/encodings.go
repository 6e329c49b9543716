package main

import (
	"fmt"
	"slices"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// batchRows is the rows of the small reads.
const batchRows = 1024

// reading is one case measured.
type reading struct {
	recordedRead
	ownRatio             float64 // raw bytes over encoded bytes
	ownAll, ownBatchRate float64 // million values a second
}

// dataSets holds the data set that was made last: the cases are in its order.
type dataSets struct {
	dataType, name string
	words          []uint64
	halves         []uint32
	texts          []string
	views          []vector.View
	buffers        [][]byte
}

func (d *dataSets) load(dataType, name string) error {
	if d.dataType == dataType && d.name == name {
		return nil
	}
	*d = dataSets{dataType: dataType, name: name}
	switch dataType {
	case "int64", "int32", "double":
		make := integers
		if dataType == "double" {
			make = doubles
		}
		next, err := make(name)
		if err != nil {
			return err
		}
		d.words = generate(next)
		for _, x := range d.words {
			d.halves = append(d.halves, uint32(x))
		}
		return nil
	case "string":
		next, err := texts(name)
		if err != nil {
			return err
		}
		d.texts = generate(next)
		d.views, d.buffers = viewsOf(d.texts)
		return nil
	}
	return fmt.Errorf("unknown type %q", dataType)
}

// measureRead encodes the values of a case, checks that they come back, and
// measures how fast.
func measureRead(c recordedRead, sets *dataSets, e effort) (reading, error) {
	if err := sets.load(c.dataType, c.data); err != nil {
		return reading{}, err
	}
	encoder, err := newEncoder(c)
	if err != nil {
		return reading{}, err
	}
	var array []byte
	switch c.dataType {
	case "int64", "double":
		dt := encoding.Int64
		if c.dataType == "double" {
			dt = encoding.Double
		}
		if array, err = encoding.Append(encoder, nil, dt, sets.words); err != nil {
			return reading{}, err
		}
		return measureArray(c, array, 8*valueCount, e, equalTo(sets.words))
	case "int32":
		if array, err = encoding.Append(encoder, nil, encoding.Int32, sets.halves); err != nil {
			return reading{}, err
		}
		return measureArray(c, array, 4*valueCount, e, equalTo(sets.halves))
	default:
		if array, err = encoding.AppendStrings(encoder, nil, sets.views, sets.buffers); err != nil {
			return reading{}, err
		}
		return measureArray(c, array, len(sets.buffers[0]), e, func(from int, got []vector.View, buffers [][]byte) bool {
			for i := range got {
				if string(got[i].Bytes(buffers)) != sets.texts[from+i] {
					return false
				}
			}
			return true
		})
	}
}

func equalTo[T encoding.Integer](want []T) func(int, []T, [][]byte) bool {
	return func(from int, got []T, _ [][]byte) bool {
		return slices.Equal(got, want[from:from+len(got)])
	}
}

// newEncoder returns one whose top encoding and codec are those of the case.
func newEncoder(c recordedRead) (*encoding.Encoder, error) {
	// Children that are nil are selected.
	layout := &encoding.Layout{Children: make([]*encoding.Layout, 3)}
	for layout.Kind.String() != c.encoding {
		if layout.Kind++; layout.Kind > encoding.KindSharedDictionary {
			return nil, fmt.Errorf("unknown encoding %q", c.encoding)
		}
	}
	codecs := map[string]encoding.Compression{"none": encoding.Uncompressed, "zstd": encoding.Zstd, "lz4": encoding.LZ4}
	codec, known := codecs[c.codec]
	if !known {
		return nil, fmt.Errorf("unknown codec %q", c.codec)
	}
	layout.Compression = codec
	return encoding.NewEncoder(nil, encoding.EncodeOptions{Compression: codec, Layout: layout})
}

func measureArray[T encoding.Physical](
	c recordedRead, array []byte, rawBytes int, e effort, equal func(from int, got []T, buffers [][]byte) bool,
) (reading, error) {
	r := reader[T]{session: encoding.NewSession(pool.New(pool.Options{LimitBytes: 1 << 30})), array: array}
	if err := r.check(equal); err != nil {
		return reading{}, err
	}
	m := reading{recordedRead: c, ownRatio: float64(rawBytes) / float64(len(array))}
	var err error
	if m.ownAll, err = rate(e, r.readAll); err != nil {
		return m, err
	}
	if r.open, err = r.start(); err != nil {
		return m, err
	}
	defer r.open.Close()
	m.ownBatchRate, err = rate(e, r.readBatches)
	return m, err
}

// rate returns million values a second of a run over all values.
func rate(e effort, run func() error) (float64, error) {
	t, err := fastest(e, run)
	return valueCount / t.Seconds() / 1e6, err
}

// reader reads an array in the two ways that are measured.
type reader[T encoding.Physical] struct {
	session *encoding.Session
	array   []byte
	strings vector.Buffers
	open    encoding.Decoder[T] // of readBatches
	out     [valueCount]T
}

func (r *reader[T]) start() (encoding.Decoder[T], error) {
	return encoding.Open[T](r.session, r.array, encoding.Options{Strings: &r.strings})
}

// readAll opens the array and reads it in one call.
func (r *reader[T]) readAll() error {
	d, err := r.start()
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Read(r.out[:])
}

// readBatches reads from the open decoder into the same little memory.
func (r *reader[T]) readBatches() error {
	r.open.Rewind()
	for at := 0; at < valueCount; at += batchRows {
		if err := r.open.Read(r.out[:min(batchRows, valueCount-at)]); err != nil {
			return err
		}
	}
	return nil
}

// check reads the array in both ways and compares.
func (r *reader[T]) check(equal func(from int, got []T, buffers [][]byte) bool) error {
	d, err := r.start()
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Read(r.out[:]); err != nil {
		return err
	}
	if !equal(0, r.out[:], r.strings.List()) {
		return fmt.Errorf("values differ when read at once")
	}
	d.Rewind()
	for at := 0; at < valueCount; at += batchRows {
		batch := r.out[:min(batchRows, valueCount-at)]
		if err := d.Read(batch); err != nil {
			return err
		}
		if !equal(at, batch, r.strings.List()) {
			return fmt.Errorf("values differ in the %d rows from %d on", len(batch), at)
		}
	}
	return nil
}
