package lint

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// core are the packages that others build into their programs.
var core = []string{"pool", "vector", "nimble", "datatable"}

// budget is everything the core may bring along besides the standard library.
var budget = []string{
	module,
	zstd,
	lz4,
	xxh3,
	"github.com/klauspost/cpuid/v2", // by xxh3
	sys,
}

// TestBudget asks the go command for all that the core depends on, on each
// family of systems.
func TestBudget(t *testing.T) {
	root := rootDir(t)
	var patterns []string
	for _, pkg := range core {
		if _, err := os.Stat(root + "/" + pkg); err == nil {
			patterns = append(patterns, "./"+pkg+"/...")
		}
	}
	if len(patterns) == 0 {
		t.Fatal("lint: none of the core packages is there")
	}
	for _, target := range []string{"linux/amd64", "windows/amd64", "darwin/arm64"} {
		for _, dep := range dependencies(t, root, target, patterns) {
			if !slices.ContainsFunc(budget, func(library string) bool { return inside(dep, library) }) {
				t.Errorf("on %s the core depends on %s", target, dep)
			}
		}
	}
}

// dependencies lists what the patterns depend on outside the standard library.
func dependencies(t *testing.T, root, target string, patterns []string) []string {
	t.Helper()
	args := append([]string{"list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}"}, patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	goos, goarch, _ := strings.Cut(target, "/")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	deps := strings.Fields(string(out))
	if len(deps) == 0 {
		t.Fatalf("go %s lists nothing", strings.Join(args, " "))
	}
	return deps
}
