package docs

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/vector"
)

// rows are the values that a block's note lists: numbers by their bits, strings,
// and which of them are not null.
type rows struct {
	typ     encoding.DataType
	n       int
	valid   []uint64 // nil if none is null
	numbers []uint64 // of the present rows
	texts   []string
}

// parseRows reads values as notes have them, such as
//
//	1, null, 7 x 3, "text"
func parseRows(typ encoding.DataType, list string) (rows, error) {
	r := rows{typ: typ}
	var present []bool
	for item := range strings.SplitSeq(list, ", ") {
		value, count, repeated := strings.Cut(item, " x ")
		times := 1
		if repeated {
			var err error
			if times, err = strconv.Atoi(count); err != nil {
				return r, err
			}
		}
		for range times {
			present = append(present, value != "null")
			if value == "null" {
				continue
			}
			if err := r.add(value); err != nil {
				return r, err
			}
		}
	}
	r.n = len(present)
	valid := make([]uint64, vector.Words(r.n))
	for i, ok := range present {
		if ok {
			vector.SetBit(valid, i)
		} else {
			r.valid = valid
		}
	}
	return r, nil
}

func (r *rows) add(value string) (err error) {
	var x uint64
	switch r.typ {
	case encoding.String:
		var text string
		text, err = strconv.Unquote(value)
		r.texts = append(r.texts, text)
		return err
	case encoding.Bool:
		if value == "true" {
			x = 1
		}
	case encoding.Float:
		var f float64
		f, err = strconv.ParseFloat(value, 32)
		x = uint64(math.Float32bits(float32(f)))
	case encoding.Double:
		var f float64
		f, err = strconv.ParseFloat(value, 64)
		x = math.Float64bits(f)
	default:
		var i int64
		i, err = strconv.ParseInt(value, 10, 64)
		x = uint64(i) & (1<<(8*r.typ.Bytes()-1)<<1 - 1)
	}
	r.numbers = append(r.numbers, x)
	return err
}

// encode returns the rows as an encoded array.
func (r *rows) encode(e *encoding.Encoder) ([]byte, error) {
	switch {
	case r.typ == encoding.String:
		views, buffers := make([]vector.View, len(r.texts)), make([][]byte, len(r.texts))
		for i, s := range r.texts {
			buffers[i] = []byte(s)
			views[i] = vector.MakeView(buffers[i], uint32(i), 0)
		}
		return encoding.AppendNullableStrings(e, nil, views, buffers, r.valid, r.n)
	case r.typ == encoding.Bool:
		bits := make([]uint64, vector.Words(len(r.numbers)))
		for i, x := range r.numbers {
			if x != 0 {
				vector.SetBit(bits, i)
			}
		}
		return encoding.AppendNullableBools(e, nil, bits, r.valid, r.n)
	}
	switch r.typ.Bytes() {
	case 1:
		return encodeNumbers[uint8](e, r)
	case 2:
		return encodeNumbers[uint16](e, r)
	case 4:
		return encodeNumbers[uint32](e, r)
	default:
		return encodeNumbers[uint64](e, r)
	}
}

func encodeNumbers[T encoding.Integer](e *encoding.Encoder, r *rows) ([]byte, error) {
	values := make([]T, len(r.numbers))
	for i, x := range r.numbers {
		values[i] = T(x)
	}
	return encoding.AppendNullable(e, nil, r.typ, values, r.valid, r.n)
}

// list returns the rows as text, one for each, nulls among them.
func (r *rows) list() []string {
	var out []string
	for i := range r.n {
		switch next := vector.CountBits(r.valid, 0, min(i, 64*len(r.valid))); {
		case !vector.Valid(r.valid, i):
			out = append(out, "null")
		case r.valid == nil && r.typ == encoding.String:
			out = append(out, r.texts[i])
		case r.valid == nil:
			out = append(out, fmt.Sprintf("%#x", r.numbers[i]))
		case r.typ == encoding.String:
			out = append(out, r.texts[next])
		default:
			out = append(out, fmt.Sprintf("%#x", r.numbers[next]))
		}
	}
	return out
}

// decode returns the rows of an encoded array as text.
func decode(typ encoding.DataType, data []byte, o encoding.Options) ([]string, error) {
	s := encoding.NewSession(nil)
	switch {
	case typ == encoding.String:
		return decodeStrings(s, data, o)
	case typ == encoding.Bool:
		return decodeBools(s, data, o)
	}
	switch typ.Bytes() {
	case 1:
		return decodeNumbers[uint8](s, typ, data, o)
	case 2:
		return decodeNumbers[uint16](s, typ, data, o)
	case 4:
		return decodeNumbers[uint32](s, typ, data, o)
	default:
		return decodeNumbers[uint64](s, typ, data, o)
	}
}

func decodeNumbers[T encoding.Integer](s *encoding.Session, typ encoding.DataType, data []byte, o encoding.Options) ([]string, error) {
	d, err := encoding.Open[T](s, data, o)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if d.DataType() != typ {
		return nil, fmt.Errorf("type %v instead of %v", d.DataType(), typ)
	}
	values, valid := make([]T, d.Rows()), make([]uint64, vector.Words(d.Rows()))
	present, err := encoding.ReadNulls(d, values, valid, 0)
	out := make([]string, len(values))
	for i, x := range values {
		out[i] = fmt.Sprintf("%#x", x)
		if present < len(values) && !vector.Bit(valid, i) {
			out[i] = "null"
		}
	}
	return out, err
}

func decodeBools(s *encoding.Session, data []byte, o encoding.Options) ([]string, error) {
	d, err := encoding.OpenBool(s, data, o)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	bits, valid := make([]uint64, vector.Words(d.Rows())), make([]uint64, vector.Words(d.Rows()))
	present, err := encoding.ReadBoolNulls(d, bits, valid, 0, d.Rows())
	out := make([]string, d.Rows())
	for i := range out {
		out[i] = "0x0"
		switch {
		case present < d.Rows() && !vector.Bit(valid, i):
			out[i] = "null"
		case vector.Bit(bits, i):
			out[i] = "0x1"
		}
	}
	return out, err
}

func decodeStrings(s *encoding.Session, data []byte, o encoding.Options) ([]string, error) {
	d, err := encoding.Open[vector.View](s, data, o)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	vec := vector.NewVec[vector.View](nil)
	if err := d.ReadVec(vec, d.Rows()); err != nil {
		return nil, err
	}
	out := make([]string, d.Rows())
	for i := range out {
		out[i] = "null"
		if x, ok := vec.At(i); ok {
			out[i] = string(x.Bytes(vec.Buffers.List()))
		}
	}
	return out, nil
}

// dataType returns the type of that name.
func dataType(name string) encoding.DataType {
	for t := encoding.Int8; t <= encoding.String; t++ {
		if t.String() == name {
			return t
		}
	}
	return encoding.Undefined
}

// encoderFor returns an encoder that makes the tree that the block shows: the
// selected one, or one whose root is given. It compresses nothing.
func (b *block) encoderFor(t *testing.T) *encoding.Encoder {
	t.Helper()
	o := encoding.EncodeOptions{VarintRowCount: b.attrs["rowcount"] == "varint"}
	if name := b.attrs["encoding"]; name != "" {
		o.Layout = &encoding.Layout{Children: make([]*encoding.Layout, 3)}
		for o.Layout.Kind.String() != name {
			o.Layout.Kind++
		}
	}
	if b.attrs["bits"] == "exact" {
		o.ExactBits = true
	}
	if rows := b.attrs["restart"]; rows != "" {
		var err error
		if o.RestartRows, err = strconv.Atoi(rows); err != nil {
			t.Fatal(err)
		}
	}
	e, err := encoding.NewEncoder(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// sharedScope and sharedID are those of the dictionary in the block of
// SharedDictionary.
const (
	sharedScope = encoding.ScopeFile
	sharedID    = 7
)

// encodeShared returns rows as indices into the alphabet of another block.
func encodeShared(e *encoding.Encoder, r, alphabet *rows) ([]byte, error) {
	indices := make([]uint32, r.n)
	for i, x := range r.numbers {
		indices[i] = uint32(slices.Index(alphabet.numbers, x))
	}
	return encoding.AppendShared(e, nil, r.typ, sharedScope, sharedID, indices)
}

// rows returns the values that the notes list.
func (b *block) rows(t *testing.T) *rows {
	t.Helper()
	r, err := parseRows(dataType(b.attrs["array"]), strings.Join(b.notes, " "))
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// TestArrays encodes the values of each block that is an encoded array, which
// gives its bytes, and decodes the bytes, which gives the values. Blocks marked
// decode are only decoded: compressors and trainings are free in what they
// write.
func TestArrays(t *testing.T) {
	all, shown := blocks(t), map[encoding.Kind]bool{}
	for name, b := range all {
		if b.attrs["array"] == "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			want := b.rows(t)
			o := encoding.Options{VarintRowCount: b.attrs["rowcount"] == "varint"}
			encode := want.encode
			if alphabet, shares := all[b.attrs["shared"]]; shares {
				encode = func(e *encoding.Encoder) ([]byte, error) { return encodeShared(e, want, alphabet.rows(t)) }
				o.Alphabet = func(scope encoding.DictionaryScope, id uint32) ([]byte, error) {
					if scope != sharedScope || id != sharedID {
						t.Errorf("asked for dictionary %d of scope %d", id, scope)
					}
					return alphabet.data, nil
				}
			}
			if _, only := b.attrs["decode"]; !only {
				got, err := encode(b.encoderFor(t))
				if err != nil || !bytes.Equal(got, b.data) {
					t.Errorf("encoded, %v:\n% x\nthe block has\n% x", err, got, b.data)
				}
			}
			got, err := decode(want.typ, b.data, o)
			if diff := cmp.Diff(want.list(), got); err != nil || diff != "" {
				t.Errorf("decoded, %v (-text +block):\n%s", err, diff)
			}
			if b.attrs["shared"] != "" {
				shown[encoding.KindSharedDictionary] = true
				return
			}
			tree, err := encoding.Describe(b.data, o)
			if err != nil {
				t.Fatal(err)
			}
			note(shown, tree)
		})
	}
	for k := encoding.KindTrivial; k <= encoding.KindSharedDictionary; k++ {
		switch k {
		case encoding.KindSentinel, encoding.KindSubIntSplit, encoding.KindFrequencyPartition:
			continue // they have no format
		}
		if !shown[k] {
			t.Errorf("format.md shows no bytes of %v", k)
		}
	}
}

// note adds the encodings of a tree to those that are shown.
func note(shown map[encoding.Kind]bool, n *encoding.Node) {
	shown[n.Kind] = true
	for _, c := range n.Children {
		note(shown, c)
	}
}
