package tablet

import (
	"math"

	"github.com/decantdb/decant/internal/flatbuf"
)

// SectionDictionaries is the name of the section that lists shared dictionaries:
//
//	DictCatalog { stripe_refs:[DictRef] file_refs:[DictRef] external_refs:[DictRef] file_dicts:[DictBlob] }
//	DictRef     { value_stream:u32 dict_id:u32 dtype:u8 }
//	DictBlob    { dict_id:u32 dtype:u8 pos:u64 len:u32 }
const SectionDictionaries = "columnar.shared_dictionaries"

// Scopes of a shared dictionary, as the encoding numbers them.
const (
	DictionaryOfStripe   = 0
	DictionaryOfFile     = 2
	DictionaryOfExternal = 3
)

// DictionaryRef says which shared dictionary the values of a stream come from.
type DictionaryRef struct {
	Stream uint32
	Scope  uint8
	// ID is that of another stream of the stripe, of a dictionary of the file, or
	// one whose meaning is somebody else's.
	ID uint32
	// Type is the data type of the values, as encodings number it.
	Type uint8
}

// DictionaryBlob is a dictionary of the file: one encoded array that is neither in
// chunks nor compressed.
type DictionaryBlob struct {
	ID   uint32
	Type uint8
	Pos  uint64
	Len  uint32
}

// Dictionaries is the list of shared dictionaries.
type Dictionaries struct {
	Refs  []DictionaryRef
	Blobs []DictionaryBlob
}

// Dictionaries returns the file's list of shared dictionaries, empty if it has
// none.
func (t *Tablet) Dictionaries() (Dictionaries, error) {
	var d Dictionaries
	raw, ok, err := t.Section(SectionDictionaries)
	if !ok || err != nil {
		return d, err
	}
	r := flatbuf.NewReader(raw)
	root := r.Root()
	for slot, scope := range []uint8{DictionaryOfStripe, DictionaryOfFile, DictionaryOfExternal} {
		refs := root.Refs(slot)
		for i := range refs.Len() {
			ref := refs.Table(i)
			d.Refs = append(d.Refs, DictionaryRef{
				Stream: flatbuf.Field[uint32](ref, 0, 0), Scope: scope,
				ID: flatbuf.Field[uint32](ref, 1, 0), Type: flatbuf.Field[uint8](ref, 2, 0),
			})
		}
	}
	blobs := root.Refs(3)
	for i := range blobs.Len() {
		b := blobs.Table(i)
		d.Blobs = append(d.Blobs, DictionaryBlob{
			ID: flatbuf.Field[uint32](b, 0, 0), Type: flatbuf.Field[uint8](b, 1, 0),
			Pos: flatbuf.Field[uint64](b, 2, 0), Len: flatbuf.Field[uint32](b, 3, 0),
		})
	}
	if err = corrupt(r.Err()); err == nil {
		err = d.check(t.dataEnd)
	}
	place, _ := t.footer.section(SectionDictionaries)
	return d, at(sectionPart(SectionDictionaries), place.Pos, err)
}

// check tests that references are to what there is, once each, and in the file.
func (d *Dictionaries) check(end uint64) error {
	types := map[uint32]uint8{}
	for _, b := range d.Blobs {
		if _, twice := types[b.ID]; twice || b.ID == math.MaxUint32 || b.Len == 0 {
			return corruptf("dictionary %d of %d bytes, or twice", b.ID, b.Len)
		}
		if err := (Extent{Pos: b.Pos, Len: b.Len}).check(end); err != nil {
			return err
		}
		types[b.ID] = b.Type
	}
	seen := map[uint32]bool{}
	for _, ref := range d.Refs {
		if seen[ref.Stream] || ref.ID == math.MaxUint32 {
			return corruptf("stream %d refers to dictionary %d, or twice", ref.Stream, ref.ID)
		}
		seen[ref.Stream] = true
		if ref.Scope != DictionaryOfFile {
			continue
		}
		if typ, ok := types[ref.ID]; !ok || typ != ref.Type {
			return corruptf("stream %d refers to dictionary %d of type %d, which there is not", ref.Stream, ref.ID, ref.Type)
		}
	}
	return nil
}

// Dictionary reads a dictionary of the file.
func (t *Tablet) Dictionary(b DictionaryBlob) ([]byte, error) {
	data, err := t.stored(b.Pos, b.Len)
	return data, at("shared dictionary", b.Pos, err)
}

// AppendDictionaries appends the raw bytes of the section to dst.
func AppendDictionaries(dst []byte, d Dictionaries) []byte {
	var b flatbuf.Builder
	var refs [3][]flatbuf.Offset
	slots := map[uint8]int{DictionaryOfStripe: 0, DictionaryOfFile: 1, DictionaryOfExternal: 2}
	for _, ref := range d.Refs {
		table := b.Table(flatbuf.Number(ref.Stream), flatbuf.Number(ref.ID), flatbuf.Number(ref.Type))
		refs[slots[ref.Scope]] = append(refs[slots[ref.Scope]], table)
	}
	var blobs []flatbuf.Offset
	for _, x := range d.Blobs {
		blobs = append(blobs, b.Table(flatbuf.Number(x.ID), flatbuf.Number(x.Type), flatbuf.Number(x.Pos), flatbuf.Number(x.Len)))
	}
	root := b.Table(flatbuf.Ref(b.Refs(refs[0])), flatbuf.Ref(b.Refs(refs[1])), flatbuf.Ref(b.Refs(refs[2])), flatbuf.Ref(b.Refs(blobs)))
	return append(dst, b.Finish(root, "")...)
}
