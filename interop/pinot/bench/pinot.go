package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	pinot "github.com/decantdb/decant/interop/pinot"
)

const (
	pinotAsIs = "Pinot " + release
	pinotKept = "Pinot " + release + ", row buffer kept"
)

// jmhResult is what is needed of an entry of JMH's results.
type jmhResult struct {
	JDKVersion    string
	VMName        string
	Params        struct{ Reuse string }
	PrimaryMetric struct {
		Score     float64
		ScoreUnit string
		RawData   [][]float64 // forks × iterations
	}
	SecondaryMetrics map[string]struct{ Score float64 }
}

// measurePinot runs JMH on a case, with the builder as it is and with the one
// that keeps its row buffer.
func measurePinot(s settings, c tableCase, jvm *string) ([]sample, error) {
	path, err := pinot.ClassPath(release)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "jmh")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "results.json")
	iteration := strconv.FormatInt(s.iteration.Milliseconds(), 10) + "ms"
	cmd := exec.Command("java", "-cp", path, "org.openjdk.jmh.Main", `decant\.pinot\.TableBenchmark\.`+string(c.Operation)+"$",
		"-p", "shape="+c.Shape, "-p", "rows="+strconv.Itoa(c.Rows),
		"-t", "1", "-prof", "gc", "-jvmArgs", "-Xms2g -Xmx2g",
		"-f", strconv.Itoa(s.forks), "-wi", strconv.Itoa(s.warmups), "-i", strconv.Itoa(s.iterations),
		"-w", iteration, "-r", iteration, "-foe", "true", "-v", "SILENT", "-rf", "json", "-rff", file)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("jmh: %w\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parseJMH(text, c, jvm)
}

// parseJMH returns the samples of a case in JMH's results, which also name the
// Java machine.
func parseJMH(text []byte, c tableCase, jvm *string) ([]sample, error) {
	var results []jmhResult
	if err := json.Unmarshal(text, &results); err != nil {
		return nil, fmt.Errorf("jmh: %w", err)
	}
	if len(results) != 2 {
		return nil, fmt.Errorf("jmh: %d results of %v", len(results), c)
	}
	var samples []sample
	for _, r := range results {
		memory, ok := r.SecondaryMetrics["gc.alloc.rate.norm"]
		if !ok || r.PrimaryMetric.ScoreUnit != "ns/op" {
			return nil, fmt.Errorf("jmh: no allocation or no time in the results of %v", c)
		}
		one := sample{tableCase: c, Variant: pinotAsIs, Ns: r.PrimaryMetric.Score, Bytes: memory.Score, Allocs: -1}
		if r.Params.Reuse == "true" {
			one.Variant = pinotKept
		}
		for _, fork := range r.PrimaryMetric.RawData {
			one.IterationNs = append(one.IterationNs, fork...)
		}
		samples = append(samples, one)
		*jvm = r.VMName + " " + r.JDKVersion
	}
	return samples, nil
}
