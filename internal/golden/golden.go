// Package golden finds the folders of golden data that tests read: bytes that
// the reference programs wrote, with the values they hold.
package golden

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// EnvVar names the folder of a full golden set.
const EnvVar = "DECANT_GOLDEN"

// Roots returns the folders in which golden data is to be looked up, the
// project's own set first. The full set comes from the environment variable
// DECANT_GOLDEN or, where that is unset, from the folder shared/golden beside
// the checkout if it exists. The project's own set must exist: the test fails
// without it.
func Roots(tb testing.TB) []string {
	tb.Helper()
	checkout := checkoutDir(tb)
	own := filepath.Join(checkout, "testdata", "golden")
	if !isDir(own) {
		tb.Fatalf("golden: the project's own set %s is missing", own)
	}
	roots := []string{own}
	full, set := os.LookupEnv(EnvVar)
	if !set {
		full = filepath.Join(filepath.Dir(checkout), "shared", "golden")
		if !isDir(full) {
			return roots
		}
	}
	if full == "" {
		return roots
	}
	if !isDir(full) {
		tb.Fatalf("golden: %s names %s, which is not a folder", EnvVar, full)
	}
	return append(roots, full)
}

// Dirs returns root/sub for each root of [Roots] that has it. The project's own
// set must have it.
func Dirs(tb testing.TB, sub string) []string {
	tb.Helper()
	roots := Roots(tb)
	var dirs []string
	for i, root := range roots {
		dir := filepath.Join(root, sub)
		switch {
		case isDir(dir):
			dirs = append(dirs, dir)
		case i == 0:
			tb.Fatalf("golden: the project's own set has no %s", sub)
		}
	}
	return dirs
}

// checkoutDir is the root of the module, found from this file's own place.
func checkoutDir(tb testing.TB) string {
	tb.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		tb.Fatal("golden: cannot tell where the sources are")
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
