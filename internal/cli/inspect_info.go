package cli

import (
	"fmt"
	"slices"

	"github.com/decantdb/decant/nimble/tablet"
)

// infoReport is what a file is as a whole.
type infoReport struct {
	File           string       `json:"file"`
	Bytes          uint64       `json:"bytes"`
	Version        string       `json:"version"`
	Checksum       string       `json:"checksum"`
	ChecksumKind   string       `json:"checksumKind"`
	Rows           int64        `json:"rows"`
	Columns        int          `json:"columns"`
	Stripes        int          `json:"stripes"`
	Groups         int          `json:"stripeGroups"`
	FooterBytes    uint32       `json:"footerBytes"`
	FooterCodec    string       `json:"footerCodec"`
	DirectoryBytes uint32       `json:"directoryBytes"`
	GroupBytes     uint64       `json:"stripeGroupBytes"`
	SectionBytes   uint64       `json:"sectionBytes"`
	RawBytes       uint64       `json:"rawBytes,omitempty"`
	VarintRows     bool         `json:"varintRowCounts"`
	Metadata       []pairReport `json:"metadata"`
	Warnings       []string     `json:"warnings"`
}

func (f *nimbleFile) reportInfo() (report, error) {
	t := f.nimble.Tablet()
	end, footer := t.Postscript(), t.Footer()
	r := &infoReport{
		File: f.Name(), Bytes: t.Size(), Version: fmt.Sprintf("%d.%d", end.Major, end.Minor),
		Checksum: fmt.Sprintf("%016x", end.Checksum), ChecksumKind: "XXH3_64",
		Rows: f.nimble.Rows(), Columns: len(f.nimble.Schema().Children), Stripes: f.nimble.NumStripes(),
		Groups: len(footer.Groups), FooterBytes: end.FooterLen, FooterCodec: end.FooterCodec.String(),
		DirectoryBytes: footer.Directory.Len, VarintRows: f.nimble.VarintRowCounts(),
		Metadata: []pairReport{}, Warnings: append([]string{}, f.nimble.Warnings()...),
	}
	for _, g := range footer.Groups {
		r.GroupBytes += uint64(g.Len)
	}
	for _, s := range footer.Sections {
		r.SectionBytes += uint64(s.Len)
	}
	for _, m := range f.nimble.Metadata() {
		r.Metadata = append(r.Metadata, pairReport(m))
	}
	raw, err := f.rawBytes()
	r.RawBytes = raw
	return r, err
}

// rawBytes returns the size of the values as such, 0 if the file does not say.
func (f *nimbleFile) rawBytes() (uint64, error) {
	if stats := f.nimble.Stats(); len(stats) > 0 {
		return stats[0].LogicalBytes, nil
	}
	raw, ok, err := f.nimble.Tablet().Section(tablet.SectionLegacyStats)
	if !ok || err != nil {
		return 0, err
	}
	return tablet.ParseLegacyStats(raw)
}

func (r *infoReport) print(c *console) error {
	line := func(name, text string) { fmt.Fprintf(c.stdout, "%-18s%s\n", name, text) }
	line("file", visible(r.File, escapeLines))
	line("format", r.Version)
	line("size", fmt.Sprintf("%s (%s bytes)", sizeText(r.Bytes), grouped(int64(r.Bytes))))
	line("checksum", r.Checksum+" "+r.ChecksumKind)
	line("rows", grouped(r.Rows))
	line("columns", grouped(int64(r.Columns)))
	line("stripes", fmt.Sprintf("%s in %s", grouped(int64(r.Stripes)), counted(int64(r.Groups), "group")))
	line("footer", fmt.Sprintf("%s bytes, %s", grouped(int64(r.FooterBytes)), r.FooterCodec))
	line("stripe directory", grouped(int64(r.DirectoryBytes))+" bytes")
	line("stripe groups", grouped(int64(r.GroupBytes))+" bytes")
	line("sections", grouped(int64(r.SectionBytes))+" bytes")
	if r.RawBytes > 0 {
		line("raw size", fmt.Sprintf("%s, %.2f times the file's", sizeText(r.RawBytes), float64(r.RawBytes)/float64(r.Bytes)))
	}
	line("row counts", map[bool]string{false: "fixed", true: "varint"}[r.VarintRows])
	for _, m := range r.Metadata {
		line("metadata", visible(m.Key, escapeLines)+" = "+visible(m.Value, escapeLines))
	}
	for _, w := range r.Warnings {
		line("warning", visible(w, escapeLines))
	}
	return nil
}

// regionReport is a part of a file.
type regionReport struct {
	Pos   uint64 `json:"pos"`
	Bytes uint64 `json:"bytes"`
	Codec string `json:"codec,omitempty"`
	Name  string `json:"name"`
	// RawBytes is the length when decompressed, 0 if the file does not say.
	RawBytes uint32 `json:"rawBytes,omitempty"`
}

// regionsReport is parts of a file in some order.
type regionsReport struct {
	Regions []regionReport `json:"regions"`
}

func extentReport(name string, x tablet.Extent) regionReport {
	return regionReport{Pos: x.Pos, Bytes: uint64(x.Len), Codec: x.Codec.String(), Name: name, RawBytes: x.RawLen}
}

func (f *nimbleFile) reportSections() report {
	r := &regionsReport{Regions: []regionReport{}}
	for _, s := range f.nimble.Tablet().Footer().Sections {
		r.Regions = append(r.Regions, extentReport(s.Name, s.Extent))
	}
	return r
}

func (f *nimbleFile) reportLayout() report {
	t := f.nimble.Tablet()
	end, footer := t.Postscript(), t.Footer()
	r := &regionsReport{Regions: []regionReport{}}
	for i, s := range t.Stripes() {
		r.Regions = append(r.Regions, regionReport{Pos: s.Pos, Bytes: uint64(s.Len), Name: fmt.Sprintf("stripe %d (group %d)", i, s.Group)})
	}
	for i, g := range footer.Groups {
		r.Regions = append(r.Regions, extentReport(fmt.Sprintf("stripe group %d", i), g))
	}
	if footer.Directory.Len > 0 {
		r.Regions = append(r.Regions, extentReport("stripe directory", footer.Directory))
	}
	for _, s := range footer.Sections {
		r.Regions = append(r.Regions, extentReport("section "+s.Name, s.Extent))
	}
	endPos := t.Size() - tablet.PostscriptLen
	r.Regions = append(r.Regions,
		regionReport{Pos: endPos - uint64(end.FooterLen), Bytes: uint64(end.FooterLen), Codec: end.FooterCodec.String(), Name: "footer"},
		regionReport{Pos: endPos, Bytes: tablet.PostscriptLen, Name: "postscript"})
	slices.SortStableFunc(r.Regions, func(a, b regionReport) int {
		if a.Pos != b.Pos {
			if a.Pos < b.Pos {
				return -1
			}
			return 1
		}
		return 0
	})
	return r
}

func (r *regionsReport) print(c *console) error {
	g := newReportGrid(c, gridColumn{"position", true}, gridColumn{"bytes", true}, gridColumn{"raw bytes", true},
		gridColumn{"codec", false}, gridColumn{"what", false})
	for _, x := range r.Regions {
		raw := ""
		if x.RawBytes > 0 {
			raw = grouped(int64(x.RawBytes))
		}
		row := []cell{{text: grouped(int64(x.Pos))}, {text: grouped(int64(x.Bytes))}, {text: raw}, {text: x.Codec}, {text: x.Name}}
		if err := g.add(row); err != nil {
			return err
		}
	}
	return g.close()
}
