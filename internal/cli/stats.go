package cli

import (
	"fmt"
	"io"
	"runtime"
	"time"
)

// statsFlag is the flag of commands that can say what they took.
type statsFlag struct {
	Stats bool `help:"Say on stderr what it took: time, and memory at its most."`
}

// measured runs run and, if it was asked for and there was no error, says what it took.
func (s statsFlag) measured(w io.Writer, run func() error) error {
	begin := time.Now()
	err := run()
	if err != nil || !s.Stats {
		return err
	}
	return printCost(w, time.Since(begin))
}

// printCost says what the process took. Memory is what the heap had of the system at
// its most, not of it what is in use at the end.
func printCost(w io.Writer, took time.Duration) error {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	_, err := fmt.Fprintf(w, "%v, heap of %s at most, %s in %s allocated\n", took.Round(10*time.Microsecond),
		sizeText(m.HeapSys), sizeText(m.TotalAlloc), counted(int64(m.Mallocs), "piece"))
	return err
}
