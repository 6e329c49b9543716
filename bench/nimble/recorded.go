package main

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

//go:embed recorded/*.csv
var recordedFiles embed.FS

// recordedRead is a line of recorded/encodings.csv.
type recordedRead struct {
	dataType, data, encoding, codec string
	ratio                           float64 // raw bytes over encoded bytes
	allMvals, batchMvals            float64 // million values a second
}

func recordedReads() ([]recordedRead, error) {
	return table("encodings.csv", 7, func(f []string) (recordedRead, error) {
		r := recordedRead{dataType: f[0], data: f[1], encoding: f[2], codec: f[3]}
		return r, floats(f[4:], &r.ratio, &r.allMvals, &r.batchMvals)
	})
}

// recordedBatch is a line of recorded/flatmap.csv.
type recordedBatch struct {
	pattern, form, pool     string
	keys, blobBytes, allocs float64
	ms                      float64
}

func recordedBatches() ([]recordedBatch, error) {
	return table("flatmap.csv", 7, func(f []string) (recordedBatch, error) {
		r := recordedBatch{pattern: f[0], form: f[2], pool: f[3]}
		return r, floats([]string{f[1], f[4], f[5], f[6]}, &r.keys, &r.blobBytes, &r.allocs, &r.ms)
	})
}

func recordedCalibration() (c calibration, err error) {
	_, err = table("calibration.csv", 2, func(f []string) (struct{}, error) {
		var x float64
		err := floats(f[1:], &x)
		c.set(f[0], x)
		return struct{}{}, err
	})
	return c, err
}

// table returns the lines of a recorded file behind its head, parsed.
func table[R any](name string, fields int, parse func([]string) (R, error)) ([]R, error) {
	f, err := recordedFiles.Open("recorded/" + name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = fields
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var rows []R
	for i, line := range lines[1:] {
		row, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, i+2, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func floats(fields []string, to ...*float64) (err error) {
	for i, f := range fields {
		if *to[i], err = strconv.ParseFloat(f, 64); err != nil {
			return err
		}
	}
	return nil
}
