package encoding

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// allCandidates are the defaults and what may be opted in.
func allCandidates() []ReadFactor {
	return append(DefaultReadFactors(),
		ReadFactor{KindALP, 1}, ReadFactor{KindSimdForBitpack, 1}, ReadFactor{KindBlockBitPacking, 1},
		ReadFactor{KindDeltaBlock, 1}, ReadFactor{KindFsst, 1}, ReadFactor{KindHuffman, 1}, ReadFactor{KindPFOR, 1})
}

// drawColumn draws the values of a column as the conformance tests want them,
// with null rows or without, of a shape that some encoding is made for.
func drawColumn(t *rapid.T) *goldenCase {
	types := []string{
		"int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
		"float", "double", "bool", "string",
	}
	c := &goldenCase{
		DataType: rapid.SampledFrom(types).Draw(t, "type"),
		RowCount: rapid.SampledFrom([]int{0, 1, 2, 31, 33, 64, 300, 1500, 4000}).Draw(t, "rows"),
	}
	var (
		seed     = rapid.Uint64().Draw(t, "seed")
		distinct = rapid.SampledFrom([]uint64{1, 2, 7, 300, 3000, 1 << 40}).Draw(t, "distinct")
		run      = rapid.SampledFrom([]int{1, 1, 3, 100}).Draw(t, "run")
		scale    = rapid.SampledFrom([]uint64{1, 3, 1 << 20, 0x9e3779b97f4a7c15}).Draw(t, "scale")
		mainly   = rapid.SampledFrom([]uint64{1, 1, 50}).Draw(t, "mainly")
		sorted   = rapid.Bool().Draw(t, "sorted")
		decimals = rapid.Bool().Draw(t, "decimals")
	)
	if rapid.Bool().Draw(t, "nulls") {
		c.nulls = make([]byte, c.RowCount)
	}
	for i := range c.RowCount {
		seed = seed*6364136223846793005 + 1442695040888963407
		x := mixed(seed/2+uint64(i/run)) % distinct
		if run > 1 {
			x = mixed(uint64(i/run)) % distinct
		}
		if sorted {
			x = uint64(i/run) % distinct
		}
		if mixed(seed)%mainly != 0 {
			x = 5
		}
		null := c.nulls != nil && mixed(seed+1)%5 == 0
		if null {
			c.nulls[i] = 1
		}
		c.values = appendDrawn(c.values, c.DataType, x, scale, decimals, null)
	}
	return c
}

// mixed scrambles x.
func mixed(x uint64) uint64 {
	x = (x ^ x>>31) * 0xd6e8feb86659fd93
	return x ^ x>>32
}

// appendDrawn writes one value of the named type, zero if it is null.
func appendDrawn(dst []byte, dataType string, x, scale uint64, decimals, null bool) []byte {
	if null {
		x, scale, decimals = 0, 0, false
	}
	switch dataType {
	case "string":
		text := ""
		if !null {
			text = fmt.Sprintf("https://example.com/%d/%x", x, x*scale)[uint32(x*scale)%18:]
		}
		return append(binary.LittleEndian.AppendUint32(dst, uint32(len(text))), text...)
	case "bool":
		return append(dst, byte(x&1))
	case "int8", "uint8":
		return append(dst, byte(x*scale))
	case "int16", "uint16":
		return binary.LittleEndian.AppendUint16(dst, uint16(x*scale))
	case "float":
		if decimals {
			return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(x)/4))
		}
	case "double":
		if decimals {
			return binary.LittleEndian.AppendUint64(dst, math.Float64bits(float64(x)/100))
		}
	case "int64", "uint64":
	default:
		return binary.LittleEndian.AppendUint32(dst, uint32(x*scale))
	}
	if dataType == "float" {
		return binary.LittleEndian.AppendUint32(dst, uint32(x*scale))
	}
	return binary.LittleEndian.AppendUint64(dst, x*scale)
}

// encodeRoundTrip decodes what was selected and encoded.
func encodeRoundTrip(rt *rapid.T) {
	p := pool.New(pool.Options{})
	s := NewSession(p)
	c := drawColumn(rt)
	o := EncodeOptions{
		Compression:    rapid.SampledFrom([]Compression{Uncompressed, Zstd, LZ4}).Draw(rt, "codec"),
		VarintRowCount: rapid.Bool().Draw(rt, "varint"),
		ExactBits:      rapid.Bool().Draw(rt, "exact"),
	}
	if rapid.Bool().Draw(rt, "all candidates") {
		o.Candidates = allCandidates()
	}
	e, err := NewEncoder(p, o)
	if err != nil {
		rt.Fatal(err)
	}
	c.VarintRowCount = o.VarintRowCount
	if c.data, err = encodeValues(c.DataType, c.values, c.nulls, c.RowCount).encode(e, nil); err != nil {
		rt.Fatal(err)
	}
	if err := conform(s, c); err != nil {
		rt.Fatal(err)
	}
	s.Release()
	if n := p.Stats().Outstanding; n != 0 {
		rt.Errorf("%d buffers were not given back", n)
	}
}

func TestEncodeRoundTrip(t *testing.T) { rapid.Check(t, encodeRoundTrip) }

func FuzzEncodeRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(encodeRoundTrip)) }

// TestSelectBounds compares the selection, which stops counting distinct values
// early, with one that counts them all first.
func TestSelectBounds(t *testing.T) {
	p := pool.New(pool.Options{})
	rapid.Check(t, func(rt *rapid.T) {
		c := drawColumn(rt)
		o := EncodeOptions{ExactBits: rapid.Bool().Draw(rt, "exact")}
		if rapid.Bool().Draw(rt, "all candidates") {
			o.Candidates = allCandidates()
		}
		e, err := NewEncoder(p, o)
		if err != nil {
			rt.Fatal(err)
		}
		in := encodeValues(c.DataType, c.values, nil, c.RowCount)
		switch {
		case c.RowCount == 0 || in.dt == Bool:
		case in.dt == String:
			checkBounds(rt, e, in.dt, in.views, in.buffers)
		case in.u8 != nil:
			checkBounds(rt, e, in.dt, in.u8, nil)
		case in.u16 != nil:
			checkBounds(rt, e, in.dt, in.u16, nil)
		case in.u32 != nil:
			checkBounds(rt, e, in.dt, in.u32, nil)
		default:
			checkBounds(rt, e, in.dt, in.u64, nil)
		}
	})
}

func checkBounds[T Physical](t *rapid.T, e *Encoder, dt DataType, values []T, buffers [][]byte) {
	suite := &laneOf[T](e).suite
	early, full := takeStats(e, dt, values, buffers), takeStats(e, dt, values, buffers)
	defer early.release()
	defer full.release()
	got := selectKind(early, suite, encodeRule{})
	scan(full)
	countUniques(full)
	best, want := float32(math.MaxFloat32), KindTrivial
	for _, c := range e.opts.Candidates {
		if suite[c.Kind].estimate == nil {
			continue
		}
		if size, ok := suite[c.Kind].estimate(full); ok && encodeCost(size, c.Factor) < best {
			best, want = encodeCost(size, c.Factor), c.Kind
		}
	}
	if got != want {
		t.Fatalf("selected %v after %d of %d rows, want %v", got, early.seen, len(values), want)
	}
	checkUniques(t, full)
}

// checkUniques compares the distinct values with those of a map.
func checkUniques[T Physical](t *rapid.T, st *stats[T]) {
	key := func(v T) string {
		if view, ok := any(&v).(*vector.View); ok {
			return string(view.Bytes(st.buffers))
		}
		return fmt.Sprint(v)
	}
	counts := map[string]uint32{}
	var order []string
	for _, v := range st.values {
		if counts[key(v)] == 0 {
			order = append(order, key(v))
		}
		counts[key(v)]++
	}
	if len(order) != st.distinct || uint64(len(order)) != st.bounds.distinct {
		t.Fatalf("%d distinct values, at least %d, want %d", st.distinct, st.bounds.distinct, len(order))
	}
	most := uint32(0)
	for id, k := range order {
		if key(st.alphabet()[id]) != k || st.counts()[id] != counts[k] {
			t.Fatalf("value %d is %q %d times, want %q %d times",
				id, key(st.alphabet()[id]), st.counts()[id], k, counts[k])
		}
		most = max(most, counts[k])
	}
	if most != st.maxCount || uint64(most) != st.bounds.common {
		t.Fatalf("most frequent value %d times, at most %d, want %d", st.maxCount, st.bounds.common, most)
	}
	for i, id := range st.ids.S {
		if key(st.alphabet()[id]) != key(st.values[i]) {
			t.Fatalf("row %d has number %d", i, id)
		}
	}
}
