// Compare checks that two engines gave the same answers, and prints their times:
//
//	compare OURS.jsonl THEIRS.jsonl
//
// The files hold one [answer.Answer] a line. It exits with 1, and shows no time,
// when an answer is missing or differs.
package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"text/tabwriter"

	"github.com/decantdb/decant/bench/answer"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: compare OURS.jsonl THEIRS.jsonl")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// pair is one query on one number of threads, answered by both.
type pair struct{ ours, theirs answer.Answer }

func run(oursName, theirsName string, out io.Writer) error {
	ours, err := read(oursName)
	if err != nil {
		return err
	}
	theirs, err := read(theirsName)
	if err != nil {
		return err
	}
	pairs, err := match(ours, theirs)
	if err != nil {
		return err
	}
	return report(out, pairs)
}

func read(name string) ([]answer.Answer, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	answers, err := answer.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(answers) == 0 {
		return nil, fmt.Errorf("%s: no answers", name)
	}
	return answers, nil
}

// match pairs the answers, which must be to the same questions and the same.
func match(ours, theirs []answer.Answer) ([]pair, error) {
	if len(ours) != len(theirs) {
		return nil, fmt.Errorf("%d answers of ours, %d of theirs", len(ours), len(theirs))
	}
	type question struct {
		query   string
		threads int
	}
	byQuestion := map[question]answer.Answer{}
	for _, a := range theirs {
		byQuestion[question{a.Query, a.Threads}] = a
	}
	pairs := make([]pair, len(ours))
	for i, a := range ours {
		b, found := byQuestion[question{a.Query, a.Threads}]
		if !found {
			return nil, fmt.Errorf("%s on %d threads: not answered by %s", a.Query, a.Threads, theirs[0].Engine)
		}
		if err := answer.Same(a, b); err != nil {
			return nil, err
		}
		pairs[i] = pair{a, b}
	}
	return pairs, nil
}

func report(out io.Writer, pairs []pair) error {
	ours, theirs := pairs[0].ours, pairs[0].theirs
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "query\tthreads\trows\t%s ms\t%s ms\tratio\t\n", ours.Engine, theirs.Engine)
	logSum := 0.0
	for _, p := range pairs {
		ratio := p.theirs.MedianMs / p.ours.MedianMs
		logSum += math.Log(ratio)
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t\n",
			p.ours.Query, p.ours.Threads, len(p.ours.Rows), p.ours.MedianMs, p.theirs.MedianMs, ratio)
	}
	fmt.Fprintf(w, "geometric mean\t\t\t\t\t%.2f\t\n", math.Exp(logSum/float64(len(pairs))))
	fmt.Fprintf(w, "file bytes\t\t\t%d\t%d\t\t\n", ours.FileBytes, theirs.FileBytes)
	return w.Flush()
}
