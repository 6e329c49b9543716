package tablet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/decantdb/decant/internal/flatbuf"
)

// footerFile returns a file of two stripes, a group each, and one section, all
// compressed, whose footer is what footer makes of the writer's.
func footerFile(t *testing.T, footer func(Footer) []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, WriterOptions{GroupBytes: 1, CompressOverBytes: 1})
	for range 2 {
		streams := make([]Stream, 100)
		for id := range streams {
			streams[id] = Stream{ID: uint32(id), Data: []byte{1, 2, 3}}
		}
		if err := w.WriteStripe(7, streams); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.AddSection("zeros", make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := out.Bytes()
	f, err := Open(bytes.NewReader(data), int64(len(data)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	end := len(data) - PostscriptLen
	end -= int(binary.LittleEndian.Uint32(data[end:]))
	raw := footer(*f.Footer())
	data = append(data[:end:end], raw...)
	p := Postscript{FooterLen: uint32(len(raw)), Major: majorVersion, Minor: minorVersion}
	data = p.appendHashed(data)
	p.Checksum = xxh3.Hash(data)
	return p.appendRest(data)
}

// oldFooter is a footer as it was before there were raw lengths.
func oldFooter(f Footer) []byte {
	var b flatbuf.Builder
	extent := func(e Extent) flatbuf.Offset {
		return b.Table(flatbuf.Number(e.Pos), flatbuf.Number(e.Len), flatbuf.Number(uint8(e.Codec)))
	}
	directory := extent(f.Directory)
	var groups, names []flatbuf.Offset
	for _, e := range f.Groups {
		groups = append(groups, extent(e))
	}
	groupRefs := b.Refs(groups)
	var pos []uint64
	var lens []uint32
	var codecs []uint8
	for _, s := range f.Sections {
		names = append(names, b.String(s.Name))
		pos, lens, codecs = append(pos, s.Pos), append(lens, s.Len), append(codecs, uint8(s.Codec))
	}
	sections := b.Table(flatbuf.Ref(b.Refs(names)), flatbuf.Ref(flatbuf.PutVector(&b, pos)),
		flatbuf.Ref(flatbuf.PutVector(&b, lens)), flatbuf.Ref(flatbuf.PutVector(&b, codecs)))
	root := b.Table(flatbuf.Number(f.Rows), flatbuf.Ref(directory), flatbuf.Ref(groupRefs), flatbuf.Ref(sections))
	return b.Finish(root, "")
}

// readFooterFile reads all sections of a footerFile, in one read or from the
// file.
func readFooterFile(data []byte, tailBytes int) error {
	f, err := Open(bytes.NewReader(data), int64(len(data)), Options{TailBytes: tailBytes})
	if err != nil {
		return err
	}
	if err := f.VerifyChecksum(); err != nil {
		return err
	}
	for i := range f.Stripes() {
		g, err := f.Group(i)
		if err != nil {
			return err
		}
		if r := g.Stream(i, 99); r.Len != 3 {
			return errors.New("a stream is missing")
		}
	}
	raw, ok, err := f.Section("zeros")
	if err == nil && (!ok || !bytes.Equal(raw, make([]byte, 1000))) {
		err = errors.New("the section is another")
	}
	return err
}

// Extents without raw lengths, as older files have them, are read.
func TestOldFooter(t *testing.T) {
	data := footerFile(t, oldFooter)
	for _, tailBytes := range []int{1, 0} {
		if err := readFooterFile(data, tailBytes); err != nil {
			t.Errorf("tail of %d bytes: %v", tailBytes, err)
		}
	}
}

// Extents whose raw length contradicts what they hold are refused.
func TestRawLengthsContradict(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Footer)
		want   error
	}{
		"as written":              {func(*Footer) {}, nil},
		"section less than zstd":  {func(f *Footer) { f.Sections[0].RawLen = f.Sections[0].Len - 1 }, ErrCorrupt},
		"section other than zstd": {func(f *Footer) { f.Sections[0].RawLen++ }, ErrCorrupt},
		"section raw":             {func(f *Footer) { f.Sections[0].Codec = Raw }, ErrCorrupt},
		"section LZ4":             {func(f *Footer) { f.Sections[0].Codec = LZ4 }, ErrUnsupported},
		"group":                   {func(f *Footer) { f.Groups[1].RawLen++ }, ErrCorrupt},
		"directory":               {func(f *Footer) { f.Directory.RawLen += 8 }, ErrCorrupt},
	} {
		data := footerFile(t, func(f Footer) []byte {
			c.change(&f)
			return f.Append(nil)
		})
		if err := readFooterFile(data, 0); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
