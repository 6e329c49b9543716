package cli

import (
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	got := mustRun(t, "version")
	for _, want := range []string{"decant ", "4d16851e", "Pinot 1.5.0"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}
