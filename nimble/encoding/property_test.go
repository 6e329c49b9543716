package encoding

import (
	"slices"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

// handMade draws rows and an array of them that is put together by hand.
func handMade(t *rapid.T, depth int) (rows []uint32, data []byte) {
	small := rapid.Uint32Range(0, 9)
	kinds := []Kind{KindTrivial, KindConstant, KindVarint}
	if depth > 0 {
		kinds = append(kinds, KindRLE, KindDictionary, KindMainlyConstant, KindNullable, KindDelta)
	}
	switch k := rapid.SampledFrom(kinds).Draw(t, "kind"); k {
	case KindConstant:
		n, x := rapid.IntRange(0, 3000).Draw(t, "rows"), rapid.Uint32().Draw(t, "value")
		return slices.Repeat([]uint32{x}, n), array(k, Uint32, n, word(x))
	case KindVarint:
		rows = rapid.SliceOfN(rapid.Uint32(), 0, 200).Draw(t, "rows")
		base := rapid.Uint32().Draw(t, "baseline")
		var body []byte
		for _, x := range rows {
			body = append(body, uvarints(uint64(x-base))...)
		}
		return rows, array(k, Uint32, len(rows), word(base), body)
	case KindRLE:
		values, valueData := handMade(t, depth-1)
		lengths := rapid.SliceOfN(rapid.Uint32Range(1, 30), len(values), len(values)).Draw(t, "lengths")
		for i, n := range lengths {
			rows = append(rows, slices.Repeat(values[i:i+1], int(n))...)
		}
		return rows, array(k, Uint32, len(rows), sized(trivial32(lengths...)), valueData)
	case KindDictionary:
		indices, indexData := handMade(t, depth-1)
		alphabet := rapid.SliceOfN(rapid.Uint32(), 1, 300).Draw(t, "alphabet")
		if most := slices.Max(append(indices, 0)); int(most) >= len(alphabet) {
			indices = rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(alphabet)-1)), 0, 300).Draw(t, "indices")
			indexData = trivial32(indices...)
		}
		for _, i := range indices {
			rows = append(rows, alphabet[i])
		}
		return rows, array(k, Uint32, len(rows), sized(trivial32(alphabet...)), indexData)
	case KindMainlyConstant:
		common, others := rapid.Uint32().Draw(t, "common"), []uint32(nil)
		flags, flagData := handMadeBools(t)
		for _, is := range flags {
			x := common
			if !is {
				x = small.Draw(t, "other")
				others = append(others, x)
			}
			rows = append(rows, x)
		}
		return rows, array(k, Uint32, len(rows), sized(flagData), sized(trivial32(others...)), word(common))
	case KindNullable:
		flags, flagData := handMadeBools(t)
		var present []uint32
		for _, is := range flags {
			var x uint32
			if is {
				x = rapid.Uint32().Draw(t, "value")
				present = append(present, x)
			}
			rows = append(rows, x)
		}
		return rows, array(k, Uint32, len(rows), sized(trivial32(present...)), flagData)
	case KindDelta:
		flags, flagData := handMadeBools(t)
		var deltas, restatements []uint32
		var last uint32
		for _, is := range flags {
			x := rapid.Uint32().Draw(t, "step")
			if is {
				restatements = append(restatements, x)
				last = x
			} else {
				deltas = append(deltas, x)
				last += x
			}
			rows = append(rows, last)
		}
		d, r := trivial32(deltas...), trivial32(restatements...)
		return rows, array(k, Uint32, len(rows), word(uint32(len(d))), word(uint32(len(r))), d, r, flagData)
	default:
		rows = rapid.SliceOfN(small, 0, 300).Draw(t, "rows")
		return rows, trivial32(rows...)
	}
}

// handMadeBools is handMade for bools.
func handMadeBools(t *rapid.T) (rows []bool, data []byte) {
	switch k := rapid.SampledFrom([]Kind{KindTrivial, KindConstant, KindSparseBool, KindRLE}).Draw(t, "kind of bools"); k {
	case KindConstant:
		n, x := rapid.IntRange(0, 200).Draw(t, "rows"), rapid.Bool().Draw(t, "value")
		return slices.Repeat([]bool{x}, n), array(k, Bool, n, []byte{byteOf(x)})
	case KindSparseBool:
		rows = rapid.SliceOfN(rapid.Bool(), 0, 200).Draw(t, "rows")
		rare := rapid.Bool().Draw(t, "rare")
		var positions []uint32
		for i, x := range rows {
			if x == rare {
				positions = append(positions, uint32(i))
			}
		}
		positions = append(positions, uint32(len(rows)))
		return rows, array(k, Bool, len(rows), []byte{byteOf(rare)}, trivial32(positions...))
	case KindRLE:
		lengths := rapid.SliceOfN(rapid.Uint32Range(1, 40), 0, 30).Draw(t, "lengths")
		first := rapid.Bool().Draw(t, "first")
		for i, n := range lengths {
			rows = append(rows, slices.Repeat([]bool{first == (i%2 == 0)}, int(n))...)
		}
		return rows, array(k, Bool, len(rows), sized(trivial32(lengths...)), []byte{byteOf(first)})
	default:
		rows = rapid.SliceOfN(rapid.Bool(), 0, 200).Draw(t, "rows")
		return rows, trivialBits(rows...)
	}
}

func byteOf(x bool) byte {
	if x {
		return 1
	}
	return 0
}

// TestReadHandMade opens several arrays of a session at once and moves through
// them in turns.
func TestReadHandMade(t *testing.T) {
	s := NewSession(pool.New(pool.Options{}))
	rapid.Check(t, func(t *rapid.T) {
		type open struct {
			rows []uint32
			at   int
			d    Decoder[uint32]
		}
		arrays := make([]*open, rapid.IntRange(1, 3).Draw(t, "arrays"))
		for i := range arrays {
			rows, data := handMade(t, 3)
			d, err := Open[uint32](s, data, Options{})
			if err != nil {
				t.Fatal(err)
			}
			arrays[i] = &open{rows: rows, d: d}
		}
		v := vector.NewVec[uint32](s.Pool())
		for range rapid.IntRange(0, 12).Draw(t, "turns") {
			a := arrays[rapid.IntRange(0, len(arrays)-1).Draw(t, "array")]
			n := rapid.IntRange(0, len(a.rows)-a.at).Draw(t, "rows of the turn")
			want, got := a.rows[a.at:a.at+n], make([]uint32, n)
			var err error
			switch rapid.IntRange(0, 5).Draw(t, "way") {
			case 0:
				a.d.Rewind()
				a.at = 0
				continue
			case 1:
				err = a.d.Skip(n)
				got = want
			case 2:
				if err = a.d.ReadVec(v, n); err == nil {
					for i := range got {
						got[i], _ = v.At(i)
					}
				}
			case 3:
				var sel []int32
				want = nil
				for i := range n {
					if rapid.IntRange(0, 3).Draw(t, "selected") == 0 {
						sel = append(sel, int32(i))
						want = append(want, a.rows[a.at+i])
					}
				}
				got = got[:len(sel)]
				err = ReadSel(a.d, got, n, sel)
			default:
				err = a.d.Read(got)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("rows from %d on: got %v, not %v", a.at, got, want)
			}
			a.at += n
		}
		v.Release()
		for _, a := range arrays {
			a.d.Close()
		}
		if n := s.Pool().Stats().Outstanding; n != len(s.scratch.blocks) {
			t.Fatalf("%d buffers outstanding with %d blocks of scratch", n, len(s.scratch.blocks))
		}
	})
}
