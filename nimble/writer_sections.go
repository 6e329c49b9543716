package nimble

import (
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
)

// addSections adds what a file says of itself.
func (w *Writer) addSections() error {
	if len(w.options.Metadata) > 0 {
		pairs := make([]tablet.Pair, len(w.options.Metadata))
		for i, m := range w.options.Metadata {
			pairs[i] = tablet.Pair(m)
		}
		if err := w.out.AddSection(tablet.SectionMetadata, tablet.AppendMetadata(nil, pairs)); err != nil {
			return err
		}
	}
	if err := w.addStats(); err != nil {
		return err
	}
	schema := tablet.AppendSchema(nil, appendNodes(nil, w.root, "", false))
	if err := w.out.AddSection(tablet.SectionSchema, schema); err != nil {
		return err
	}
	if !w.options.Encoding.VarintRowCount {
		return nil
	}
	features := tablet.AppendFeatures(nil, tablet.Features{VarintRowCounts: true})
	return w.out.AddSection(tablet.SectionFeatures, features)
}

func (w *Writer) addStats() error {
	stats := w.stats()
	switch w.options.Stats {
	case StatsTotal:
		return w.out.AddSection(tablet.SectionLegacyStats, tablet.AppendLegacyStats(nil, stats[0].LogicalBytes))
	case StatsByColumn:
		// They are encoded by the defaults, whatever the file's options.
		e, err := encoding.NewEncoder(nil, encoding.DefaultEncodeOptions())
		if err != nil {
			return err
		}
		section, err := appendStats(nil, e, w.root.typ, stats)
		if err != nil {
			return err
		}
		return w.out.AddSection(tablet.SectionStats, section)
	}
	return nil
}

// stats returns the statistics of all types.
func (w *Writer) stats() []ColumnStats {
	stats := append([]ColumnStats(nil), w.counts...)
	stats[0].PhysicalBytes = w.nulls.physical
	for _, f := range w.fields {
		f.stats(stats)
	}
	w.counter.total(stats)
	return stats
}

// newGroupEncoder returns the encoder of arrays in stripe groups that are stored
// by stream: encodings with access to any entry, uncompressed.
func newGroupEncoder() (func(dst []byte, values []uint32) ([]byte, error), error) {
	e, err := encoding.NewEncoder(nil, encoding.EncodeOptions{Candidates: []encoding.ReadFactor{
		{Kind: encoding.KindConstant, Factor: 1},
		{Kind: encoding.KindTrivial, Factor: 1},
		{Kind: encoding.KindFixedBitWidth, Factor: 1},
	}})
	return func(dst []byte, values []uint32) ([]byte, error) {
		return encoding.Append(e, dst, encoding.Uint32, values)
	}, err
}
