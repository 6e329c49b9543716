package tablet_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/nimble/tablet"
)

// goldenFile is a file that the reference wrote.
type goldenFile struct {
	Name    string
	Rows    uint64
	Options string
	data    []byte
	dump    string // what the reference's tool prints about it, if recorded
}

func goldenFiles(t testing.TB) []goldenFile {
	var files []goldenFile
	for _, sub := range []string{"nimble/files", "nimble/files_fuzz"} {
		for _, dir := range golden.Dirs(t, sub) {
			files = append(files, manifestFiles(t, dir)...)
		}
	}
	return files
}

func manifestFiles(t testing.TB, dir string) []goldenFile {
	manifest, err := os.Open(filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer manifest.Close()
	var files []goldenFile
	lines := bufio.NewScanner(manifest)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var f goldenFile
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Fatal(err)
		}
		if f.data, err = os.ReadFile(filepath.Join(dir, f.Name+".nimble")); err != nil {
			t.Fatal(err)
		}
		dump, err := os.ReadFile(filepath.Join(dir, f.Name+".dump.txt"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		f.dump = string(dump)
		files = append(files, f)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return files
}

func openBytes(data []byte, tailBytes int) (*tablet.Tablet, error) {
	return tablet.Open(bytes.NewReader(data), int64(len(data)), tablet.Options{
		TailBytes: tailBytes, DecodeGroupArray: decodeGroupArray,
	})
}

func mustOpen(t testing.TB, data []byte, tailBytes int) *tablet.Tablet {
	t.Helper()
	file, err := openBytes(data, tailBytes)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// readAll reads and checks everything in a file.
func readAll(file *tablet.Tablet) error {
	if err := file.VerifyChecksum(); err != nil {
		return err
	}
	for _, s := range file.Footer().Sections {
		raw, ok, err := file.Section(s.Name)
		if err != nil || !ok {
			return fmt.Errorf("section %s: %t, %w", s.Name, ok, err)
		}
		if s.RawLen != 0 && len(raw) != int(s.RawLen) {
			return fmt.Errorf("section %s: %d bytes instead of %d", s.Name, len(raw), s.RawLen)
		}
	}
	var plan tablet.Plan
	for stripe, s := range file.Stripes() {
		g, err := file.Group(int(s.Group))
		if err != nil {
			return err
		}
		stats, err := file.ChunkStats(g)
		if err != nil {
			return err
		}
		ids := make([]uint32, g.Streams())
		for id := range ids {
			ids[id] = uint32(id)
		}
		plan.Reset(g, stripe, ids)
		if plan.Size() > file.Size() {
			return fmt.Errorf("stripe %d: %d bytes in a file of %d", stripe, plan.Size(), file.Size())
		}
		if err := plan.Load(make([]byte, plan.Size())); err != nil {
			return err
		}
		for id := range ids {
			if err := readStream(plan.Stream(id), stats, stripe, uint32(id)); err != nil {
				return fmt.Errorf("stripe %d: stream %d: %w", stripe, id, err)
			}
		}
	}
	return nil
}

// readStream decompresses the chunks of a stream and compares them with stats.
func readStream(stream []byte, stats *tablet.ChunkStats, stripe int, id uint32) error {
	n := 0
	for rest := stream; len(rest) > 0; n++ {
		if stats != nil && n < stats.Chunks(stripe, id) {
			if pos := len(stream) - len(rest); int(stats.Chunk(stripe, id, n).Pos) != pos {
				return fmt.Errorf("chunk %d is at %d: %w", n, pos, tablet.ErrCorrupt)
			}
		}
		var c tablet.Chunk
		var err error
		if c, rest, err = tablet.CutChunk(rest); err != nil {
			return err
		}
		if c.RawLen > 64<<20 {
			return nil // more than these tests are willing to hold
		}
		if err := c.Decode(make([]byte, c.RawLen)); err != nil {
			return err
		}
	}
	if stats != nil && n != stats.Chunks(stripe, id) {
		return fmt.Errorf("%d chunks, not %d: %w", n, stats.Chunks(stripe, id), tablet.ErrCorrupt)
	}
	return nil
}

func TestGoldenRead(t *testing.T) {
	files := goldenFiles(t)
	for _, f := range files {
		t.Run(f.Name, func(t *testing.T) {
			for _, tailBytes := range []int{0, 1, 300} {
				file := mustOpen(t, f.data, tailBytes)
				if file.Rows() != f.Rows {
					t.Errorf("got %d rows, want %d", file.Rows(), f.Rows)
				}
				if err := readAll(file); err != nil {
					t.Error(err)
				}
			}
		})
	}
	t.Logf("%d files", len(files))
}

// dumpPart returns the lines of one part of a dump, with runs of blanks made one,
// and whether the dump has it: on a few files the tool ended early.
func dumpPart(dump, part string) ([]string, bool) {
	_, after, ok := strings.Cut(dump, "===== "+part+"\n")
	if !ok {
		return nil, false
	}
	before, _, _ := strings.Cut(after, "\n=====")
	var lines []string
	for line := range strings.Lines(before) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines[1:], true // without the heading
}

var streamLine = regexp.MustCompile(`^\d+ \d+ \d+ \d+ `)

// The reference's tool lists where all is.
func TestGoldenDump(t *testing.T) {
	dumps, streams := 0, 0
	for _, f := range goldenFiles(t) {
		if f.dump == "" {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			file := mustOpen(t, f.data, 0)
			if want, ok := dumpPart(f.dump, "filelayout"); ok {
				dumps++
				if diff := cmp.Diff(want, layout(t, file)); diff != "" {
					t.Errorf("layout (-want +got):\n%s", diff)
				}
			}
			var want []string
			lines, ok := dumpPart(f.dump, "streams")
			if !ok {
				return
			}
			for _, line := range lines {
				if place := streamLine.FindString(line); place != "" {
					want = append(want, place)
				}
			}
			if diff := cmp.Diff(want, streamPlaces(t, file)); diff != "" {
				t.Errorf("streams (-want +got):\n%s", diff)
			}
			streams += len(want)
		})
	}
	t.Logf("%d dumps, %d streams", dumps, streams)
}

func streamPlaces(t *testing.T, file *tablet.Tablet) []string {
	var places []string
	for stripe, s := range file.Stripes() {
		g, err := file.Group(int(s.Group))
		if err != nil {
			t.Fatal(err)
		}
		for id := range g.Streams() {
			if r := g.Stream(stripe, uint32(id)); r.Len != 0 {
				places = append(places, fmt.Sprintf("%d %d %d %d ", stripe, id, r.Pos-s.Pos, r.Len))
			}
		}
	}
	return places
}

// layout lists the parts of a file as the reference's tool does.
func layout(t *testing.T, file *tablet.Tablet) []string {
	type part struct {
		pos uint64
		len uint64
		// codec and name as printed
		codec, name string
	}
	var parts []part
	section := func(e tablet.Extent, name string) {
		codec := "Uncompressed"
		if e.Codec == tablet.Zstd {
			codec = "Zstd"
		}
		parts = append(parts, part{e.Pos, uint64(e.Len), codec, name})
	}
	for stripe, s := range file.Stripes() {
		g, err := file.Group(int(s.Group))
		if err != nil {
			t.Fatal(err)
		}
		size := uint64(0) // streams stored once count as often as they are used
		for id := range g.Streams() {
			size += g.Stream(stripe, uint32(id)).Len
		}
		parts = append(parts, part{s.Pos, size, "NA", fmt.Sprintf("Stripe %d (Group %d)", stripe, s.Group)})
	}
	footer := file.Footer()
	for i, e := range footer.Groups {
		section(e, fmt.Sprintf("Stripe Group %d", i))
	}
	for _, s := range footer.Sections {
		section(s.Extent, "Optional Section "+s.Name)
	}
	if footer.Directory.Len != 0 {
		section(footer.Directory, "Stripes Metadata")
	}
	p := file.Postscript()
	end := file.Size() - tablet.PostscriptLen
	section(tablet.Extent{Pos: end - uint64(p.FooterLen), Len: p.FooterLen, Codec: p.FooterCodec}, "File Footer")
	parts = append(parts, part{end, tablet.PostscriptLen, "NA", "File Postscript"})
	sortBy(parts, func(p part) uint64 { return p.pos })
	lines := make([]string, len(parts))
	for i, p := range parts {
		lines[i] = fmt.Sprintf("%d %d %s %s", p.pos, p.len, p.codec, p.name)
	}
	return lines
}
