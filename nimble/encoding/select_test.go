package encoding

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// selectModes are the options of the recorded selections.
var selectModes = map[string]EncodeOptions{
	"default_none":           {},
	"default_none_exactbits": {ExactBits: true},
	"default_zstd":           {Compression: Zstd},
	"default_lz4_varint":     {Compression: LZ4, VarintRowCount: true},
	"nestedalp_none":         {NestedALP: true},
	"allcandidates_none": {Candidates: append(DefaultReadFactors(),
		ReadFactor{KindALP, 1}, ReadFactor{KindSimdForBitpack, 1}, ReadFactor{KindBlockBitPacking, 1},
		ReadFactor{KindDeltaBlock, 1}, ReadFactor{KindFsst, 1}, ReadFactor{KindHuffman, 1})},
}

// TestGoldenSelect lets the encoder select and compares bytes where nothing is
// compressed.
func TestGoldenSelect(t *testing.T) {
	p := pool.New(pool.Options{})
	checker := newEncodeChecker(p)
	ran := map[string]int{}
	encodeGoldenLines(t, "selection.jsonl", func(dir string, c encodeGolden) {
		o, ok := selectModes[c.Mode]
		if !ok {
			return
		}
		e, err := NewEncoder(p, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := encodeLoad(t, dir, c.DataType, c.ExpectedFile, c.NullsFile, c.RowCount).encode(e, nil)
		if err != nil {
			t.Errorf("%s: %v", c.File, err)
			return
		}
		ran[c.Mode]++
		checker.check(t, dir, c, o.Compression, got)
	})
	checker.finish(t)
	for mode := range selectModes {
		t.Logf("%s: %d cases", mode, ran[mode])
		if ran[mode] == 0 {
			t.Errorf("no cases of mode %s", mode)
		}
	}
}

// estimateGolden is the recorded estimates and statistics of one data set.
type estimateGolden struct {
	DataType  string
	Pattern   string
	RowCount  int
	Estimates map[string]*uint64
	Stats     *struct {
		ConsecutiveRepeatCount int
		MinRepeat, MaxRepeat   int
		Min, Max               *uint64
		MinLen, MaxLen         *uint64
		TotalStringsLength     *uint64
		UniqueCount            *int
	}
}

// TestGoldenEstimates compares the estimate of every encoding that is ever
// selected, and the statistics that they come from.
func TestGoldenEstimates(t *testing.T) {
	e, err := NewEncoder(pool.New(pool.Options{}), EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sets, values := 0, 0
	encodeGoldenLines(t, "estimates.jsonl", func(dir string, g estimateGolden) {
		in := encodeLoad(t, dir, g.DataType, "data/"+g.DataType+"_"+g.Pattern+".expected", "", g.RowCount)
		if g.RowCount == 0 {
			return // nothing is estimated: no rows are always Trivial
		}
		sets++
		var got estimateResult
		switch {
		case in.dt == Bool:
			got = estimateBools(e, in)
		case in.dt == String:
			got = estimateValues(e, in.dt, in.views, in.buffers)
		case in.dt.Bytes() == 1:
			got = estimateValues(e, in.dt, in.u8, nil)
		case in.dt.Bytes() == 2:
			got = estimateValues(e, in.dt, in.u16, nil)
		case in.dt.Bytes() == 4:
			got = estimateValues(e, in.dt, in.u32, nil)
		default:
			got = estimateValues(e, in.dt, in.u64, nil)
		}
		name := g.DataType + " " + g.Pattern
		values += compareEstimates(t, name, g, got)
		compareStats(t, name, g, got)
	})
	if sets == 0 {
		t.Fatal("no cases")
	}
	t.Logf("%d data sets, %d estimates", sets, values)
}

// estimateResult is what the encoder reckons of one array.
type estimateResult struct {
	sizes                      map[Kind]uint64
	runs, minRepeat, maxRepeat int
	lo, hi, bytes              uint64
	distinct                   int
}

func estimateValues[T Physical](e *Encoder, dt DataType, values []T, buffers [][]byte) estimateResult {
	st := takeStats(e, dt, values, buffers)
	defer st.release()
	scan(st)
	countUniques(st)
	r := estimateResult{
		map[Kind]uint64{}, st.runs, st.minRepeat, st.maxRepeat, st.lo, st.hi, st.bytes, st.distinct,
	}
	for k, entry := range laneOf[T](e).suite {
		if entry.estimate == nil {
			continue
		}
		if size, ok := entry.estimate(st); ok {
			r.sizes[Kind(k)] = size
		}
	}
	return r
}

func estimateBools(e *Encoder, in *encodeInput) estimateResult {
	st := takeBoolStats(e, in.bits, in.rows)
	defer st.release()
	st.scan()
	r := estimateResult{sizes: map[Kind]uint64{}, runs: st.runs, minRepeat: st.minRepeat, maxRepeat: st.maxRepeat}
	for k, entry := range e.bools.suite {
		if entry.estimate == nil {
			continue
		}
		if size, ok := entry.estimate(st); ok {
			r.sizes[Kind(k)] = size
		}
	}
	return r
}

func compareEstimates(t *testing.T, name string, g estimateGolden, got estimateResult) int {
	n := 0
	for enc, want := range g.Estimates {
		kind := encodeKindOf(t, enc)
		if !writesKind(kind) {
			continue
		}
		if kind == KindHuffman && (g.DataType == "float" || g.DataType == "double") {
			want = nil // the original could write what nobody could read
		}
		n++
		size, ok := got.sizes[kind]
		switch {
		case ok != (want != nil):
			t.Errorf("%s: %s: estimate present: %v, want %v", name, enc, ok, want != nil)
		case ok && size != *want:
			t.Errorf("%s: %s: estimate %d, want %d", name, enc, size, *want)
		}
	}
	return n
}

func compareStats(t *testing.T, name string, g estimateGolden, got estimateResult) {
	s := g.Stats
	if got.runs != s.ConsecutiveRepeatCount || got.minRepeat != s.MinRepeat || got.maxRepeat != s.MaxRepeat {
		t.Errorf("%s: runs %d of %d to %d, want %d of %d to %d", name, got.runs, got.minRepeat, got.maxRepeat,
			s.ConsecutiveRepeatCount, s.MinRepeat, s.MaxRepeat)
	}
	for _, c := range []struct {
		what string
		got  uint64
		want *uint64
	}{
		{"min", got.lo, s.Min},
		{"max", got.hi, s.Max},
		{"shortest", got.lo, s.MinLen},
		{"longest", got.hi, s.MaxLen},
		{"bytes", got.bytes, s.TotalStringsLength},
	} {
		if c.want != nil && c.got != *c.want {
			t.Errorf("%s: %s %d, want %d", name, c.what, c.got, *c.want)
		}
	}
	if s.UniqueCount != nil && !strings.HasPrefix(name, "bool") && got.distinct != *s.UniqueCount {
		t.Errorf("%s: %d distinct values, want %d", name, got.distinct, *s.UniqueCount)
	}
}

// workedExamples are arrays small enough to follow by hand.
var workedExamples = []struct {
	name   string
	dt     DataType
	u32    []uint32
	u64    []uint64
	text   []string
	bools  string
	varint bool
	want   string
}{
	{name: "one, varint", dt: Int32, u32: []uint32{42}, varint: true, want: "0905012a000000"},
	{name: "one", dt: Int32, u32: []uint32{42}, want: "000501000000002a000000"},
	{name: "two equal", dt: Int32, u32: []uint32{7, 7}, want: "09050200000007000000"},
	{
		name: "sequence", dt: Int64, u64: []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		want: "03070a000000" + "00" + "0000000000000000" + "08" + "00010203040506070809" + "00000000000000",
	},
	{
		name: "signs", dt: Int32, u32: []uint32{0xffffffff, 1, 0xffffffff, 2},
		want: "00050400000000ffffffff01000000ffffffff02000000",
	},
	{name: "bools", dt: Bool, bools: "1110", want: "000b04000000" + "00" + "07" + "00000000000000"},
	{
		name: "two runs", dt: Int64, u64: append(slices.Repeat([]uint64{5}, 20), slices.Repeat([]uint64{^uint64(2)}, 20)...),
		want: "010728000000" + "0a000000" + "09060200000014000000" +
			"000802000000000500000000000000fdffffffffffffff",
	},
	{
		name: "outlier", dt: Int64, u64: outlier(), varint: true,
		want: "010740" + "0a000000" + "070603010000001d0020" +
			"00080300090000000000000000000000000100000900000000000000",
	},
	{
		name: "strings", dt: String, text: []string{"a", "bb", ""},
		want: "000c03000000" + "00" + "0d000000" + "07060300000000000000010200" + "616262",
	},
	{
		name: "two strings", dt: String, text: slices.Repeat([]string{"alpha", "beta"}, 20),
		want: "0a0c28000000" + "13000000" + "000b28000000005555555555" + "00000000000000" +
			"0e000000" + "090c14000000" + "0400000062657461" + "05000000616c706861",
	},
	{
		name: "two doubles", dt: Double, u64: slices.Repeat([]uint64{0x3ff8000000000000, 0x4004000000000000}, 16),
		want: "020a20000000" + "17000000" + "000a0200000000000000000000f83f0000000000000440" +
			"030620000000000000000008" + strings.Repeat("0001", 16) + "00000000000000",
	},
}

// outlier is 64 rows of 9, but row 30 is 2^40.
func outlier() []uint64 {
	out := slices.Repeat([]uint64{9}, 64)
	out[30] = 1 << 40
	return out
}

func TestSelectWorkedExamples(t *testing.T) {
	for _, c := range workedExamples {
		t.Run(c.name, func(t *testing.T) {
			e, err := NewEncoder(nil, EncodeOptions{VarintRowCount: c.varint})
			if err != nil {
				t.Fatal(err)
			}
			var got []byte
			switch {
			case c.dt == String:
				views, buffers := stringViews(c.text)
				got, err = AppendStrings(e, nil, views, buffers)
			case c.dt == Bool:
				got, err = AppendBools(e, nil, boolBits(c.bools), len(c.bools))
			case c.u32 != nil:
				got, err = Append(e, nil, c.dt, c.u32)
			default:
				got, err = Append(e, nil, c.dt, c.u64)
			}
			if err != nil {
				t.Fatal(err)
			}
			if hex := fmt.Sprintf("%x", got); hex != c.want {
				t.Errorf("got  %s\nwant %s", hex, c.want)
			}
		})
	}
}

func stringViews(text []string) (views []vector.View, buffers [][]byte) {
	for i, s := range text {
		views = append(views, vector.MakeView([]byte(s), uint32(i), 0))
		buffers = append(buffers, []byte(s))
	}
	return views, buffers
}

// boolBits turns a text of 0 and 1 into a bitmap.
func boolBits(text string) []uint64 {
	bits := make([]uint64, vector.Words(len(text)))
	for i, c := range text {
		if c == '1' {
			vector.SetBit(bits, i)
		}
	}
	return bits
}
