package vector_test

import (
	"go/build/constraint"
	"os"
	"strings"
	"testing"
)

// TestBigEndianHostsAreRefused evaluates the constraint of the file that does
// not compile.
func TestBigEndianHostsAreRefused(t *testing.T) {
	source, err := os.ReadFile("bigendian.go")
	if err != nil {
		t.Fatal(err)
	}
	line, rest, _ := strings.Cut(string(source), "\n")
	expr, err := constraint.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(rest, "var _ = bigEndianHostsAreNotSupported") {
		t.Error("the file has nothing that does not compile")
	}
	for arch, refused := range map[string]bool{
		"mips": true, "mips64": true, "ppc64": true, "s390x": true, "sparc64": true,
		"386": false, "amd64": false, "arm": false, "arm64": false, "loong64": false, "mips64le": false,
		"mipsle": false, "ppc64le": false, "riscv64": false, "wasm": false,
	} {
		if got := expr.Eval(func(tag string) bool { return tag == arch }); got != refused {
			t.Errorf("%s is refused: %t", arch, got)
		}
	}
}
