package nimble

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
)

// indexFiles returns the golden files of nimble/index.
func indexFiles(t *testing.T) []goldenFile {
	t.Helper()
	var files []goldenFile
	for _, dir := range golden.Dirs(t, "nimble/index") {
		eachLine(t, filepath.Join(dir, "manifest.jsonl"), func(c indexCase) {
			data, err := os.ReadFile(filepath.Join(dir, c.Name+".nimble"))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, goldenFile{Name: c.Name, data: data})
		})
	}
	return files
}

// filesWithMore returns the golden files that have indexes or statistics of chunks.
func filesWithMore(t *testing.T) []goldenFile {
	t.Helper()
	files := indexFiles(t)
	for _, c := range goldenFiles(t) {
		sections := c.open(t).Tablet().Footer().Sections
		for _, s := range sections {
			if s.Name == tablet.SectionChunkStats || s.Name == tablet.SectionIndexes {
				files = append(files, c)
				break
			}
		}
	}
	return files
}

// Indexes and statistics of chunks agree with the rows, and what is damaged of them is
// mostly found without the checksum: the rest is padding, or the name of something.
func TestGoldenFilesVerifyMore(t *testing.T) {
	s := NewSession(pool.New(pool.Options{}))
	random := rand.New(rand.NewPCG(6, 804))
	files := filesWithMore(t)
	tried, found, by := 0, 0, map[string]int{}
	for _, c := range files {
		f := c.open(t)
		findings, err := f.Verify(context.Background(), s, nil)
		findings = slices.DeleteFunc(findings, func(e error) bool { return errors.Is(e, encoding.ErrUnsupported) })
		if err != nil || len(findings) > 0 || len(f.Warnings()) > len(f.omitted) {
			t.Errorf("%s: %v, %v, %q", c.Name, findings, err, f.Warnings())
		}
		stripes := f.Tablet().Stripes()
		if len(stripes) == 0 {
			continue
		}
		last := stripes[len(stripes)-1]
		begin := int(last.Pos) + int(last.Len)
		for range 60 {
			pos := begin + random.IntN(len(c.data)-tablet.PostscriptLen-begin)
			damaged := flip(c.data, 8*pos+random.IntN(8))
			f, err := Open(bytes.NewReader(damaged), int64(len(damaged)), nil)
			if err != nil {
				continue
			}
			tried++
			findings, err := f.Verify(context.Background(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			if more := withoutChecksum(findings); len(more) > 0 {
				found++
				count(by, more[0].Error(), "index of", "chunk statistics of", "index", "statistics", "column")
			}
		}
	}
	if found < tried*4/5 || by["index of"] == 0 || by["chunk statistics of"] == 0 {
		t.Errorf("of %d flips %d are found: %v", tried, found, by)
	}
	t.Logf("%d files; of %d flips behind the stripes %d are found without the checksum: %v", len(files), tried, found, by)
}

func withoutChecksum(findings []error) (others []error) {
	for _, f := range findings {
		if !errors.Is(f, tablet.ErrChecksum) {
			others = append(others, f)
		}
	}
	return others
}

// count counts a text under the first word that it has.
func count(by map[string]int, text string, words ...string) {
	for _, w := range words {
		if strings.Contains(text, w) {
			by[w]++
			return
		}
	}
	by["other"]++
}
