package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// folders are where the packages are that acceptance.md names.
var folders = map[string]string{
	"docs": "docs", "flatbuf": "internal/flatbuf", "vector": "vector",
	"nimble": "nimble", "tablet": "nimble/tablet", "encoding": "nimble/encoding",
	"decant": ".",
}

var (
	testName = regexp.MustCompile("`([a-z]+)\\.((?:Test|Fuzz|Example)\\w*)`")
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)\w*)\(`)
)

// testsOf returns the names of the tests in a folder of the module.
func testsOf(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range testFunc.FindAllSubmatch(text, -1) {
			names[string(match[1])] = true
		}
	}
	return names
}

// TestAcceptance wants each ticked item of acceptance.md to name tests, which
// exist, and each open one to name none.
func TestAcceptance(t *testing.T) {
	text, err := os.ReadFile("acceptance.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]map[string]bool{}
	for pkg, folder := range folders {
		tests[pkg] = testsOf(t, folder)
	}
	ticked, open := 0, 0
	for _, part := range strings.Split(string(text), "\n- [")[1:] {
		item, _, _ := strings.Cut(part, "\n\n")
		title, _, _ := strings.Cut(item, "\n")
		named := testName.FindAllStringSubmatch(item, -1)
		switch {
		case strings.HasPrefix(item, "x] ") && len(named) > 0:
			ticked++
		case strings.HasPrefix(item, " ] ") && len(named) == 0:
			open++
		default:
			t.Errorf("the item [%s names %d tests", title, len(named))
		}
		for _, name := range named {
			if !tests[name[1]][name[2]] {
				t.Errorf("the item [%s names %s.%s, which is not there", title, name[1], name[2])
			}
		}
	}
	if ticked == 0 || open == 0 {
		t.Errorf("%d ticked items, %d open", ticked, open)
	}
	t.Logf("%d ticked, %d open", ticked, open)
}
