// Command bench measures how Pinot's builder and ours make the same tables, in
// alternating pairs, and writes every sample and a table of medians:
//
//	go run ./bench -pairs 5 -out DIR
//
// It runs in the folder of the module. The Java half must have been built.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	pinot "github.com/decantdb/decant/interop/pinot"
)

// release is the Pinot release that is measured.
const release = "1.5.0"

// settings say how much is measured.
type settings struct {
	pairs       int           // of samples, Pinot's and ours
	forks       int           // Java processes for a sample
	warmups     int           // not counted, before each sample
	iterations  int           // whose mean is a sample
	iteration   time.Duration // of Java
	oneRowPairs int
	out         string
}

// ourIteration is a fifth of Java's: no compiler and no large heap make ours
// wait for steady times, and there are more variants.
func (s settings) ourIteration() time.Duration { return s.iteration / 5 }

func main() {
	var s settings
	flag.IntVar(&s.pairs, "pairs", 5, "samples of each case on each side")
	flag.IntVar(&s.forks, "forks", 1, "Java processes for each sample")
	flag.IntVar(&s.warmups, "warmups", 4, "iterations that are not counted")
	flag.IntVar(&s.iterations, "iterations", 5, "iterations of each sample")
	flag.DurationVar(&s.iteration, "iteration", time.Second, "time of an iteration of Java, of which ours take a fifth")
	flag.IntVar(&s.oneRowPairs, "onerow", 400, "interleaved pairs of tables of one row")
	flag.StringVar(&s.out, "out", ".", "folder of the results")
	testing.Init()
	flag.Parse()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(s settings) error {
	if s.pairs < 1 || s.iterations < 1 || s.oneRowPairs < 1 {
		return errors.New("there is nothing to measure")
	}
	if err := compareAnswers(); err != nil {
		return err
	}
	var samples []sample
	var jvm string
	for pair := range s.pairs {
		for _, c := range cases() {
			theirs := func() ([]sample, error) { return measurePinot(s, c, &jvm) }
			ours := func() ([]sample, error) { return measureOurs(s, c) }
			order := []func() ([]sample, error){theirs, ours}
			if pair%2 == 1 {
				order[0], order[1] = order[1], order[0]
			}
			for _, side := range order {
				got, err := side()
				if err != nil {
					return err
				}
				for _, one := range got {
					one.Pair = pair
					samples = append(samples, one)
				}
			}
			fmt.Fprintf(os.Stderr, "pair %d of %d: %v\n", pair+1, s.pairs, c)
		}
	}
	rows, err := measureOneRow(s.oneRowPairs)
	if err != nil {
		return err
	}
	return report(s, jvm, samples, rows)
}

// compareAnswers makes sure that all builders make the same tables.
func compareAnswers() error {
	peer, err := pinot.StartPeer(release, os.Stderr)
	if err != nil {
		return err
	}
	for _, c := range cases() {
		ours, err := c.table()
		if err != nil {
			return err
		}
		for _, reuse := range []bool{false, true} {
			theirs, err := peer.BuildShape(c.shape, c.Rows, reuse)
			if err != nil {
				return err
			}
			if !bytes.Equal(ours, theirs) {
				return fmt.Errorf("%v: the tables differ", c)
			}
		}
	}
	return peer.Close()
}

func report(s settings, jvm string, samples []sample, rows []oneRow) error {
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	raw, err := jsonLines(samples, rows)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.out, "datatable.jsonl"), raw, 0o666); err != nil {
		return err
	}
	text := summary(s, jvm, samples, rows)
	if err := os.WriteFile(filepath.Join(s.out, "datatable.md"), text, 0o666); err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}
