package tablet_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decantdb/decant/internal/golden"
	"github.com/decantdb/decant/nimble/tablet"
)

// smallFiles are golden files of the project's own set that together have
// everything a container can.
func smallFiles(t testing.TB) map[string][]byte {
	files := map[string][]byte{}
	dir := golden.Dirs(t, "nimble")[0]
	for _, name := range []string{
		"files_fuzz/fuzz_080", "files/user_metadata", "files/stats_off", "files/empty_row_type",
		"files_fuzz/fuzz_085", "files/clusterindex_omit", "files/schema_attributes", "files_fuzz/fuzz_180",
	} {
		data, err := os.ReadFile(filepath.Join(dir, name+".nimble"))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	return files
}

// scan opens a file and reads all of it but the checksum. Errors must be typed.
func scan(t testing.TB, data []byte) error {
	file, err := openBytes(data, 0)
	if err != nil {
		return typed(t, err)
	}
	for _, s := range file.Footer().Sections {
		raw, _, err := file.Section(s.Name)
		if err != nil {
			_ = typed(t, err)
			continue
		}
		_, _, err = rebuild(s.Name, raw)
		_ = typed(t, err)
	}
	var plan tablet.Plan
	for stripe, s := range file.Stripes() {
		g, err := file.Group(int(s.Group))
		if err != nil {
			return typed(t, err)
		}
		stats, err := file.ChunkStats(g)
		if typed(t, err) != nil {
			stats = nil // optional
		}
		ids := make([]uint32, g.Streams())
		for id := range ids {
			ids[id] = uint32(id)
		}
		plan.Reset(g, stripe, ids)
		if plan.Size() > file.Size() {
			t.Fatalf("a plan of %d bytes for a file of %d", plan.Size(), file.Size())
		}
		if err := plan.Load(make([]byte, plan.Size())); err != nil {
			return typed(t, err)
		}
		for id := range ids {
			if err := readStream(plan.Stream(id), stats, stripe, uint32(id)); err != nil {
				return typed(t, err)
			}
		}
	}
	return nil
}

func typed(t testing.TB, err error) error {
	if err != nil && !errors.Is(err, tablet.ErrCorrupt) && !errors.Is(err, tablet.ErrUnsupported) {
		t.Fatalf("untyped error %v", err)
	}
	return err
}

func TestEveryBitFlip(t *testing.T) {
	for name, data := range smallFiles(t) {
		if len(data) > 2000 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			refused := 0
			for bit := range 8 * len(data) {
				data[bit/8] ^= 1 << (bit % 8)
				if scan(t, data) != nil {
					refused++
				}
				if file, err := openBytes(data, 0); err == nil && bit < 8*(len(data)-15) {
					if err := file.VerifyChecksum(); !errors.Is(err, tablet.ErrChecksum) {
						t.Fatalf("bit %d: checksum: %v", bit, err)
					}
				}
				data[bit/8] ^= 1 << (bit % 8)
			}
			t.Logf("%d of %d flips refused without the checksum", refused, 8*len(data))
		})
	}
}

func TestEveryTruncation(t *testing.T) {
	for name, data := range smallFiles(t) {
		t.Run(name, func(t *testing.T) {
			for n := range len(data) {
				if err := scan(t, data[:n]); err == nil {
					t.Fatalf("%d bytes of %d are accepted", n, len(data))
				}
				_ = scan(t, data[n:]) // stripes are missing in front
			}
		})
	}
}

// Damage in a section that is not needed shows when that section is read.
func TestDamagedSectionIsOptional(t *testing.T) {
	for name, data := range smallFiles(t) {
		file := mustOpen(t, data, 0)
		for _, s := range file.Footer().Sections {
			damaged := append([]byte(nil), data...)
			clear(damaged[s.Pos : s.Pos+uint64(s.Len)])
			again := mustOpen(t, damaged, 0)
			raw, ok, err := again.Section(s.Name)
			if s.Codec == tablet.Zstd {
				var place *tablet.PlaceError
				if !errors.As(err, &place) || place.Pos != s.Pos || !strings.Contains(place.Part, s.Name) {
					t.Errorf("%s: section %s: got error %v", name, s.Name, err)
				}
				continue
			}
			if _, parsed, parseErr := rebuild(s.Name, raw); parsed && !errors.Is(parseErr, tablet.ErrCorrupt) {
				t.Errorf("%s: section %s: got %v", name, s.Name, parseErr)
			}
			if !ok || err != nil {
				t.Errorf("%s: section %s: got %t, %v", name, s.Name, ok, err)
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, data := range smallFiles(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_ = scan(t, data)
	})
}
