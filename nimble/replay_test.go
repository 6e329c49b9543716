package nimble

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/vector"
)

// Shapes of data that made other readers lose nulls, fail or change values.
func TestReplays(t *testing.T) {
	for name, c := range map[string]struct {
		schema string
		batch  *vector.Batch
		nulls  int // of the first column or its first field
	}{
		"one value, every seventh null": {"v VARCHAR", oneValueBatch(200), 29},
		"a row that is nearly all null": {"r ROW<x BIGINT, s VARCHAR>", sparseBatch(20_821, 947), 20_799},
		"nulls in later chunks alone":   {"v BIGINT", lateNullsBatch(3_000, 2_500), 166},
		"zeros and NaNs":                {"f DOUBLE, g REAL", zerosBatch(5_000), 0},
		"no rows":                       {"v BIGINT", runsBatch(0, 1), 0},
		"a constant of width 0":         {"v BIGINT", runsBatch(3_000, 3_000), 0},
		"runs that cross batches":       {"v BIGINT", runsBatch(3_000, 100), 0},
		"a block and one":               {"v BIGINT", runsBatch(1_025, 1), 0},
	} {
		t.Run(name, func(t *testing.T) {
			want := batchValues(c.batch)
			if got := countNulls(c.batch.Columns[0]); got != c.nulls {
				t.Fatalf("%d nulls were made, want %d", got, c.nulls)
			}
			for _, chunkBytes := range []int{0, 700} {
				data := writeFile(t, mustSchema(t, c.schema), &WriterOptions{ChunkBytes: chunkBytes}, c.batch)
				f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, batchRows := range []int{1, 64, 97, 2048} {
					for _, from := range []int{0, len(want) / 2, len(want)} {
						checkRows(t, f, batchRows, from, want[from:])
					}
				}
			}
		})
	}
}

func mustSeek(t *testing.T, f *File, batchRows, from int) *Scanner {
	t.Helper()
	s, err := f.Scan(ScanOptions{BatchRows: batchRows})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SeekRow(int64(from)); err != nil {
		t.Fatal(err)
	}
	return s
}

// checkRows compares the rows of f from one on with those expected.
func checkRows(t *testing.T, f *File, batchRows, from int, want []any) {
	t.Helper()
	s := mustSeek(t, f, batchRows, from)
	defer s.Close()
	var got []any
	for {
		b, err := s.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("batches of %d from row %d: %v", batchRows, from, err)
		}
		got = append(got, batchValues(b)...)
	}
	if len(got) != len(want) {
		t.Fatalf("batches of %d from row %d: %d rows, want %d", batchRows, from, len(got), len(want))
	}
	for i := range want {
		if fmt.Sprint(got[i]) != fmt.Sprint(want[i]) {
			t.Fatalf("batches of %d: row %d: %s", batchRows, from+i, cmp.Diff(want[i], got[i]))
		}
	}
}

func countNulls(v vector.Vector) (nulls int) {
	for i := range v.Len() {
		if !vector.Valid(v.Validity(), i) {
			nulls++
		}
	}
	return nulls
}

func oneValueBatch(n int) *vector.Batch {
	v := vector.NewVec[vector.View](nil)
	for i := range n {
		if i%7 == 0 {
			v.AppendNull()
		} else {
			vector.AppendString(v, []byte("the only value there is"))
		}
	}
	return &vector.Batch{N: n, Columns: []vector.Vector{v}}
}

// lateNullsBatch has nulls from a row on, with values between them.
func lateNullsBatch(n, from int) *vector.Batch {
	v := vector.NewVec[int64](nil)
	x := uint64(1)
	for i := range n {
		if i >= from && i%3 == 0 {
			v.AppendNull()
			continue
		}
		x = x*6364136223846793005 + 1442695040888963407
		v.Append(int64(x))
	}
	return &vector.Batch{N: n, Columns: []vector.Vector{v}}
}

// sparseBatch has a row of two fields that is present in every so many rows, the
// last of which are long before the end.
func sparseBatch(n, every int) *vector.Batch {
	x, s := vector.NewVec[int64](nil), vector.NewVec[vector.View](nil)
	v := vector.NewRow(nil, x, s)
	for i := range n {
		present := i%every == every-1 || i == 3
		v.Append(present)
		if !present {
			x.AppendNull()
			s.AppendNull()
			continue
		}
		x.Append(int64(i))
		vector.AppendString(s, fmt.Appendf(nil, "text %d", i))
	}
	return &vector.Batch{N: n, Columns: []vector.Vector{v}}
}

func zerosBatch(n int) *vector.Batch {
	f, g := vector.NewVec[float64](nil), vector.NewVec[float32](nil)
	for i := range n {
		f.Append([]float64{0, math.Copysign(0, -1), math.NaN(), math.Float64frombits(0xfff0dead00000000)}[i%7%4])
		g.Append([]float32{0, float32(math.Copysign(0, -1)), math.Float32frombits(0x7fc00001)}[i/9%3])
	}
	return &vector.Batch{N: n, Columns: []vector.Vector{f, g}}
}

// runsBatch has runs of one value each.
func runsBatch(n, run int) *vector.Batch {
	v := vector.NewVec[int64](nil)
	for i := range n {
		v.Append(int64(i / run * 3))
	}
	return &vector.Batch{N: n, Columns: []vector.Vector{v}}
}
