// Package lint holds the project's own rules as tests: which package may import
// which, what the core may depend on, and the habits of CONTRIBUTING.md that a
// machine can see.
package lint

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const (
	// maxFileLines is the hard limit of a Go file that people read.
	maxFileLines = 600
	// maxTextBytes parts text from data: nothing that people write is longer.
	maxTextBytes = 1 << 20
)

// file is one text file of the tree.
type file struct {
	name string // relative to the root, with slashes
	text []byte
}

func (f file) isGo() bool   { return strings.HasSuffix(f.name, ".go") }
func (f file) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// generated follows the convention of go help generate.
func (f file) generated() bool { return generatedLine.Match(f.text) }

var generatedLine = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// rootDir is the root of the module, found from this file's own place.
func rootDir(tb testing.TB) string {
	tb.Helper()
	_, self, _, ok := runtime.Caller(0)
	if !ok {
		tb.Fatal("lint: cannot tell where the sources are")
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(self)))
}

// textFiles reads every text file that the project keeps, also of the modules
// inside it. Golden data and what tools leave behind are not read.
func textFiles(tb testing.TB) []file {
	tb.Helper()
	root := rootDir(tb)
	var files []file
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if skipped(rel) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || info.Size() > maxTextBytes {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !bytes.ContainsRune(text, 0) {
			files = append(files, file{rel, text})
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// skipped names what is not the project's own text: the repository's data, golden
// data, fuzzing corpora, and what tools leave behind.
func skipped(rel string) bool {
	return slices.Contains([]string{".git", "dist", "testdata/golden"}, rel) ||
		strings.HasSuffix(rel, "testdata/fuzz") || strings.HasSuffix(rel, "__pycache__")
}

func TestFileLength(t *testing.T) {
	for _, f := range textFiles(t) {
		if !f.isGo() || f.generated() {
			continue
		}
		if n := bytes.Count(f.text, []byte("\n")); n > maxFileLines {
			t.Errorf("%s has %d lines, more than %d: split it by concept", f.name, n, maxFileLines)
		}
	}
}

// TestNames refuses the names under which unrelated things gather.
func TestNames(t *testing.T) {
	vague := []string{"util", "utils", "common", "helper", "helpers", "misc", "shared"}
	for _, f := range textFiles(t) {
		if !f.isGo() {
			continue
		}
		stem := strings.TrimSuffix(strings.TrimSuffix(path.Base(f.name), ".go"), "_test")
		for _, part := range append(strings.Split(path.Dir(f.name), "/"), stem) {
			if slices.Contains(vague, part) {
				t.Errorf("%s: %q says nothing about what is inside", f.name, part)
			}
		}
	}
}

// The forbidden words are put together here so that this file does not hold them.
var forbidden = []struct {
	pattern *regexp.Regexp
	only    func(file) bool
	why     string
}{
	{
		regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`),
		file.isGo, "do it now or write an issue",
	},
	{
		regexp.MustCompile(`\b[btf]\.Sk` + `ip(f|Now)?\(`),
		file.isTest, "a test runs or is not there",
	},
	{
		regexp.MustCompile(`(^|[^\w./])/(ho` + `me|ro` + `ot|Us` + `ers)/\w`),
		func(file) bool { return true }, "names a folder of one machine",
	},
}

func TestForbiddenWords(t *testing.T) {
	rules := forbidden
	if root := filepath.ToSlash(rootDir(t)); strings.Count(root, "/") > 1 {
		checkout := regexp.MustCompile(`(^|[^\w./])` + regexp.QuoteMeta(root) + `\b`)
		rules = append(slices.Clone(rules), struct {
			pattern *regexp.Regexp
			only    func(file) bool
			why     string
		}{checkout, func(file) bool { return true }, "names this checkout's own folder"})
	}
	for _, f := range textFiles(t) {
		for _, rule := range rules {
			if !rule.only(f) {
				continue
			}
			for n, line := range bytes.Split(f.text, []byte("\n")) {
				if rule.pattern.Match(line) {
					t.Errorf("%s:%d: %s: %s", f.name, n+1, bytes.TrimSpace(line), rule.why)
				}
			}
		}
	}
}
