package cli

import (
	"path/filepath"
	"regexp"
	"testing"
)

func TestStats(t *testing.T) {
	cost := regexp.MustCompile(`(?m)^[0-9.]+[mµ]?s, heap of [0-9.]+ [KMG]iB at most, [0-9.]+ [KMG]iB in [0-9,]+ pieces allocated$`)
	for _, args := range [][]string{
		{"verify", flights},
		{"cat", "--limit", "1", flights},
		{"query", "SELECT COUNT(*) FROM flights", flights},
		{"convert", flights, filepath.Join(t.TempDir(), "a.csv")},
	} {
		if _, stderr, code := run(t, append(args, "--stats")...); code != ExitOK || !cost.MatchString(stderr) {
			t.Errorf("%v: code %d, %q", args, code, stderr)
		}
		if _, stderr, code := run(t, args...); code != ExitOK || stderr != "" {
			t.Errorf("%v: code %d, %q", args, code, stderr)
		}
	}
}
