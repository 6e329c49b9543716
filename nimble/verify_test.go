package nimble

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
)

func TestGoldenFilesVerify(t *testing.T) {
	var files, refused int
	s := NewSession(pool.New(pool.Options{}))
	for _, c := range goldenFiles(t) {
		calls, last := 0, 0
		findings, err := c.open(t).Verify(context.Background(), s, func(done, total int) {
			calls++
			last = total
			if done != calls || done > total {
				t.Fatalf("%s: part %d of %d in call %d", c.Name, done, total, calls)
			}
		})
		if err != nil || calls != last {
			t.Errorf("%s: %d of %d parts, %v", c.Name, calls, last, err)
		}
		files++
		for _, finding := range findings {
			if errors.Is(finding, encoding.ErrUnsupported) {
				refused++
				continue
			}
			t.Errorf("%s: %v", c.Name, finding)
		}
	}
	t.Logf("%d files, %d columns refused", files, refused)
}

// smallFile returns a file of several columns, and where the chunk of its first
// column begins.
func smallFile(t *testing.T) []byte {
	t.Helper()
	schema, err := ParseSchema("n BIGINT, s VARCHAR, a ARRAY<INTEGER>, at TIMESTAMP, r ROW<x DOUBLE>")
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, schema, &WriterOptions{StripeRows: 30}, fixedBatch(schema, 50))
}

func TestVerifySaysWhere(t *testing.T) {
	data := smallFile(t)
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	// The second stripe's strings: an encoding that does not exist.
	g, err := f.Tablet().Group(0)
	if err != nil {
		t.Fatal(err)
	}
	const stripe, stream = 1, 2
	at := g.Stream(stripe, stream).Pos
	data = bytes.Clone(data)
	data[at+5] = 200
	if f, err = Open(bytes.NewReader(data), int64(len(data)), nil); err != nil {
		t.Fatal(err)
	}
	findings, err := f.Verify(context.Background(), NewSession(nil), nil)
	if err != nil || len(findings) != 2 {
		t.Fatalf("%v, %v; want two findings", findings, err)
	}
	if !errors.Is(findings[0], tablet.ErrChecksum) {
		t.Errorf("finding %v is not of the checksum", findings[0])
	}
	var se *StreamError
	if !errors.As(findings[1], &se) {
		t.Fatalf("finding %v has no place", findings[1])
	}
	if se.Stripe != stripe || se.Stream != stream || se.Chunk != 0 || se.Pos != at {
		t.Errorf("damage at %+v, want stripe %d stream %d byte %d", se, stripe, stream, at)
	}
	if !strings.HasPrefix(findings[1].Error(), "column s: nimble: stripe 1 stream 2: chunk 0 at byte ") {
		t.Errorf("finding %q", findings[1])
	}
}

func TestVerifyStops(t *testing.T) {
	data := smallFile(t)
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Verify(ctx, NewSession(nil), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v instead of %v", err, context.Canceled)
	}
}

// TestDamage changes each byte of a file in turn: whatever comes of it, it is an
// error or a finding.
func TestDamage(t *testing.T) {
	data := smallFile(t)
	s := NewSession(pool.New(pool.Options{}))
	// The checksum, its kind and the minor version are not read by Open.
	unhashed := []int{len(data) - 3, len(data) - 4}
	for i := range data {
		damaged := bytes.Clone(data)
		damaged[i] ^= 0xff
		f, err := Open(bytes.NewReader(damaged), int64(len(damaged)), nil)
		if err != nil {
			continue
		}
		findings, err := f.Verify(context.Background(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(findings) == 0 && !slices.Contains(unhashed, i) {
			t.Errorf("byte %d of %d was changed and nobody noticed", i, len(data))
		}
	}
	for n := range data {
		if _, err := Open(bytes.NewReader(data[:n]), int64(n), nil); err == nil {
			t.Errorf("the first %d of %d bytes were opened", n, len(data))
		}
	}
}

func TestOptionalSectionsMayBeDamaged(t *testing.T) {
	data := smallFile(t)
	f, err := Open(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := readFile(f, 16)
	if err != nil {
		t.Fatal(err)
	}
	sections := f.Tablet().Footer().Sections
	i := slices.IndexFunc(sections, func(s tablet.Section) bool { return s.Name == tablet.SectionStats })
	if i < 0 {
		t.Fatal("the file has no statistics")
	}
	data = bytes.Clone(data)
	clear(data[sections[i].Pos+4 : sections[i].Pos+uint64(sections[i].Len)])
	if f, err = Open(bytes.NewReader(data), int64(len(data)), nil); err != nil {
		t.Fatal(err)
	}
	if len(f.Warnings()) != 1 || f.Stats() != nil || f.ColumnStats(0) != nil {
		t.Errorf("warnings %q, statistics %v", f.Warnings(), f.Stats())
	}
	got, err := readFile(f, 16)
	if err != nil || len(got) != len(want) {
		t.Errorf("%d rows, %v; want %d", len(got), err, len(want))
	}
	findings, err := f.Verify(context.Background(), NewSession(nil), nil)
	if err != nil || len(findings) != 2 {
		t.Errorf("findings %v, %v; want checksum and statistics", findings, err)
	}
}
