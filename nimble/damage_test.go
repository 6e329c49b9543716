package nimble

import (
	"bytes"
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
)

// damageVariable is the environment variable that says how many samples of damaged
// files are tried; then the smallest files are also tried bit by bit.
const damageVariable = "DECANT_DAMAGE"

const (
	// damageLimitBytes is the most that reading a damaged golden file may allocate,
	// and damageLimit how long it may take.
	damageLimitBytes = 512 << 20
	damageLimit      = 20 * time.Second
)

// damager tries damaged copies of files.
type damager struct {
	session           *Session
	unopened, refused int // copies that are not opened, or end in an error
	read              int // copies that are read to the end, perhaps with other values
	silent            int // of the minor version, which nothing protects
}

// try opens, verifies and reads a damaged copy. pos is the byte that was changed, -1
// if the file was cut.
func (d *damager) try(t *testing.T, name string, data []byte, pos int, what string) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	found := d.open(t, name, data, what)
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > damageLimitBytes {
		t.Errorf("%s, %s: %d bytes were allocated", name, what, bytes)
	}
	if took := time.Since(begin); took > damageLimit {
		t.Errorf("%s, %s: it took %v", name, what, took)
	}
	minor := pos == len(data)-3 || pos == len(data)-4
	switch {
	case found:
	case minor:
		d.silent++
	default:
		t.Errorf("%s, %s: nobody noticed", name, what)
	}
}

// open reports whether the damage is found, by opening the file or by Verify, and
// reads all columns as a program would.
func (d *damager) open(t *testing.T, name string, data []byte, what string) (found bool) {
	t.Helper()
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		d.unopened++
		return true
	}
	findings, err := f.Verify(context.Background(), d.session, nil)
	if err != nil {
		t.Fatalf("%s, %s: %v", name, what, err)
	}
	failed := false
	for i := range f.Schema().Children {
		s, err := f.Scan(ScanOptions{Columns: []int{i}, Session: d.session})
		for err == nil {
			_, err = s.Next()
		}
		if s != nil {
			failed = failed || !isEOF(err)
			s.Close()
		}
	}
	if failed {
		d.refused++
	} else {
		d.read++
	}
	return len(findings) > 0
}

func isEOF(err error) bool { return err != nil && err.Error() == "EOF" }

// flip returns data with a bit turned.
func flip(data []byte, bit int) []byte {
	damaged := bytes.Clone(data)
	damaged[bit/8] ^= 1 << (bit % 8)
	return damaged
}

// TestGoldenFilesDamaged turns bits of golden files and cuts them: each is found by
// opening the file or by Verify, and reading ends within the limits. A few of them
// are tried, or as many as the environment says.
func TestGoldenFilesDamaged(t *testing.T) {
	samples, exhaustive, stride := 1000, 3, 17
	if text := os.Getenv(damageVariable); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		samples, exhaustive, stride = n, 20, 1
	}
	files := append(goldenFiles(t), indexFiles(t)...)
	slices.SortStableFunc(files, func(a, b goldenFile) int { return cmp.Compare(len(a.data), len(b.data)) })
	d := &damager{session: NewSession(pool.New(pool.Options{}))}
	copies := 0
	for i, c := range files[:min(exhaustive, len(files))] {
		for bit := 0; bit < 8*len(c.data); bit += stride {
			d.try(t, c.Name, flip(c.data, bit), bit/8, "bit "+strconv.Itoa(bit))
			copies++
		}
		for n := 0; n < len(c.data); n += stride {
			d.try(t, c.Name, c.data[:n], -1, "cut to "+strconv.Itoa(n))
			copies++
		}
		if stride == 1 {
			t.Logf("%d of %d files bit by bit, %d copies", i+1, exhaustive, copies)
		}
	}
	random := rand.New(rand.NewPCG(1, 804))
	for i := range samples {
		c := files[random.IntN(len(files))]
		bit := random.IntN(8 * len(c.data))
		if random.IntN(10) == 0 {
			d.try(t, c.Name, c.data[:bit/8], -1, "cut to "+strconv.Itoa(bit/8))
		} else {
			d.try(t, c.Name, flip(c.data, bit), bit/8, "bit "+strconv.Itoa(bit))
		}
		copies++
		if i%10_000 == 9_999 {
			t.Logf("%d of %d samples", i+1, samples)
		}
	}
	t.Logf("%d copies: %d are not opened, %d end in an error, %d are read; %d flips of the minor version", copies, d.unopened, d.refused, d.read, d.silent)
}

// The checksum is what finds damage to values; without it, damage to the structure
// of most files' bytes is found all the same.
func TestGoldenFilesDamagedWithoutChecksum(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 804))
	files := goldenFiles(t)
	found, tried := 0, 0
	session := NewSession(pool.New(pool.Options{}))
	for range 500 {
		c := files[random.IntN(len(files))]
		f, err := Open(bytes.NewReader(c.data), int64(len(c.data)), nil)
		if err != nil || f.NumStripes() == 0 || c.Rows == 0 {
			continue
		}
		// A byte of a chunk's header or of an array's prefix.
		g, err := f.Tablet().Group(0)
		if err != nil {
			t.Fatal(err)
		}
		var r tablet.Range
		for try := 0; r.Len == 0 && try < 100 && g.Streams() > 0; try++ {
			r = g.Stream(0, uint32(random.IntN(g.Streams())))
		}
		if r.Len < 6 {
			continue
		}
		tried++
		damaged := flip(c.data, 8*int(r.Pos)+random.IntN(48))
		if f, err = Open(bytes.NewReader(damaged), int64(len(damaged)), nil); err != nil {
			found++
			continue
		}
		findings, err := f.Verify(context.Background(), session, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(findings) > 1 { // besides the checksum
			found++
		}
	}
	if found < tried*9/10 {
		t.Errorf("of %d damaged chunk headers and encodings %d are found without the checksum", tried, found)
	}
	t.Logf("%d of %d are found", found, tried)
}
