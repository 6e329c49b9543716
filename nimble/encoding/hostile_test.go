package encoding

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// hostile is arrays that break the format, and the text of the error. Those
// that only show when rows are read have as many rows as are read.
var hostile = []struct {
	name string
	data []byte
	want string
}{
	{"empty", nil, "prefix cut off after 0 bytes"},
	{"one byte", []byte{0}, "prefix cut off after 1 bytes"},
	{"unknown kind", array(23, Uint32, 1), "Encoding(23) is not known"},
	{"sentinel", array(KindSentinel, Uint32, 1), "Sentinel"},
	{"string where numbers are", array(KindTrivial, String, 1), "trivial: data type String where a 32-bit type is needed"},
	{"too short", array(KindTrivial, Uint32, 3, []byte{0}, word(1)), "trivial: payload of 4 bytes where 12 are needed"},
	{"too long", array(KindConstant, Uint32, 3, word(1), []byte{0}), "constant: 1 bytes behind the end"},
	{"openzl", array(KindTrivial, Uint32, 1, []byte{4}, word(1)), "trivial: codec OpenZL"},
	{"meta", array(KindTrivial, Uint32, 1, []byte{2}, word(1)), "trivial: codec MetaInternal"},
	{"zstd size", array(KindTrivial, Uint32, 1, []byte{1}, word(1<<31)), "payload of 2147483648 bytes where 4 are needed"},
	{"zstd garbage", array(KindTrivial, Uint32, 1, []byte{1}, word(4), word(9)), "trivial: zstd: "},
	{"lz4 garbage", array(KindTrivial, Uint32, 1, []byte{3}, word(4), word(9)), "trivial: lz4: "},
	{
		"run too long", array(KindDictionary, Uint32, 8, sized(trivial32(5, 6)),
			array(KindRLE, Uint32, 8, sized(trivial32(9)), trivial32(0))),
		"dictionary: indices: rle: run of 9 exceeds 8 rows",
	},
	{
		"runs too short", array(KindRLE, Uint32, 8, sized(trivial32(3, 4)), trivial32(0, 1)),
		"rle: runs of 7 rows where there are 8",
	},
	{"run of nothing", array(KindRLE, Uint32, 1, sized(trivial32(0)), trivial32(0)), "rle: run of no rows"},
	{"more runs than rows", array(KindRLE, Uint32, 1, sized(trivial32(1, 1)), trivial32(0, 0)), "rle: 2 runs exceed 1 rows"},
	{
		"runs without values", array(KindRLE, Uint32, 2, sized(trivial32(1, 1)), trivial32(0)),
		"rle: run values: trivial: 1 rows where 2 are needed",
	},
	{
		"index outside", array(KindDictionary, Uint32, 2, sized(trivial32(5, 6)), trivial32(1, 2)),
		"dictionary: index 2 outside of an alphabet of 2 values",
	},
	{
		"index outside in runs", array(KindDictionary, Uint32, 2, sized(trivial32(5, 6)),
			array(KindRLE, Uint32, 2, sized(trivial32(2)), trivial32(2))),
		"dictionary: index 2 outside of an alphabet of 2 values",
	},
	{
		"huge payload", array(KindTrivial, Uint32, 1<<28, []byte{1}, word(1<<30), word(9)),
		"trivial: 1073741856 bytes of memory exceed",
	},
	{
		"huge alphabet", array(KindDictionary, Uint32, 1, sized(array(KindConstant, Uint32, 1<<30, word(1))), trivial32(0)),
		"dictionary: alphabet: 4294967296 bytes of memory exceed",
	},
	{
		"positions that fall", mainly(8, array(KindSparseBool, Bool, 8, []byte{0}, trivial32(4, 3, 8)), 2),
		"mainlyconstant: common: sparsebool: position 3 behind 4",
	},
	{
		"positions without end", mainly(8, array(KindSparseBool, Bool, 8, []byte{0}, trivial32(3, 4)), 2),
		"mainlyconstant: common: sparsebool: position 4 of 2 among 8 rows",
	},
	{
		"positions behind the end", mainly(8, array(KindSparseBool, Bool, 8, []byte{0}, trivial32(3, 9)), 2),
		"mainlyconstant: common: sparsebool: position 9 of 2 among 8 rows",
	},
	{
		"too few others", mainly(3, trivialBits(false, true, false), 1),
		"mainlyconstant: others: fewer rows than are taken from it",
	},
	{
		"common of other rows", mainly(3, trivialBits(false, true), 1),
		"mainlyconstant: common: trivial: 2 rows where 3 are needed",
	},
	{
		"more data than rows", array(KindNullable, Uint32, 1, sized(trivial32(1, 2)), trivialBits(true)),
		"nullable: 2 present rows exceed 1 rows",
	},
	{
		"too little data", array(KindNullable, Uint32, 2, sized(trivial32(1)), trivialBits(true, true)),
		"nullable: data: fewer rows than are taken from it",
	},
	{
		"null twice over", array(KindNullable, Uint32, 2, sized(array(KindNullable, Uint32, 1, sized(trivial32()),
			trivialBits(false))), trivialBits(true, false)),
		"nullable: data: nullable within nullable",
	},
	{"varint cut off", array(KindVarint, Uint32, 2, word(0), []byte{1, 0x80}), "varint: value cut off"},
	{"more varints than bytes", array(KindVarint, Uint32, 200, word(0), []byte{1}), "varint: 200 values in 1 bytes"},
	{"width", array(KindFixedBitWidth, Uint32, 2, []byte{0}, word(0), []byte{65}), "fixedbitwidth: width of 65 bits"},
	{"no slop", array(KindFixedBitWidth, Uint32, 2, []byte{0}, word(0), []byte{8, 1, 2}), "fixedbitwidth: packed values of 9 bytes exceeds the 2 that are left"},
	{
		"too few deltas", array(KindDelta, Uint32, 3, word(uint32(len(trivial32(1)))), word(uint32(len(trivial32(1)))),
			trivial32(1), trivial32(1), trivialBits(true, false, false)),
		"delta: 1 deltas and 1 restatements for 3 rows",
	},
	{
		"deltas where restatements are", array(KindDelta, Uint32, 2, word(uint32(len(trivial32(1)))), word(uint32(len(trivial32(1)))),
			trivial32(1), trivial32(1), trivialBits(true, true)),
		"delta: restatements: fewer rows than are taken from it",
	},
	{
		"exceptions that fall", array(KindPFOR, Uint32, 4, word(0), []byte{0}, uvarints(2),
			varsized(trivial32(2, 1)), varsized(trivial32(7, 7))),
		"pfor: exception at row 1, behind 2 and among 4 rows",
	},
	{"group of no rows", array(KindSimdForBitpack, Uint32, 4, word(0), []byte{0, 0}), "simdforbitpack: first group of 0 rows among 4"},
	{"group size in a long form", array(KindSimdForBitpack, Uint32, 4, word(0), []byte{0, 0x84, 0}), "not in its shortest form"},
	{
		"block outside", array(KindBlockBitPacking, Uint32, 4, []byte{0}, uvarints(1024, 1), varsized(trivial32(0)),
			varsized(array(KindConstant, Uint8, 1, []byte{8})), varsized(trivial32(3)), uvarints(4), word(1)),
		"blockbitpacking: block 0: ends at byte 7 of 4",
	},
	{"unknown dictionary", array(KindSharedDictionary, Uint32, 1, []byte{0, 1}, trivial32(0)), "without Options.Alphabet"},
	{"nested too deep", nested(40), "nested deeper than 16 levels"},
}

// mainly is an array of the given bools and so many other values.
func mainly(rows int, common []byte, others int) []byte {
	return array(KindMainlyConstant, Uint32, rows, sized(common), sized(trivial32(make([]uint32, others)...)), word(1))
}

// nested is runs within each other.
func nested(levels int) []byte {
	data := trivial32(1)
	for range levels {
		data = array(KindRLE, Uint32, 1, sized(trivial32(1)), data)
	}
	return data
}

// odd is arrays that keep to the format but hold nothing where a value could be
// taken for granted.
var odd = []struct {
	name string
	data []byte
	want []uint32
}{
	{"no data", allNull(trivial32()), make([]uint32, 3)},
	{"no data, constant", allNull(array(KindConstant, Uint32, 0, word(7))), make([]uint32, 3)},
	{"no data, runs", allNull(array(KindRLE, Uint32, 0, sized(trivial32()), trivial32())), make([]uint32, 3)},
	{"no data, exceptions", allNull(mainly(0, trivialBits(), 0)), make([]uint32, 3)},
	{"no data, varint", allNull(array(KindVarint, Uint32, 0, word(0))), make([]uint32, 3)},
	{"no data, no alphabet", allNull(noAlphabet(trivial32())), make([]uint32, 3)},
	{"no data, no alphabet, constant", allNull(noAlphabet(array(KindConstant, Uint32, 0, word(0)))), make([]uint32, 3)},
	{
		"no data, no alphabet, runs",
		allNull(noAlphabet(array(KindRLE, Uint32, 0, sized(trivial32()), trivial32()))),
		make([]uint32, 3),
	},
	{"no data, no alphabet, exceptions", allNull(noAlphabet(mainly(0, trivialBits(), 0))), make([]uint32, 3)},
	{"no rows", noAlphabet(trivial32()), nil},
	{"no rows, constant", noAlphabet(array(KindConstant, Uint32, 0, word(0))), nil},
	{"no rows, exceptions", noAlphabet(mainly(0, trivialBits(), 0)), nil},
	{"no nulls", array(KindNullable, Uint32, 0, sized(noAlphabet(trivial32())), trivialBits()), nil},
	{
		"nulls before a value",
		array(KindNullable, Uint32, 3, sized(array(KindDictionary, Uint32, 1, sized(trivial32(5)), trivial32(0))),
			trivialBits(false, false, true)),
		[]uint32{0, 0, 5},
	},
}

// allNull is three rows, all null, over data.
func allNull(data []byte) []byte {
	return array(KindNullable, Uint32, 3, sized(data), trivialBits(false, false, false))
}

// noAlphabet is a dictionary of no rows without a value.
func noAlphabet(indices []byte) []byte {
	return array(KindDictionary, Uint32, 0, sized(trivial32()), indices)
}

// TestOdd reads arrays in vectors of all sizes: each keeps the promises of its
// form and has the rows that Read has.
func TestOdd(t *testing.T) {
	s := NewSession(pool.New(pool.Options{}))
	v := vector.NewVec[uint32](s.Pool())
	for _, c := range odd {
		for batch := 1; batch <= 3; batch++ {
			d, err := Open[uint32](s, c.data, Options{})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			rows := make([]uint32, d.Rows())
			if err := d.Read(rows); err != nil || !slices.Equal(rows, c.want) {
				t.Errorf("%s: %v, %v, not %v", c.name, rows, err, c.want)
			}
			d.Rewind()
			for at := 0; at <= len(c.want); at += batch {
				n := min(batch, len(c.want)-at)
				if err := d.ReadVec(v, n); err != nil {
					t.Fatalf("%s: %d rows at %d: %v", c.name, n, at, err)
				}
				if err := vector.Check(v); err != nil {
					t.Fatalf("%s: %d rows at %d: %v", c.name, n, at, err)
				}
				for i, want := range c.want[at : at+n] {
					if x, present := v.At(i); x != want || present != (want != 0) {
						t.Errorf("%s: row %d is %d, %t, not %d", c.name, at+i, x, present, want)
					}
				}
			}
			d.Close()
		}
	}
}

func TestHostile(t *testing.T) {
	s := NewSession(pool.New(pool.Options{}))
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			for _, read := range []func(Decoder[uint32]) error{readAll, skipAll, vecAll} {
				d, err := Open[uint32](s, c.data, Options{})
				if err == nil {
					err = read(d)
					d.Close()
				}
				if err == nil {
					t.Fatal("no error")
				}
				if !strings.Contains(err.Error(), c.want) {
					t.Fatalf("got %q, not %q", err, c.want)
				}
				if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
					t.Fatalf("%q has no class", err)
				}
			}
			if n := s.Pool().Stats().Outstanding; n != len(s.scratch.blocks) {
				t.Errorf("%d buffers outstanding, %d of them scratch", n, len(s.scratch.blocks))
			}
		})
	}
}

func readAll(d Decoder[uint32]) error { return d.Read(make([]uint32, d.Rows())) }

// skipAll moves to the last row and reads it, so that skipping meets what
// reading meets.
func skipAll(d Decoder[uint32]) error {
	if err := d.Skip(d.Rows() - 1); err != nil {
		return err
	}
	return d.Read(make([]uint32, 1))
}

func vecAll(d Decoder[uint32]) error {
	return d.ReadVec(vector.NewVec[uint32](nil), d.Rows())
}

func TestPastEnd(t *testing.T) {
	s := NewSession(nil)
	d, err := Open[uint32](s, trivial32(1, 2, 3), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var four [4]uint32
	for name, err := range map[string]error{
		"Read":         d.Read(four[:]),
		"Skip":         d.Skip(4),
		"Skip back":    d.Skip(-1),
		"ReadVec":      d.ReadVec(vector.NewVec[uint32](nil), 4),
		"ReadSel":      ReadSel(d, four[:1], 4, []int32{2}),
		"ReadSel far":  ReadSel(d, four[:1], 3, []int32{3}),
		"ReadSel back": ReadSel(d, four[:2], 3, []int32{2, 1}),
	} {
		if !errors.Is(err, ErrPastEnd) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := d.Read(four[:3]); err != nil || four != [4]uint32{1, 2, 3} {
		t.Errorf("then got %v, %v", four, err)
	}
}

func TestLimit(t *testing.T) {
	// An alphabet of 4,000 bytes.
	data := array(KindDictionary, Uint32, 100, sized(array(KindConstant, Uint32, 1000, word(1))),
		array(KindConstant, Uint32, 100, word(999)))
	s := NewSession(pool.New(pool.Options{}))
	d, err := Open[uint32](s, data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	if _, err := Open[uint32](s, data, Options{LimitBytes: 3999}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("got %v", err)
	}
	if d, err = Open[uint32](s, data, Options{LimitBytes: 4000}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	d.Close() // the second is ignored
}
