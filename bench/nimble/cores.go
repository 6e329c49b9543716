package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/decantdb/decant/nimble/encoding"
)

// coresReading is how much several deserializers read at once, each on its own
// goroutine with its own pool.
type coresReading struct {
	workers    int
	millionsMs float64 // values a millisecond, all workers together, in millions
	heldBytes  int     // by the worker that holds most
}

// coresSpan is how long each number of workers runs, for each of coresRounds
// rounds, in which the numbers of workers take turns.
const (
	coresSpan   = 300 * time.Millisecond
	coresRounds = 5
)

func workerCounts() []int {
	counts := []int{1}
	for n := 2; n < runtime.GOMAXPROCS(0); n *= 2 {
		counts = append(counts, n)
	}
	counts = append(counts, runtime.GOMAXPROCS(0), 2*runtime.GOMAXPROCS(0))
	slices.Sort(counts)
	return slices.Compact(counts)
}

func measureCores(progress io.Writer, span time.Duration, rounds int) ([]coresReading, error) {
	s, err := patterns()[0].sample()
	if err != nil {
		return nil, err
	}
	var all []coresReading
	rates := map[int][]float64{}
	for range rounds {
		for _, n := range workerCounts() {
			m, err := readAtOnce(s, n, span)
			if err != nil {
				return nil, fmt.Errorf("%d workers: %w", n, err)
			}
			rates[n] = append(rates[n], m.millionsMs)
			if i := slices.IndexFunc(all, func(c coresReading) bool { return c.workers == n }); i < 0 {
				all = append(all, m)
			} else {
				all[i].heldBytes = max(all[i].heldBytes, m.heldBytes)
			}
		}
	}
	for i := range all {
		all[i].millionsMs, _ = spread(rates[all[i].workers])
		fmt.Fprintf(progress, "%d workers: %.2f million values a millisecond, %d bytes held by one\n", all[i].workers, all[i].millionsMs, all[i].heldBytes)
	}
	return all, nil
}

// readAtOnce reads a sample with n workers, warm, for a span of time.
func readAtOnce(s *sample, n int, span time.Duration) (coresReading, error) {
	m := coresReading{workers: n}
	readers := make([]*batchReader, n)
	held := make([]func() int, n)
	for i := range readers {
		memory := newMemory()
		r, err := newBatchReader(s, "maps", encoding.NewSession(memory))
		if err == nil {
			err = r.check()
		}
		if err != nil {
			return m, err
		}
		readers[i], held[i] = r, func() int { return memory.Stats().HeldBytes }
	}
	batches, failed := make([]int, n), make([]error, n)
	var wg sync.WaitGroup
	begin := time.Now()
	for i, r := range readers {
		wg.Go(func() {
			for time.Since(begin) < span && failed[i] == nil {
				failed[i] = r.read()
				batches[i]++
			}
		})
	}
	wg.Wait()
	elapsed := time.Since(begin)
	total := 0
	for i := range readers {
		if failed[i] != nil {
			return m, failed[i]
		}
		total += batches[i]
		m.heldBytes = max(m.heldBytes, held[i]())
	}
	values := float64(total) * mapRows * float64(len(s.columns.Children[0].Children))
	m.millionsMs = values / 1e6 / (float64(elapsed.Microseconds()) / 1000)
	return m, nil
}

func writeCores(p printer, all []coresReading) {
	p("\n## Several deserializers at once\n\nThe mainly-constant pattern into maps, each worker with a deserializer and a pool of its\n")
	p("own, medians of %d rounds by the clock, on %d processors.\n\n", coresRounds, runtime.NumCPU())
	p("| workers | million values/ms | × one worker | bytes held by the worker with most |\n|---|---|---|---|\n")
	for _, m := range all {
		p("| %d | %.2f | %.2f | %d |\n", m.workers, m.millionsMs, m.millionsMs/all[0].millionsMs, m.heldBytes)
	}
}
