package lint

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/decantdb/decant"

// Libraries by the name that the table uses. A library is the path and all below it.
const (
	zstd        = "github.com/klauspost/compress"
	lz4         = "github.com/pierrec/lz4/v4"
	xxh3        = "github.com/zeebo/xxh3"
	sys         = "golang.org/x/sys"
	term        = "golang.org/x/term"
	arrow       = "github.com/apache/arrow-go/v18"
	kong        = "github.com/alecthomas/kong"
	lipgloss    = "charm.land/lipgloss/v2"
	progressbar = "github.com/schollz/progressbar/v3"
)

// layer is one row of the table in ARCHITECTURE.md.
type layer struct {
	packages  []string // of this module, relative to its root
	libraries []string
}

// anything lets a row import every package of the module.
var anything = []string{"*"}

// below are the packages under the one that reads and writes a file.
var below = []string{"pool", "vector", "internal/kernel", "internal/flatbuf", "nimble/encoding", "nimble/tablet"}

// vectors are the packages whose types are in the signatures of those above: who
// hands batches on names them.
var vectors = []string{"nimble", "vector", "pool"}

// layers says what the sources of each package may import besides the standard
// library. A package that is not here may not exist.
var layers = map[string]layer{
	"pool":              {},
	"vector":            {packages: []string{"pool"}},
	"internal/kernel":   {libraries: []string{sys}},
	"internal/flatbuf":  {},
	"nimble/encoding":   {packages: []string{"pool", "vector", "internal/kernel"}, libraries: []string{zstd, lz4}},
	"nimble/tablet":     {packages: []string{"pool", "internal/flatbuf"}, libraries: []string{zstd, lz4, xxh3}},
	"nimble":            {packages: below},
	"nimble/rowbatch":   {packages: append([]string{"nimble"}, below...)},
	"datatable":         {packages: []string{"pool", "vector"}},
	"internal/sql":      {},
	"internal/fn":       {packages: []string{"vector", "internal/kernel", "internal/sql"}},
	"internal/plan":     {packages: []string{"internal/sql", "internal/fn", "vector"}},
	"internal/exec":     {packages: []string{"internal/plan", "internal/fn", "nimble", "pool", "vector", "internal/kernel"}},
	"internal/table":    {packages: vectors},
	"internal/convert":  {packages: []string{"nimble", "vector"}, libraries: []string{arrow}},
	"internal/server":   {packages: append([]string{"internal/exec", "internal/table", "internal/convert", "datatable", "internal/sql"}, vectors...)},
	".":                 {packages: append([]string{"internal/exec", "internal/table", "internal/convert", "internal/plan", "internal/fn", "internal/sql"}, vectors...)},
	"internal/endpoint": {packages: append([]string{".", "internal/server", "internal/sql", "internal/table"}, vectors...)},
	"decanttest":        {packages: []string{".", "internal/endpoint", "internal/server"}},
	"internal/cli":      {packages: anything, libraries: []string{kong, lipgloss, progressbar, term}},
	"cmd/decant":        {packages: anything},

	// Small packages of the standard library alone.
	"internal/invariants": {},
	"internal/golden":     {},
	"internal/lint":       {},
	"docs":                {}, // tests of the documents
}

// everywhere may be imported by every package.
var everywhere = []string{"internal/invariants"}

// testLibraries may be imported by tests only. Tests may also import every
// package of the module: they check layers from above and below.
var testLibraries = []string{
	"github.com/google/go-cmp",
	"pgregory.net/rapid",
	"go.uber.org/goleak",
	"github.com/google/flatbuffers", // second opinion on internal/flatbuf
	"github.com/parquet-go/parquet-go",
	arrow,
	zstd,
	lz4,
	xxh3,
}

// importSite is one import and the file that has it.
type importSite struct {
	file, path string
	test       bool
}

// imports returns the imports of each package of this module, under every build
// tag and platform.
func imports(t *testing.T) map[string][]importSite {
	t.Helper()
	root := rootDir(t)
	found := map[string][]importSite{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipForeign(root, name)
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		pkg := path.Dir(rel)
		if _, seen := found[pkg]; !seen {
			found[pkg] = nil // a package without imports is a package too
		}
		for _, spec := range parsed.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found[pkg] = append(found[pkg], importSite{rel, target, strings.HasSuffix(rel, "_test.go")})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// skipForeign skips what go build ./... would skip: test data, hidden folders,
// and modules inside this one.
func skipForeign(root, dir string) error {
	base := filepath.Base(dir)
	if dir == root {
		return nil
	}
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func TestLayers(t *testing.T) {
	found := imports(t)
	for _, pkg := range slices.Sorted(maps.Keys(found)) {
		row, known := layers[pkg]
		if !known {
			t.Errorf("%s is not in the table of layers: give it a row there and in ARCHITECTURE.md", pkg)
			continue
		}
		for _, site := range found[pkg] {
			if !allowed(row, pkg, site) {
				t.Errorf("%s: %s may not import %s", site.file, pkg, site.path)
			}
		}
	}
}

// allowed tells whether the row of pkg lets it have this import.
func allowed(row layer, pkg string, site importSite) bool {
	if inside(site.path, module) {
		target := strings.TrimPrefix(strings.TrimPrefix(site.path, module), "/")
		if target == "" {
			target = "."
		}
		return site.test || target == pkg || slices.Contains(everywhere, target) ||
			slices.Contains(row.packages, target) ||
			slices.Equal(row.packages, anything) && target != "internal/golden" && target != "internal/lint"
	}
	if first, _, _ := strings.Cut(site.path, "/"); !strings.Contains(first, ".") {
		return site.path != "C"
	}
	libraries := row.libraries
	if site.test {
		libraries = append(slices.Clone(libraries), testLibraries...)
	}
	return slices.ContainsFunc(libraries, func(library string) bool { return inside(site.path, library) })
}

// inside tells whether the import path is root or below it.
func inside(importPath, root string) bool {
	return importPath == root || strings.HasPrefix(importPath, root+"/")
}

// TestLayersAreOrdered proves that the table itself lets data flow one way only.
func TestLayersAreOrdered(t *testing.T) {
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(pkg string)
	visit = func(pkg string) {
		switch state[pkg] {
		case visiting:
			t.Fatalf("the table lets %s import itself through others", pkg)
		case done:
			return
		}
		state[pkg] = visiting
		for _, target := range layers[pkg].packages {
			if _, known := layers[target]; !known && target != "*" {
				t.Errorf("%s may import %s, which has no row", pkg, target)
			}
			visit(target)
		}
		state[pkg] = done
	}
	for pkg := range layers {
		visit(pkg)
	}
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		pkg, path string
		test      bool
		want      bool
	}{
		{"vector", module + "/pool", false, true},
		{"pool", module + "/vector", false, false},
		{"pool", module + "/vector", true, true},
		{"pool", "unsafe", false, true},
		{"pool", "C", false, false},
		{"pool", module + "/internal/invariants", false, true},
		{"pool", module + "/internal/golden", false, false},
		{"pool", "pgregory.net/rapid", false, false},
		{"pool", "pgregory.net/rapid", true, true},
		{"nimble/encoding", "github.com/klauspost/compress/zstd", false, true},
		{"nimble/encoding", "github.com/klauspost/compressor", false, false},
		{"internal/exec", "github.com/apache/arrow-go/v18/arrow", false, false},
		{"internal/convert", "github.com/apache/arrow-go/v18/arrow", false, true},
		{"internal/cli", module, false, true},
		{"internal/cli", module + "/internal/golden", false, false},
	} {
		if got := allowed(layers[c.pkg], c.pkg, importSite{path: c.path, test: c.test}); got != c.want {
			t.Errorf("%s importing %s (test: %t) is allowed: %t, want %t", c.pkg, c.path, c.test, got, c.want)
		}
	}
}
