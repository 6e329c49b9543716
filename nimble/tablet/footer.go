package tablet

import "github.com/decantdb/decant/internal/flatbuf"

// A Footer says where the sections of a file are:
//
//	Tail         { nrows:u64 stripes:Extent groups:[Extent] extra:NamedExtents }
//	NamedExtents { keys:[string] pos:[u64] len:[u32] codec:[u8] rawlen:[u32] }
type Footer struct {
	// Rows is the number of rows of the file.
	Rows uint64
	// Directory is the stripe directory, zero in a file without stripes.
	Directory Extent
	// Groups are the stripe groups.
	Groups []Extent
	// Sections are the named sections in the order in which they are listed,
	// which is not that of the file.
	Sections []Section
}

// A Section is a named section of a file.
type Section struct {
	Name string
	Extent
}

// ParseFooter parses a decompressed footer. Extents are not checked against a
// file.
func ParseFooter(raw []byte) (Footer, error) {
	r := flatbuf.NewReader(raw)
	root := r.Root()
	f := Footer{
		Rows:      flatbuf.Field[uint64](root, 0, 0),
		Directory: parseExtent(root.Table(1)),
		Groups:    parseExtents(root.Refs(2)),
	}
	err := f.parseSections(root.Table(3))
	if r.Err() != nil {
		return Footer{}, corrupt(r.Err())
	}
	return f, err
}

func (f *Footer) parseSections(t flatbuf.Table) error {
	if !t.Present() {
		return nil
	}
	names := t.Refs(0)
	pos := flatbuf.Vector[uint64](t, 1)
	lens := flatbuf.Vector[uint32](t, 2)
	codecs := flatbuf.Vector[uint8](t, 3)
	rawLens := flatbuf.Vector[uint32](t, 4) // absent in older files
	n := names.Len()
	if pos.Len() != n || lens.Len() != n || codecs.Len() != n || rawLens.Present() && rawLens.Len() != n {
		return corruptf("%d section names with %d positions, %d lengths, %d codecs, %d raw lengths",
			n, pos.Len(), lens.Len(), codecs.Len(), rawLens.Len())
	}
	f.Sections = make([]Section, n)
	for i := range f.Sections {
		s := Section{Name: string(names.Bytes(i)), Extent: Extent{Pos: pos.At(i), Len: lens.At(i), Codec: Codec(codecs.At(i))}}
		if rawLens.Present() {
			s.RawLen = rawLens.At(i)
		}
		f.Sections[i] = s
	}
	return nil
}

// section returns where a named section is.
func (f *Footer) section(name string) (Extent, bool) {
	for _, s := range f.Sections {
		if s.Name == name {
			return s.Extent, true
		}
	}
	return Extent{}, false
}

// Append appends the footer's raw bytes to dst.
func (f Footer) Append(dst []byte) []byte {
	var b flatbuf.Builder
	var directory flatbuf.Offset
	if f.Directory != (Extent{}) {
		directory = f.Directory.build(&b)
	}
	groups := buildExtents(&b, f.Groups)
	sections := buildSections(&b, f.Sections)
	root := b.Table(flatbuf.Number(f.Rows), flatbuf.Ref(directory), flatbuf.Ref(groups), flatbuf.Ref(sections))
	return append(dst, b.Finish(root, "")...)
}

func buildSections(b *flatbuf.Builder, sections []Section) flatbuf.Offset {
	n := len(sections)
	if n == 0 {
		return 0
	}
	names := make([]flatbuf.Offset, n)
	pos := make([]uint64, n)
	lens := make([]uint32, n)
	codecs := make([]uint8, n)
	rawLens := make([]uint32, n)
	for i, s := range sections {
		names[i] = b.String(s.Name)
		pos[i], lens[i], codecs[i], rawLens[i] = s.Pos, s.Len, uint8(s.Codec), s.RawLen
	}
	return b.Table(
		flatbuf.Ref(b.Refs(names)),
		flatbuf.Ref(flatbuf.PutVector(b, pos)),
		flatbuf.Ref(flatbuf.PutVector(b, lens)),
		flatbuf.Ref(flatbuf.PutVector(b, codecs)),
		flatbuf.Ref(flatbuf.PutVector(b, rawLens)))
}
