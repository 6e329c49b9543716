package main

import (
	"fmt"
	"runtime"
	"time"
)

// oneRow compares tables of one row from a kept builder with those from new
// builders: medians over interleaved pairs in one process.
type oneRow struct {
	tableCase
	Pairs      int     `json:"pairs"`
	KeptNs     float64 `json:"keptNs"`
	NewNs      float64 `json:"newNs"`
	KeptBytes  float64 `json:"keptBytes"`
	NewBytes   float64 `json:"newBytes"`
	KeptAllocs float64 `json:"keptAllocs"`
	NewAllocs  float64 `json:"newAllocs"`
	// Ratio is the median of the pairs' new / kept.
	Ratio float64 `json:"ratio"`
}

// oneRowTables are made in a row for each half of a pair.
const oneRowTables = 500

func measureOneRow(pairs int) ([]oneRow, error) {
	var all []oneRow
	for _, c := range cases() {
		if c.Rows != 1 {
			continue
		}
		one, err := interleave(c, pairs)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", c, err)
		}
		all = append(all, one)
	}
	return all, nil
}

func interleave(c tableCase, pairs int) (oneRow, error) {
	kept, err := keptBuilder(c, false, false)
	if err != nil {
		return oneRow{}, err
	}
	fresh, err := newBuilders(c)
	if err != nil {
		return oneRow{}, err
	}
	var keptHalves, freshHalves []sample
	var ratios []float64
	for pair := range pairs + 1 {
		halves := [2]sample{}
		for i := range halves {
			which := (i + pair) % 2 // each goes first in every other pair
			if halves[which], err = half([]func() error{kept, fresh}[which]); err != nil {
				return oneRow{}, err
			}
		}
		if pair == 0 {
			continue // to warm up
		}
		keptHalves, freshHalves = append(keptHalves, halves[0]), append(freshHalves, halves[1])
		ratios = append(ratios, halves[1].Ns/halves[0].Ns)
	}
	k, f := medianOf(keptHalves), medianOf(freshHalves)
	return oneRow{c, pairs, k.Ns, f.Ns, k.Bytes, f.Bytes, k.Allocs, f.Allocs, median(ratios)}, nil
}

func half(once func() error) (sample, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	for range oneRowTables {
		if err := once(); err != nil {
			return sample{}, err
		}
	}
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	return sample{
		Ns:     float64(took.Nanoseconds()) / oneRowTables,
		Bytes:  float64(after.TotalAlloc-before.TotalAlloc) / oneRowTables,
		Allocs: float64(after.Mallocs-before.Mallocs) / oneRowTables,
	}, nil
}
