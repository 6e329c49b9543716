package table

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/decantdb/decant/nimble"
)

// Table is a table of a data directory.
type Table struct {
	Name   string
	Schema *Schema
	Config *Config
	dir    string
}

// Segment is a part of a table.
type Segment struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
}

// NullHandling reports whether nulls are kept: the schema or the config says so.
// Otherwise a field's default is stored in their place.
func (t *Table) NullHandling() bool { return t.Schema.NullHandling || t.Config.NullHandling }

// manifest is the segments of a table at one time.
type manifest struct {
	Segments []Segment `json:"segments"`
	Next     int       `json:"next"` // number of the next segment
	number   int
}

const (
	manifestPrefix = "manifest-"
	manifestSuffix = ".json"
	segmentSuffix  = ".nimble"
)

// manifest reads the newest manifest. One that is gone by then has been replaced
// by a newer one.
func (t *Table) manifest() (m manifest, err error) {
	const tries = 100
	for range tries {
		numbers, err := t.numbers()
		if err != nil {
			return m, err
		}
		if len(numbers) == 0 {
			return manifest{}, nil
		}
		m = manifest{number: slices.Max(numbers)}
		raw, err := os.ReadFile(t.manifestPath(m.number))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return m, err
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			return m, fmt.Errorf("table %s: manifest %d: %w", t.Name, m.number, err)
		}
		return m, nil
	}
	return m, fmt.Errorf("table %s changes too often to be read", t.Name)
}

// numbers returns the numbers of the manifests.
func (t *Table) numbers() ([]int, error) {
	entries, err := os.ReadDir(t.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("table %s %w", t.Name, ErrNotFound)
	}
	var numbers []int
	for _, e := range entries {
		text, ok := strings.CutPrefix(e.Name(), manifestPrefix)
		n, bad := strconv.Atoi(strings.TrimSuffix(text, manifestSuffix))
		if ok && bad == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers, err
}

func (t *Table) manifestPath(n int) string {
	return filepath.Join(t.dir, fmt.Sprintf("%s%08d%s", manifestPrefix, n, manifestSuffix))
}

// Version returns a number that grows whenever the table changes.
func (t *Table) Version() (int, error) {
	m, err := t.manifest()
	return m.number, err
}

// Segments returns the table's segments, oldest first.
func (t *Table) Segments() ([]Segment, error) {
	m, err := t.manifest()
	return m.Segments, err
}

// Path returns the file of a segment.
func (t *Table) Path(s Segment) string { return filepath.Join(t.dir, s.Name+segmentSuffix) }

// Input is rows to be added, and what is known of them.
type Input struct {
	Source
	// Name is what errors call it.
	Name string
	// SplitTexts says that a text in a field of several values is several texts
	// with semicolons between them, as in Pinot's CSV files.
	SplitTexts bool
	// RawJSON says that texts are values of JSON: strings with quotes, arrays.
	RawJSON bool
}

// Add adds the rows of inputs as a segment each, all of them or, on an error,
// none. As in Pinot a value is converted to its field's type; a NaN is null, and
// a zero has no sign; decimals lose zeros at their end, JSON its spaces; texts end
// at a zero character and behind the field's maximal length; an array without
// values is null; and where the table does not keep nulls a null becomes the
// field's default. Errors wrap [ErrValue] where a value cannot be converted.
func (t *Table) Add(inputs ...Input) (added []Segment, err error) {
	var temporary []string
	defer func() {
		for _, file := range temporary {
			_ = os.Remove(file) // gone where it has its name
		}
	}()
	var rows []int64
	for _, in := range inputs {
		file, n, err := t.write(in)
		if file != "" {
			temporary = append(temporary, file)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Name, err)
		}
		rows = append(rows, n)
	}
	return t.publish(temporary, rows)
}

// write writes the rows of an input to a temporary file.
func (t *Table) write(in Input) (name string, rows int64, err error) {
	n, err := newNormaliser(t.Schema, t.NullHandling(), in)
	if err != nil {
		return "", 0, err
	}
	f, err := os.CreateTemp(t.dir, ".segment-*")
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	buffered := bufio.NewWriterSize(f, writeBuffer)
	w, err := nimble.NewWriter(buffered, t.Schema.Stored(), &nimble.WriterOptions{StripeRows: stripeRows})
	if err != nil {
		return f.Name(), 0, err
	}
	for {
		b, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return f.Name(), 0, err
		}
		if b, err = n.apply(b); err != nil {
			return f.Name(), 0, err
		}
		if err := w.WriteBatch(b); err != nil {
			return f.Name(), 0, err
		}
	}
	return f.Name(), n.rows, errors.Join(w.Close(), buffered.Flush(), f.Chmod(0o644), f.Sync())
}

const (
	writeBuffer = 256 << 10
	// stripeRows is that of converted files: stripes that workers can share.
	stripeRows = 1 << 16
)

// publish gives files their names and lists them in a new manifest.
func (t *Table) publish(files []string, rows []int64) ([]Segment, error) {
	const tries = 1000
	for range tries {
		m, err := t.manifest()
		if err != nil {
			return nil, err
		}
		next := manifest{Segments: slices.Clone(m.Segments), Next: m.Next, number: m.number + 1}
		var added []Segment
		for i, file := range files {
			s := Segment{Rows: rows[i]}
			for {
				s.Name = fmt.Sprintf("%s_%d", t.Name, next.Next)
				next.Next++
				// The name may be one that an addition which was cut off has taken.
				err := os.Link(file, t.Path(s))
				if err == nil {
					break
				}
				if !errors.Is(err, fs.ErrExist) {
					return nil, err
				}
			}
			added = append(added, s)
		}
		next.Segments = append(next.Segments, added...)
		err = t.putManifest(next, added)
		if err == nil {
			return added, nil
		}
		for _, s := range added {
			_ = os.Remove(t.Path(s))
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("table %s changes too often to be added to", t.Name)
}

// putManifest puts a manifest in its place; the error is fs.ErrExist if another has
// come before. It removes the older ones: so who has read one long ago may find
// the number behind it free, although there are greater ones. Whether the manifest
// counts is seen by the newest one, which has its segments if it does.
func (t *Table) putManifest(m manifest, added []Segment) error {
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(t.dir, ".manifest-*")
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), t.manifestPath(m.number))
	}
	_ = os.Remove(f.Name())
	if err != nil {
		return err
	}
	newest, err := t.manifest()
	if err != nil {
		return err
	}
	for _, s := range added {
		if !slices.Contains(newest.Segments, s) {
			_ = os.Remove(t.manifestPath(m.number))
			return fs.ErrExist
		}
	}
	numbers, err := t.numbers()
	for _, n := range numbers {
		if n < m.number {
			_ = os.Remove(t.manifestPath(n)) // by somebody else, perhaps
		}
	}
	return err
}
