package datatable

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

// decodeRows reads a blob back as the list of its values.
func decodeRows(t rapid.TB, blob []byte, rows int) []int {
	valid := make([]uint64, vector.Words(rows))
	vector.SetBits(valid, 0, rows)
	if at, bad := readRoaring(blob, valid, rows); bad != "" {
		t.Fatalf("byte %d: %s", at, bad)
	}
	var got []int
	for row := range rows {
		if !vector.Bit(valid, row) {
			got = append(got, row)
		}
	}
	return got
}

func TestRoaringRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 200_000).Draw(t, "rows")
		dense := make([]uint64, vector.Words(rows))
		var want []int
		for range rapid.IntRange(0, 5).Draw(t, "ranges") {
			begin := rapid.IntRange(0, rows-1).Draw(t, "begin")
			end := rapid.IntRange(begin, rows).Draw(t, "end")
			step := rapid.SampledFrom([]int{1, 2, 7, 1000}).Draw(t, "step")
			for row := begin; row < end; row += step {
				vector.SetBit(dense, row)
			}
		}
		for row := range rows {
			if vector.Bit(dense, row) {
				want = append(want, row)
			}
		}
		blob := appendRoaring([]byte("x"), dense)
		if len(blob) != 1+roaringBytes(dense) {
			t.Fatalf("%d bytes, not %d", len(blob)-1, roaringBytes(dense))
		}
		if got := decodeRows(t, blob[1:], rows); !slices.Equal(got, want) {
			t.Fatalf("%d rows of %d came back", len(got), len(want))
		}
	})
}

// runBlob is a bitmap in the form with runs, of one container for each list of
// [first, last] pairs.
func runBlob(containers ...[]uint16) []byte {
	n := len(containers)
	blob := binary.LittleEndian.AppendUint32(nil, uint32(roaringRunCookie|(n-1)<<16))
	flags := make([]byte, (n+7)/8)
	for c := range containers {
		flags[c/8] |= 1 << (c % 8)
	}
	blob = append(blob, flags...)
	for c := range containers {
		blob = binary.LittleEndian.AppendUint16(blob, uint16(c))
		blob = binary.LittleEndian.AppendUint16(blob, 0)
	}
	if n >= roaringMinOffsets {
		blob = append(blob, make([]byte, 4*n)...)
	}
	for _, pairs := range containers {
		blob = binary.LittleEndian.AppendUint16(blob, uint16(len(pairs)/2))
		for i := 0; i < len(pairs); i += 2 {
			blob = binary.LittleEndian.AppendUint16(blob, pairs[i])
			blob = binary.LittleEndian.AppendUint16(blob, pairs[i+1]-pairs[i])
		}
	}
	return blob
}

func TestRoaringRuns(t *testing.T) {
	if got := decodeRows(t, runBlob([]uint16{1, 3, 5, 5}), 6); !slices.Equal(got, []int{1, 2, 3, 5}) {
		t.Errorf("rows are %v", got)
	}
	one := []uint16{0, 0}
	if got := decodeRows(t, runBlob(one, one, one, one), 1<<18); !slices.Equal(got, []int{0, 1 << 16, 2 << 16, 3 << 16}) {
		t.Errorf("rows are %v", got)
	}
}

func TestRoaringDamage(t *testing.T) {
	good := appendRoaring(nil, []uint64{0b1010})
	long := appendRoaring(nil, slices.Repeat([]uint64{^uint64(0)}, 100))
	for name, c := range map[string]struct {
		blob []byte
		rows int
	}{
		"nothing":            {nil, 10},
		"unknown form":       {[]byte{1, 2, 3, 4}, 10},
		"no count":           {good[:6], 10},
		"headers cut":        {good[:9], 10},
		"offsets cut":        {good[:13], 10},
		"values cut":         {good[:17], 10},
		"bitmap cut":         {long[:len(long)-1], 6400},
		"array beyond":       {good, 3},
		"bitmap beyond":      {long, 6399},
		"container beyond":   {runBlob([]uint16{0, 0}, []uint16{0, 0}), 1 << 16},
		"run beyond":         {runBlob([]uint16{1, 3}), 3},
		"run cut":            {runBlob([]uint16{1, 3})[:10], 10},
		"runs overlap":       {runBlob([]uint16{1, 3, 3, 4}), 10},
		"containers repeat":  {append(append([]byte{}, good[:4]...), 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0), 10},
		"too many":           {[]byte{0x3a, 0x30, 0, 0, 0xff, 0xff, 0xff, 0xff}, 10},
		"container past all": {append(append([]byte{}, good[:8]...), 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0), 10},
	} {
		valid := make([]uint64, vector.Words(c.rows))
		if at, bad := readRoaring(c.blob, valid, c.rows); bad == "" || at > len(c.blob) {
			t.Errorf("%s: accepted up to byte %d", name, at)
		}
	}
}
