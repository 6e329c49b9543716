package lint

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks wants every relative link of the documents to lead somewhere.
func TestLinks(t *testing.T) {
	root, links := rootDir(t), 0
	for _, f := range textFiles(t) {
		if !strings.HasSuffix(f.name, ".md") {
			continue
		}
		for _, match := range link.FindAllSubmatch(f.text, -1) {
			target, _, _ := strings.Cut(string(match[1]), "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(root, path.Dir(f.name), target)); err != nil {
				t.Errorf("%s links to %s, which is not there", f.name, target)
			}
		}
	}
	if links == 0 {
		t.Error("no document links to another")
	}
}

// TestLayersAreDocumented wants the table of ARCHITECTURE.md to name each package
// that exists.
func TestLayersAreDocumented(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(rootDir(t), "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range imports(t) {
		name := pkg
		if pkg == "." {
			name = "decant"
		}
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("ARCHITECTURE.md does not name %s", name)
		}
	}
}
