// Nimble measures how fast encoded arrays and row batches are read, beside what
// was recorded of the C++ implementation:
//
//	nimble [-only REGEXP] [-parts encodings,batches,rotation,cores] [-out FILE.md] [-profile FILE]
//
// The data sets are those of the recorded figures by their description, made here.
// It needs Linux; with gcc it also calibrates the machine.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/pprof"
	"strings"
	"time"
)

// defaultEffort is enough for the least time to hardly change any more.
var defaultEffort = effort{repeats: 15, time: 40 * time.Millisecond}

func main() {
	var o options
	flag.StringVar(&o.only, "only", "", "measure cases whose name matches, as `TYPE/DATA/ENCODING/CODEC` or a pattern of batches")
	flag.StringVar(&o.parts, "parts", "encodings,batches,rotation,cores", "what to measure")
	flag.StringVar(&o.out, "out", "", "write to `FILE` instead of standard output")
	flag.StringVar(&o.profile, "profile", "", "write a CPU profile to `FILE`")
	flag.Parse()
	if err := run(o, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "nimble:", err)
		os.Exit(1)
	}
}

type options struct{ only, parts, out, profile string }

func run(o options, progress io.Writer) error {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "calibrate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	calibrate, err := buildCalibrator(dir)
	if err != nil {
		return err
	}
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	r, err := measure(only, o.parts, calibrate, defaultEffort, progress)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	r.write(&b)
	if o.out == "" {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(o.out, b.Bytes(), 0o644)
}

// measure measures all cases that match, with calibrations before and behind.
func measure(only *regexp.Regexp, parts string, calibrate calibrator, e effort, progress io.Writer) (*report, error) {
	var r report
	var err error
	if r.recorded, err = recordedCalibration(); err != nil {
		return nil, err
	}
	before, err := calibrate.run()
	if err != nil {
		return nil, err
	}
	if strings.Contains(parts, "encodings") {
		if r.reads, err = measureReads(only, e, progress); err != nil {
			return nil, err
		}
	}
	if strings.Contains(parts, "batches") {
		if r.batches, err = measurePatterns(only, e, progress); err != nil {
			return nil, err
		}
	}
	if strings.Contains(parts, "rotation") {
		if r.rotations, err = measureRotations(e, progress); err != nil {
			return nil, err
		}
	}
	if strings.Contains(parts, "cores") {
		if r.cores, err = measureCores(progress, coresSpan, coresRounds); err != nil {
			return nil, err
		}
	}
	behind, err := calibrate.run()
	if err != nil {
		return nil, err
	}
	r.own = before.better(behind)
	return &r, nil
}

func measureReads(only *regexp.Regexp, e effort, progress io.Writer) ([]reading, error) {
	cases, err := recordedReads()
	if err != nil {
		return nil, err
	}
	var sets dataSets
	var all []reading
	for _, c := range cases {
		name := strings.Join([]string{c.dataType, c.data, c.encoding, c.codec}, "/")
		if !only.MatchString(name) {
			continue
		}
		m, err := measureRead(c, &sets, e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		a, b := m.ratios()
		fmt.Fprintf(progress, "%-45s %8.1f %5.2f %8.1f %5.2f\n", name, m.ownAll, a, m.ownBatchRate, b)
		all = append(all, m)
	}
	return all, nil
}

func measurePatterns(only *regexp.Regexp, e effort, progress io.Writer) ([]batchReading, error) {
	recorded, err := recordedBatches()
	if err != nil {
		return nil, err
	}
	var all []batchReading
	for _, p := range patterns() {
		if !only.MatchString(p.name) {
			continue
		}
		m, err := measureBatches(p, recorded, e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		for _, x := range m {
			fmt.Fprintf(progress, "%-22s %-7s %-6s %8.3f ms %6.2f %6d %5d+%d\n", p.name, x.form, x.pool, x.ownMs, x.ms/x.ownMs, x.allocatorCalls, x.later.mallocs, x.later.bytes)
		}
		all = append(all, m...)
	}
	return all, nil
}
