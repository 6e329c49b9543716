//go:build !race

// The race detector makes the pools inside zstd forget, so that nothing here
// would be exact with it.

package rowbatch

import (
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

const warmRounds = 120

// steady fails unless rounds of fn after the first allocate nothing at all.
func steady(t *testing.T, fn func()) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	growTimers()
	fn()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range warmRounds {
		fn()
	}
	runtime.ReadMemStats(&after)
	mallocs, bytes := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	if mallocs != 0 || bytes != 0 {
		t.Errorf("%d allocations of %d bytes in %d rounds", mallocs, bytes, warmRounds)
	}
}

// growTimers makes the runtime's list of timers long. Its scavenger, which wakes
// up when it likes, would make it longer while allocations are counted.
func growTimers() {
	var timers [256]*time.Timer
	for i := range timers {
		timers[i] = time.AfterFunc(time.Hour, func() {})
	}
	for _, t := range timers {
		t.Stop()
	}
}

// needs returns the bytes that one batch takes, output and scratch.
func needs(tb testing.TB, s *sample, asColumns bool) int {
	tb.Helper()
	p := newTestPool()
	d := s.deserializer(tb, encoding.NewSession(p), asColumns)
	rows := d.NewRows()
	if err := d.Read(rows, s.blob); err != nil {
		tb.Fatal(err)
	}
	stats := p.Stats()
	return stats.OutstandingBytes + stats.HeldBytes
}

// reader is a sample with what reads it.
type reader struct {
	*sample
	d    *Deserializer
	rows *vector.Row
}

func (r *reader) read(tb testing.TB) {
	if err := r.d.Read(r.rows, r.blob); err != nil {
		tb.Fatal(err)
	}
}

func TestNoAllocation(t *testing.T) {
	for _, p := range patterns() {
		s := p.sample(t, 1500, 20)
		for _, asColumns := range []bool{false, true} {
			t.Run(p.name+"/"+form(asColumns), func(t *testing.T) {
				pl := newTestPool()
				session := encoding.NewSession(pl)
				d := s.deserializer(t, session, asColumns)
				r := reader{&s, d, d.NewRows()}
				// Rows released, as if each batch had another owner, and kept.
				steady(t, func() {
					r.read(t)
					r.rows.Release()
					r.read(t)
					r.read(t)
				})
				r.rows.Release()
				session.Release()
				checkHeld(t, pl, needs(t, &s, asColumns))
			})
		}
	}
}

// checkHeld fails if something is outstanding or too much is held.
func checkHeld(t *testing.T, p *pool.Pool, need int) {
	t.Helper()
	stats := p.Stats()
	if stats.Outstanding != 0 {
		t.Errorf("%d buffers of %d bytes are outstanding", stats.Outstanding, stats.OutstandingBytes)
	}
	if stats.HeldBytes >= 3*need {
		t.Errorf("%d bytes are held where a batch needs %d", stats.HeldBytes, need)
	}
}

// rotation returns five blobs of different trees and sizes.
func rotation(tb testing.TB) []sample {
	tb.Helper()
	var samples []sample
	for i, p := range patterns() {
		switch p.name {
		case "mainly-constant", "dictionary", "run-length", "nullable-values", "zstd-strings":
			samples = append(samples, p.sample(tb, 300+700*i, 60/(i+1)+3))
		}
	}
	if len(samples) != 5 {
		tb.Fatalf("%d samples", len(samples))
	}
	return samples
}

// TestNoAllocationInRotation reads five blobs in turn over one session. Decoders
// are opened and closed with each, and rows released.
func TestNoAllocationInRotation(t *testing.T) {
	p := newTestPool()
	session := encoding.NewSession(p)
	var readers []reader
	most := 0
	samples := rotation(t)
	for i := range samples {
		d := samples[i].deserializer(t, session, i%2 == 1)
		readers = append(readers, reader{&samples[i], d, d.NewRows()})
		most = max(most, needs(t, &samples[i], i%2 == 1))
	}
	steady(t, func() {
		for i := range readers {
			readers[i].read(t)
			readers[i].rows.Release()
		}
	})
	session.Release()
	checkHeld(t, p, most)
	t.Logf("the largest batch needs %d bytes, %d are held", most, p.Stats().HeldBytes)
}

// TestNoAllocationNested is for trees that are not scalars, with skips.
func TestNoAllocationNested(t *testing.T) {
	for _, c := range goldenCases(t, "") {
		s := c.schema(t)
		p := newTestPool()
		session := encoding.NewSession(p)
		d, err := NewDeserializer(s, session, Options{Headerless: !c.Header})
		if err != nil {
			t.Fatal(err)
		}
		data, _ := c.blobs(t)
		ranges := make([][]Range, len(data))
		for i, blob := range data {
			h, _, err := ReadHeader(blob, !c.Header)
			if err != nil {
				t.Fatal(err)
			}
			ranges[i] = []Range{{h.Rows / 4, h.Rows / 2}, {h.Rows / 2, h.Rows * 3 / 4}}
		}
		rows := d.NewRows()
		t.Run(c.Name, func(t *testing.T) {
			steady(t, func() {
				if err := d.Read(rows, data...); err != nil {
					t.Fatal(err)
				}
				rows.Release()
				if err := d.ReadRanges(rows, data, ranges); err != nil {
					t.Fatal(err)
				}
				rows.Release()
			})
			session.Release()
			if n := p.Stats().Outstanding; n != 0 {
				t.Errorf("%d buffers are outstanding", n)
			}
		})
	}
}

func TestNoAllocationWriting(t *testing.T) {
	for _, p := range patterns() {
		if p.codec != encoding.Uncompressed {
			continue // the codec's own memory is not ours
		}
		s := p.sample(t, 500, 20)
		t.Run(p.name, func(t *testing.T) {
			pl := newTestPool()
			w, err := NewSerializer(s.schema, pl, SerializerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var blob []byte
			steady(t, func() {
				if blob, err = w.Append(blob[:0], s.input); err != nil {
					t.Fatal(err)
				}
			})
			if n := pl.Stats().Outstanding; n != 0 {
				t.Errorf("%d buffers are outstanding", n)
			}
		})
	}
}

// TestParallel reads with deserializers of their own on several goroutines,
// which only share the blobs and the schema.
func TestParallel(t *testing.T) {
	samples := rotation(t)
	for workers := 1; workers <= 4; workers++ {
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				p := newTestPool()
				session := encoding.NewSession(p)
				for i := range samples {
					s := &samples[i]
					d, err := NewDeserializer(s.schema, session, s.options(i%2 == 0))
					if err != nil {
						t.Error(err)
						return
					}
					rows := d.NewRows()
					for range 3 {
						if err := d.Read(rows, s.blob); err != nil {
							t.Error(err)
						}
						if rows.N != s.rows {
							t.Errorf("%d rows instead of %d", rows.N, s.rows)
						}
					}
					rows.Release()
				}
				session.Release()
				if n := p.Stats().Outstanding; n != 0 {
					t.Errorf("%d buffers are outstanding", n)
				}
			})
		}
		wg.Wait()
	}
}

// TestRoundTrip compares what is read with what was written.
func TestRoundTrip(t *testing.T) {
	for _, p := range patterns() {
		s := p.sample(t, 700, 21)
		for _, asColumns := range []bool{false, true} {
			session := encoding.NewSession(newTestPool())
			d := s.deserializer(t, session, asColumns)
			rows := d.NewRows()
			if err := d.Read(rows, s.blob, s.blob); err != nil {
				t.Fatalf("%s: %v", p.name, err)
			}
			typ := s.schema.Type()
			for i := range rows.N {
				want := render(s.input, typ, i%s.rows).(map[string]any)
				var got any
				if asColumns {
					got = pairsOf(render(rows, s.columns, i).(map[string]any), want)
				} else {
					got = render(rows, typ, i)
				}
				if !reflect.DeepEqual(got, any(want)) {
					t.Fatalf("%s/%s: row %d: %v instead of %v", p.name, form(asColumns), i, got, want)
				}
			}
		}
	}
}

// pairsOf turns a row's keys into a map's pairs: those that want has, or are not
// null.
func pairsOf(row, want map[string]any) any {
	has := map[string]bool{}
	for _, p := range want["features"].([]any) {
		has[p.([]any)[0].(string)] = true
	}
	pairs := []any{}
	for key, x := range row["features"].(map[string]any) {
		if x != nil || has[key] {
			pairs = append(pairs, []any{key, x})
		}
	}
	return map[string]any{"id": row["id"], "features": inOrder(pairs, &nimble.Type{Kind: nimble.Map})}
}

func TestSharedDoesNotAllocate(t *testing.T) {
	for _, text := range sharedTypes {
		t.Run(text, func(t *testing.T) {
			s, blob := sharedBlob(t, text, 200)
			p := newTestPool()
			session := encoding.NewSession(p)
			d, err := NewDeserializer(s, session, Options{})
			if err != nil {
				t.Fatal(err)
			}
			rows := d.NewRows()
			ranges := [][]Range{{{20, 60}, {150, 200}}}
			steady(t, func() {
				if err := d.Read(rows, blob, blob); err != nil {
					t.Fatal(err)
				}
				rows.Release()
				if err := d.ReadRanges(rows, [][]byte{blob}, ranges); err != nil {
					t.Fatal(err)
				}
				rows.Release()
			})
			if err := d.Read(rows, blob); err != nil {
				t.Fatal(err)
			}
			w, err := NewSerializer(s, p, SerializerOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var out []byte
			steady(t, func() {
				if out, err = w.Append(out[:0], rows); err != nil {
					t.Fatal(err)
				}
			})
			rows.Release()
			session.Release()
			if n := p.Stats().Outstanding; n != 0 {
				t.Errorf("%d buffers are outstanding", n)
			}
		})
	}
}
