package tablet

import "github.com/decantdb/decant/internal/flatbuf"

// ParseMetadata parses the section columnar.metadata, the user's pairs. Where a
// key occurs twice, the first counts.
//
//	UserMeta { items:[KV] }   KV { k:string v:string }
func ParseMetadata(raw []byte) ([]Pair, error) {
	r := flatbuf.NewReader(raw)
	pairs := parsePairs(r.Root().Refs(0))
	if r.Err() != nil {
		return nil, corrupt(r.Err())
	}
	return pairs, nil
}

// AppendMetadata appends the raw bytes of the section columnar.metadata to dst.
func AppendMetadata(dst []byte, pairs []Pair) []byte {
	var b flatbuf.Builder
	items := buildPairs(&b, pairs)
	return append(dst, b.Finish(b.Table(flatbuf.Ref(items)), "")...)
}

// ParseLegacyStats parses the section columnar.stats: the raw size of all rows in
// bytes.
//
//	LegacyStats { raw_bytes:u64 }
func ParseLegacyStats(raw []byte) (rawBytes uint64, err error) {
	r := flatbuf.NewReader(raw)
	rawBytes = flatbuf.Field[uint64](r.Root(), 0, 0)
	return rawBytes, corrupt(r.Err())
}

// AppendLegacyStats appends the raw bytes of the section columnar.stats to dst.
func AppendLegacyStats(dst []byte, rawBytes uint64) []byte {
	var b flatbuf.Builder
	return append(dst, b.Finish(b.Table(flatbuf.Number(rawBytes)), "")...)
}

// Features are the flags of a file that change how it is read:
//
//	FileFlags   { keycols_omitted:bool omitted_cols:[string] compact:CompactBits }
//	CompactBits { varint_row_count:bool }
type Features struct {
	// KeyColumnsOmitted says that OmittedColumns are stored in the cluster index
	// only.
	KeyColumnsOmitted bool
	OmittedColumns    []string
	// VarintRowCounts says that the encoded arrays of streams have their row
	// count as a varint.
	VarintRowCounts bool
}

// ParseFeatures parses the section columnar.features.
func ParseFeatures(raw []byte) (Features, error) {
	r := flatbuf.NewReader(raw)
	root := r.Root()
	f := Features{
		KeyColumnsOmitted: root.Bool(0),
		VarintRowCounts:   root.Table(2).Bool(0),
	}
	names := root.Refs(1)
	for i := range names.Len() {
		f.OmittedColumns = append(f.OmittedColumns, string(names.Bytes(i)))
	}
	if r.Err() != nil {
		return Features{}, corrupt(r.Err())
	}
	if f.KeyColumnsOmitted != (len(f.OmittedColumns) > 0) {
		return Features{}, corruptf("omitted columns are flagged %t, but %d are named", f.KeyColumnsOmitted, len(f.OmittedColumns))
	}
	return f, nil
}

// AppendFeatures appends the raw bytes of the section columnar.features to dst.
func AppendFeatures(dst []byte, f Features) []byte {
	var b flatbuf.Builder
	var compact flatbuf.Offset
	if f.VarintRowCounts {
		compact = b.Table(flatbuf.Bool(true))
	}
	names := make([]flatbuf.Offset, len(f.OmittedColumns))
	for i, name := range f.OmittedColumns {
		names[i] = b.String(name)
	}
	root := b.Table(flatbuf.Bool(f.KeyColumnsOmitted), flatbuf.Ref(b.Refs(names)), flatbuf.Ref(compact))
	return append(dst, b.Finish(root, "")...)
}
