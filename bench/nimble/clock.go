package main

import (
	"math"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// effort is how long a measurement goes on: at least so many repetitions, and
// until so much time has gone by.
type effort struct {
	repeats int
	time    time.Duration
}

// fastest returns the least CPU time that run took on its thread, of several
// repetitions after one that does not count.
func fastest(e effort, run func() error) (time.Duration, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := run(); err != nil {
		return 0, err
	}
	least := time.Duration(math.MaxInt64)
	var spent time.Duration
	for i := 0; i < e.repeats || spent < e.time; i++ {
		start, err := threadTime()
		if err != nil {
			return 0, err
		}
		if err := run(); err != nil {
			return 0, err
		}
		end, err := threadTime()
		if err != nil {
			return 0, err
		}
		least = min(least, end-start)
		spent += end - start
	}
	return least, nil
}

func threadTime() (time.Duration, error) {
	var t unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano()), err
}
