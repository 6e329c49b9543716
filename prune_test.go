package decant

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/decantdb/decant/internal/exec"
	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/internal/plan"
	"github.com/decantdb/decant/internal/sql"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// unpruned is a table of which all rows are read.
type unpruned struct {
	exec.Table
	exec.Segmented
}

// matches returns which rows of a table meet a condition, each as its file and its
// number there.
func matches(t *testing.T, in exec.Table, columns []plan.TableColumn, where string, nullsOff bool) ([]string, exec.Stats) {
	t.Helper()
	statement, err := sql.Parse("SELECT $segmentName, $docId FROM t WHERE " + where)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	q, err := plan.Compile(statement, "t", columns, plan.Options{DefaultLimit: -1, NullsOff: nullsOff})
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	var rows []string
	stats, err := exec.Run(context.Background(), q, in, exec.Options{}, func(b *vector.Batch) error {
		names, ids := b.Columns[0].(*vector.Vec[vector.View]), b.Columns[1].(*vector.Vec[int32])
		for i := range b.N {
			if b.Sel == nil || slices.Contains(b.Sel, int32(i)) {
				name, _ := names.At(i)
				id, _ := ids.At(i)
				rows = append(rows, fmt.Sprintf("%s %d", name.Bytes(names.Buffers.List()), id))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	return rows, stats
}

// pruneSchemas are types of the same columns in several files.
var pruneSchemas = []string{
	"i INTEGER, l BIGINT, f REAL, d DOUBLE, s VARCHAR, b VARBINARY, m TIMESTAMP, day DATE, ok BOOLEAN, p DECIMAL(9,2)",
	"i BIGINT, l BIGINT, f DOUBLE, d DOUBLE, s VARCHAR, b VARBINARY, m TIMESTAMP, day TIMESTAMP, ok BOOLEAN, p DECIMAL(9,2)",
	"i SMALLINT, l INTEGER, f REAL, d REAL, s VARCHAR, b VARBINARY, m DATE, day DATE, ok BOOLEAN, p DECIMAL(9,2)",
}

// pruneBase is a day, in days since 1970, around which moments are.
const pruneBase = -12

// writeRandom writes a file whose values lie around centre, with nulls, NaNs, and
// stripes without values.
func writeRandom(t *testing.T, r *rand.Rand, path, ddl string, centre int) {
	t.Helper()
	schema, err := nimble.ParseSchema(ddl)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := nimble.NewWriter(&out, schema, &nimble.WriterOptions{StripeRows: 16})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		b := &vector.Batch{N: 16}
		for _, typ := range schema.Children {
			nulls := []int{0, 1, 2, 10}[r.IntN(4)]
			b.Columns = append(b.Columns, randomColumn(r, typ, b.N, centre, nulls))
		}
		if err := w.WriteBatch(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// randomColumn makes a column of which about so many of ten rows are null.
func randomColumn(r *rand.Rand, typ *nimble.Type, n, centre, nulls int) vector.Vector {
	value := func() (x int, null bool) { return centre + r.IntN(7) - 3, r.IntN(10) < nulls }
	switch typ.Kind {
	case nimble.SmallInt:
		return numbers(n, value, func(x int) int16 { return int16(x) })
	case nimble.Integer:
		if typ.Logical == "date" {
			return numbers(n, value, func(x int) int32 { return pruneBase + int32(x) })
		}
		return numbers(n, value, func(x int) int32 { return int32(x) })
	case nimble.BigInt:
		return numbers(n, value, func(x int) int64 { return int64(x) })
	case nimble.Real:
		return numbers(n, value, func(x int) float32 { return float32(randomFloat(r, x)) })
	case nimble.Double:
		return numbers(n, value, func(x int) float64 { return randomFloat(r, x) })
	case nimble.Varchar, nimble.Varbinary:
		v := vector.NewVec[vector.View](nil)
		for range n {
			if x, null := value(); null {
				v.AppendNull()
			} else {
				vector.AppendString(v, []byte(randomText(x)))
			}
		}
		return v
	case nimble.Timestamp:
		v := vector.NewTimestamps(nil)
		for range n {
			if x, null := value(); null {
				v.AppendNull()
			} else {
				v.Append(int64(pruneBase+x)*86_400_000_000+r.Int64N(3)*43_200_000_123, uint16(r.IntN(1000)))
			}
		}
		return v
	}
	v := vector.NewBools(nil)
	for range n {
		if x, null := value(); null {
			v.AppendNull()
		} else {
			v.Append(x%2 == 0)
		}
	}
	return v
}

func numbers[T vector.Value](n int, value func() (int, bool), of func(int) T) vector.Vector {
	v := vector.NewVec[T](nil)
	for range n {
		if x, null := value(); null {
			v.AppendNull()
		} else {
			v.Append(of(x))
		}
	}
	return v
}

func randomFloat(r *rand.Rand, x int) float64 {
	return []float64{float64(x), float64(x) + 0.1, math.NaN(), math.Copysign(0, -1), math.Inf(x)}[min(r.IntN(12), 4)]
}

// randomText returns texts that the order of bytes and that of Java order otherwise.
func randomText(x int) string {
	return []string{"a", "b", "\uffee", "\U0001f600", ""}[(x+100)/5%5] + fmt.Sprint(x)
}

// randomCondition returns a condition on the columns of pruneSchemas.
func randomCondition(r *rand.Rand, depth int) string {
	if depth > 0 && r.IntN(2) == 0 {
		a, b := randomCondition(r, depth-1), randomCondition(r, depth-1)
		return fmt.Sprintf([]string{"(%s AND %s)", "(%s OR %s)", "NOT (%s AND %s)"}[r.IntN(3)], a, b)
	}
	number := func() string { return fmt.Sprint(r.IntN(40)-10) + []string{"", ".1", ".5"}[r.IntN(3)] }
	literal := map[string]func() string{
		"i": number, "l": number, "f": number, "d": number, "p": number,
		"s": func() string { return "'" + randomText(r.IntN(40)-10) + "'" },
		"b": func() string { return fmt.Sprintf("'%x'", randomText(r.IntN(40)-10)) },
		"m": func() string { return fmt.Sprint(int64(pruneBase+r.IntN(40)-10)*86_400_000 + r.Int64N(2)*43_200_000) },
	}
	literal["day"] = literal["m"]
	names := []string{"i", "l", "f", "d", "p", "s", "b", "m", "day", "ok"}
	name := names[r.IntN(len(names))]
	if name == "ok" {
		return name + []string{"", " IS NULL", " = false", " IS NOT TRUE"}[r.IntN(4)]
	}
	x := literal[name]
	switch r.IntN(6) {
	case 0:
		return name + []string{" IS NULL", " IS NOT NULL"}[r.IntN(2)]
	case 1:
		if name != "i" && name != "l" {
			return fmt.Sprintf("%s %s (%s, %s, %s)", name, []string{"IN", "NOT IN"}[r.IntN(2)], x(), x(), x())
		}
		return fmt.Sprintf("%s NOT IN (%d, %d)", name, r.IntN(30), r.IntN(30))
	case 2:
		return fmt.Sprintf("%s BETWEEN %s AND %s", name, x(), x())
	}
	return fmt.Sprintf("%s %s %s", name, []string{"=", "<>", "<", "<=", ">", ">="}[r.IntN(6)], x())
}

// Leaving rows out changes no answer: files of several types and ranges of values, with
// nulls, NaNs and texts beyond U+FFFF; null handling on and off.
func TestPruningChangesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 804))
	dir := t.TempDir()
	var specs []string
	for i := range 9 {
		path := filepath.Join(dir, fmt.Sprintf("f%d.nimble", i))
		writeRandom(t, r, path, pruneSchemas[i%len(pruneSchemas)], i*3-4)
		specs = append(specs, "t="+path)
	}
	db, err := Open(context.Background(), Options{}, specs...)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	in := db.tables[0]
	left := int64(0)
	for range 3000 {
		where, nullsOff := randomCondition(r, 2), r.IntN(2) == 0
		got, stats := matches(t, in, in.columns, where, nullsOff)
		want, _ := matches(t, unpruned{in, in}, in.columns, where, nullsOff)
		if !slices.Equal(got, want) {
			t.Fatalf("%s, null handling off %t: %d rows instead of %d", where, nullsOff, len(got), len(want))
		}
		left += stats.RowsPruned
	}
	if left == 0 {
		t.Error("no row is left out")
	}
	t.Logf("%d rows of %d are left out", left, 3000*9*48)
}

// countingReader counts what is read of a file.
type countingReader struct {
	*os.File
	bytes int64
}

func (c *countingReader) ReadAt(p []byte, pos int64) (int, error) {
	c.bytes += int64(len(p))
	return c.File.ReadAt(p, pos)
}

// countedTable returns a table of one file, and what counts the bytes that are read.
func countedTable(t *testing.T, path string) (*table, *countingReader) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	r := &countingReader{File: f}
	opened, err := nimble.Open(r, info.Size(), &nimble.OpenOptions{TailBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	n := &nimbleFile{File: f, nimble: opened}
	in := &table{name: "t", memory: &exec.Memory{}}
	in.add(n.within(nimble.RowRanges{{End: opened.Rows()}}))
	if err := in.unify(context.Background()); err != nil {
		t.Fatal(err)
	}
	return in, r
}

// bytesRead returns how many bytes of a file a query reads, and how many rows it finds.
func (c *countingReader) bytesRead(t *testing.T, in exec.Table, columns []plan.TableColumn, where string) (n int64, rows int) {
	t.Helper()
	before := c.bytes
	found, _ := matches(t, in, columns, where, false)
	return c.bytes - before, len(found)
}

// Of a file whose values are all below those wanted nothing is read, and where a
// cluster index finds the rows in few of its chunks, only their stripes.
func TestGoldenPruningReadsLess(t *testing.T) {
	files, less := 0, 0
	for _, dir := range golden.Dirs(t, "nimble/index") {
		paths, err := filepath.Glob(filepath.Join(dir, "cluster*.nimble"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			in, r := countedTable(t, path)
			file := in.files[0].(*nimbleFile).nimble
			s := file.ColumnStats(file.Schema().Field("k"))
			least, most := fmt.Sprint(s.MinInt), fmt.Sprint(s.MaxInt+1)
			if s.MinString != "" {
				least, most = "'"+s.MinString+"'", "'"+s.MaxString+"x'"
			}
			files++
			if n, rows := r.bytesRead(t, in, in.columns, "k >= "+most); n != 0 || rows != 0 {
				t.Errorf("%s: %d bytes are read for %d rows beyond the greatest", path, n, rows)
			}
			where := "k = " + least + " AND v IS NOT NULL"
			all, want := r.bytesRead(t, unpruned{in, in}, in.columns, where)
			some, rows := r.bytesRead(t, in, in.columns, where)
			if rows != want || rows == 0 {
				t.Errorf("%s: %s: %d rows, want %d", path, where, rows, want)
			}
			if some < all*3/4 {
				less++
			}
			t.Logf("%s, %d stripes: %s: %d bytes instead of %d", filepath.Base(path), file.NumStripes(), where, some, all)
		}
	}
	if less == 0 {
		t.Errorf("of %d files none is read in part", files)
	}
}

// Stripes that have no value of a column are not read for one.
func TestPruningOfStripes(t *testing.T) {
	const stripes, stripeRows = 8, 1000
	schema, err := nimble.ParseSchema("n INTEGER, s VARCHAR")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.nimble")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := nimble.NewWriter(out, schema, &nimble.WriterOptions{StripeRows: stripeRows})
	if err != nil {
		t.Fatal(err)
	}
	for stripe := range stripes {
		n, text := vector.NewVec[int32](nil), vector.NewVec[vector.View](nil)
		for row := range stripeRows {
			if stripe == 5 {
				n.Append(int32(row))
			} else {
				n.AppendNull()
			}
			vector.AppendString(text, []byte(fmt.Sprintf("%d in %d", row*7919, stripe)))
		}
		if err := w.WriteBatch(&vector.Batch{N: stripeRows, Columns: []vector.Vector{n, text}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), out.Close()); err != nil {
		t.Fatal(err)
	}
	in, r := countedTable(t, path)
	where := "n >= 0 AND s <> 'x'"
	all, want := r.bytesRead(t, unpruned{in, in}, in.columns, where)
	some, rows := r.bytesRead(t, in, in.columns, where)
	if rows != want || rows != stripeRows || some > all/stripes*2 {
		t.Errorf("%d rows in %d bytes, and without pruning %d in %d", rows, some, want, all)
	}
	t.Logf("%d bytes instead of %d", some, all)
}

func TestMomentsAsStored(t *testing.T) {
	for _, c := range []struct{ ms, firstDay, lastDay, firstMicros, lastMicros int64 }{
		{0, 0, 0, 0, 999},
		{1, 1, 0, 1000, 1999},
		{-1, 0, -1, -1000, -1},
		{millisOfDay, 1, 1, millisOfDay * 1000, millisOfDay*1000 + 999},
		{-millisOfDay - 1, -1, -2, -millisOfDay*1000 - 1000, -millisOfDay*1000 - 1},
		{math.MaxInt64, math.MaxInt64/millisOfDay + 1, math.MaxInt64 / millisOfDay, math.MaxInt64, math.MaxInt64},
		{math.MinInt64, math.MinInt64 / millisOfDay, math.MinInt64/millisOfDay - 1, math.MinInt64, math.MinInt64},
	} {
		got := []int64{firstDay(c.ms), lastDay(c.ms), firstMicros(c.ms), lastMicros(c.ms)}
		if want := []int64{c.firstDay, c.lastDay, c.firstMicros, c.lastMicros}; !slices.Equal(got, want) {
			t.Errorf("%d ms: %v, want %v", c.ms, got, want)
		}
	}
}
