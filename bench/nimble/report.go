package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
)

// report is what is written as Markdown.
type report struct {
	own, recorded calibration
	reads         []reading
	batches       []batchReading
	rotations     []rotation
	cores         []coresReading
}

// scales are what ratios are multiplied with to take the machines' difference
// out: 0 if it is not known.
func (r *report) scales() (memory, cache, chain float64) {
	if r.own == (calibration{}) {
		return 0, 0, 0
	}
	return r.recorded.memoryGBs / r.own.memoryGBs, r.recorded.cacheGBs / r.own.cacheGBs, r.own.chainNs / r.recorded.chainNs
}

func (r *report) write(w io.Writer) {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	memory, cache, chain := r.scales()
	p("# Nimble: Decant beside the recorded C++ figures\n\n")
	p("Made again by `make bench-nimble`: %s, %s/%s, portable Go. Times are the least\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	p("CPU time of the reading thread over many repetitions, values checked before.\n")
	p("A ratio above 1 means that Decant is faster. The recorded figures and their\nmachine: `bench/nimble/recorded/`.\n\n")
	p("| calibration (`bench/nimble/calibrate`) | here | recorded | ratios times |\n|---|---|---|---|\n")
	p("| memcpy 64 MiB, GB/s | %s | %s | %s |\n", number(r.own.memoryGBs), number(r.recorded.memoryGBs), number(memory))
	p("| memcpy 16 KiB in cache, GB/s | %s | %s | %s |\n", number(r.own.cacheGBs), number(r.recorded.cacheGBs), number(cache))
	p("| chain of shifts, ns a step | %s | %s | %s |\n\n", number(r.own.chainNs), number(r.recorded.chainNs), number(chain))
	p("Normalised ratios are raw ratios times the first line's factor for reads of\n")
	p("everything and for row batches, and times the second line's for reads of\n1,024 rows from a decoder that is open.\n\n")
	if len(r.reads) > 0 {
		r.writeSummary(p, memory, cache)
		r.writeReads(p, memory, cache)
	}
	if len(r.batches) > 0 {
		r.writeBatches(p, memory)
	}
	if len(r.rotations) > 0 {
		writeRotations(p, r.rotations)
	}
	if len(r.cores) > 0 {
		writeCores(p, r.cores)
	}
}

// number returns x with three digits or so, a dash for 0.
func number(x float64) string {
	switch {
	case x == 0:
		return "–"
	case x < 100:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

func (m *reading) ratios() (all, batch float64) {
	return m.ownAll / m.allMvals, m.ownBatchRate / m.batchMvals
}

// spread returns the median and the least of xs, which it sorts.
func spread(xs []float64) (median, least float64) {
	slices.Sort(xs)
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2, xs[0]
}

type printer func(format string, a ...any)

func (r *report) writeSummary(p printer, memory, cache float64) {
	p("## Encodings, ratios\n\nMedian and least of the cases of each encoding.\n\n")
	p("| encoding | cases | all: median | least | normalised | least | 1,024: median | least | normalised | least |\n")
	p("|---|---|---|---|---|---|---|---|---|---|\n")
	var names []string
	for _, m := range r.reads {
		if !slices.Contains(names, m.encoding) {
			names = append(names, m.encoding)
		}
	}
	for _, name := range append(names, "") {
		var alls, batches []float64
		for _, m := range r.reads {
			if name == "" || m.encoding == name {
				all, batch := m.ratios()
				alls, batches = append(alls, all), append(batches, batch)
			}
		}
		a, aLeast := spread(alls)
		b, bLeast := spread(batches)
		p("| %s | %d | %s | %s | %s | %s | %s | %s | %s | %s |\n", cmp.Or(name, "**together**"), len(alls),
			number(a), number(aLeast), number(a*memory), number(aLeast*memory),
			number(b), number(bLeast), number(b*cache), number(bLeast*cache))
	}
	p("\n")
}

func (r *report) writeReads(p printer, memory, cache float64) {
	p("## Encodings, all cases\n\n1,000,000 values, million values a second; smaller: raw bytes over encoded bytes.\n\n")
	p("| type | data | encoding | codec | smaller | recorded | all | recorded | ratio | normalised | 1,024 | recorded | ratio | normalised |\n")
	p("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, m := range r.reads {
		all, batch := m.ratios()
		p("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
			m.dataType, m.data, m.encoding, m.codec, number(m.ownRatio), number(m.ratio),
			number(m.ownAll), number(m.allMvals), number(all), number(all*memory),
			number(m.ownBatchRate), number(m.batchMvals), number(batch), number(batch*cache))
	}
	p("\n")
}

func (r *report) writeBatches(p printer, memory float64) {
	p("## Row batches\n\nA flat map of 32-bit keys and 64-bit values, 10,000 rows × 100 keys unless named\n")
	p("otherwise, through one deserializer, output given up after each batch.\n")
	p("Allocator calls are of ten batches, output included: with the pool the buffers\n")
	p("it had to make, of so many requests; without, what Go allocated. Go mallocs and bytes are\n")
	p("of the ten batches after these.\n\n")
	p("| pattern | into | pool | blob bytes | recorded | ms | recorded | ratio | normalised | ns/row | allocator calls | requests | recorded | Go mallocs | Go bytes | bytes held |\n")
	p("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, m := range r.batches {
		ratio := m.ms / m.ownMs
		requests := "–"
		if m.pool == "pool" {
			requests = fmt.Sprint(m.requests)
		}
		p("| %s | %s | %s | %d | %s | %.3f | %s | %s | %s | %.1f | %d | %s | %s | %d | %d | %d |\n",
			m.pattern, m.form, m.pool, m.ownBlobBytes, number(m.blobBytes), m.ownMs, number(m.ms), number(ratio), number(ratio*memory),
			m.ownMs*1e6/mapRows, m.allocatorCalls, requests, number(m.allocs), m.later.mallocs, m.later.bytes, m.heldBytes)
	}
}
