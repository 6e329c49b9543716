package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed calibrate/calibrate.c
var calibrateSource []byte

// calibration is what three loops in C say about a machine.
type calibration struct {
	memoryGBs float64 // memcpy of 64 MiB
	cacheGBs  float64 // memcpy of 16 KiB
	chainNs   float64 // a step of a chain of shifts
}

// better returns the better of both for each loop.
func (c calibration) better(o calibration) calibration {
	return calibration{max(c.memoryGBs, o.memoryGBs), max(c.cacheGBs, o.cacheGBs), min(c.chainNs, o.chainNs)}
}

// calibrator is the built program, "" if there is no C compiler.
type calibrator string

func buildCalibrator(dir string) (calibrator, error) {
	cc, err := exec.LookPath("gcc")
	if err != nil {
		return "", nil
	}
	source, program := filepath.Join(dir, "calibrate.c"), filepath.Join(dir, "calibrate")
	if err := os.WriteFile(source, calibrateSource, 0o600); err != nil {
		return "", err
	}
	if out, err := exec.Command(cc, "-O2", "-o", program, source).CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %w: %s", err, out)
	}
	return calibrator(program), nil
}

// run returns the zero calibration if there is no program.
func (c calibrator) run() (calibration, error) {
	if c == "" {
		return calibration{}, nil
	}
	out, err := exec.Command(string(c)).Output()
	if err != nil {
		return calibration{}, fmt.Errorf("calibrate: %w", err)
	}
	return parseCalibration(out)
}

// parseCalibration reads lines of "loop: value unit".
func parseCalibration(out []byte) (c calibration, err error) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		loop, value, _ := strings.Cut(lines.Text(), ": ")
		value, _, _ = strings.Cut(value, " ")
		x, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return c, fmt.Errorf("calibrate: %q: %w", lines.Text(), err)
		}
		c.set(loop, x)
	}
	if c.memoryGBs == 0 || c.cacheGBs == 0 || c.chainNs == 0 {
		return c, fmt.Errorf("calibrate: loops missing: %q", out)
	}
	return c, nil
}

func (c *calibration) set(loop string, x float64) {
	switch loop {
	case "memcpy 64 MiB":
		c.memoryGBs = x
	case "memcpy 16 KiB in cache":
		c.cacheGBs = x
	case "xorshift64 chain (scalar latency)":
		c.chainNs = x
	}
}
