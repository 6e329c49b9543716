package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/vector"
)

// fileReport is what inspect says of a file, and the form of its JSON.
type fileReport struct {
	File     string         `json:"file"`
	Bytes    uint64         `json:"bytes"`
	Rows     int64          `json:"rows"`
	Version  string         `json:"version"`
	Checksum string         `json:"checksum"`
	Schema   string         `json:"schema"`
	Metadata []pairReport   `json:"metadata,omitempty"`
	Warnings []string       `json:"warnings,omitempty"`
	Columns  []columnReport `json:"columns"`
	Stripes  []stripeReport `json:"stripes"`
}

type pairReport struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type columnReport struct {
	Name  string       `json:"name"`
	Type  string       `json:"type"`
	Bytes uint64       `json:"bytes"` // of its streams
	Stats *statsReport `json:"stats,omitempty"`
}

type statsReport struct {
	Values       uint64 `json:"values"`
	Nulls        uint64 `json:"nulls"`
	LogicalBytes uint64 `json:"logicalBytes"`
	Least        string `json:"least,omitempty"`
	Greatest     string `json:"greatest,omitempty"`
}

type stripeReport struct {
	Rows    uint32         `json:"rows"`
	Pos     uint64         `json:"pos"`
	Bytes   uint64         `json:"bytes"` // of its streams
	Streams []streamReport `json:"streams"`
}

type streamReport struct {
	ID     uint32        `json:"id"`
	Path   string        `json:"path"`
	Part   string        `json:"part"`
	Pos    uint64        `json:"pos"`
	Bytes  uint64        `json:"bytes"`
	Chunks []chunkReport `json:"chunks"`
}

type chunkReport struct {
	Codec    string          `json:"codec,omitempty"` // of the chunk as a whole
	RawBytes int             `json:"rawBytes"`
	Encoding *encodingReport `json:"encoding"`
	// Error says why the encoding cannot be looked into; then only what the array
	// begins with is known of it.
	Error string `json:"error,omitempty"`
}

type encodingReport struct {
	Part     string            `json:"part,omitempty"` // to its parent
	Kind     string            `json:"kind"`
	Type     string            `json:"type"`
	Rows     int               `json:"rows"`
	Bytes    int               `json:"bytes"`
	Codec    string            `json:"codec,omitempty"`
	Children []*encodingReport `json:"children,omitempty"`
}

// String returns the tree on one line, such as RLE(lengths: Trivial+zstd, …).
func (r *encodingReport) String() string {
	text := r.Kind
	if r.Codec != "" {
		text += "+" + r.Codec
	}
	if len(r.Children) == 0 {
		return text
	}
	parts := make([]string, len(r.Children))
	for i, child := range r.Children {
		parts[i] = child.Part + ": " + child.String()
	}
	return text + "(" + strings.Join(parts, ", ") + ")"
}

// inspect reads all streams of a file.
func (f *nimbleFile) inspect(c *console) (*fileReport, error) {
	t := f.nimble.Tablet()
	end := t.Postscript()
	schema := f.nimble.Schema()
	r := &fileReport{
		File: f.Name(), Bytes: t.Size(), Rows: f.nimble.Rows(),
		Version:  fmt.Sprintf("%d.%d", end.Major, end.Minor),
		Checksum: fmt.Sprintf("%016x", end.Checksum),
		Schema:   schema.String(), Warnings: f.nimble.Warnings(),
		Columns: []columnReport{}, Stripes: []stripeReport{},
	}
	for _, m := range f.nimble.Metadata() {
		r.Metadata = append(r.Metadata, pairReport(m))
	}
	for i, typ := range schema.Children {
		stats, err := reportStats(typ, f.nimble.ColumnStats(i))
		if err != nil {
			return nil, err
		}
		r.Columns = append(r.Columns, columnReport{Name: schema.Names[i], Type: typ.String(), Stats: stats})
	}
	streams := f.nimble.Streams()
	for i := range t.Stripes() {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		stripe, err := f.inspectStripe(i, streams, r.Columns)
		if err != nil {
			return nil, err
		}
		r.Stripes = append(r.Stripes, stripe)
	}
	return r, nil
}

// inspectStripe describes the streams of a stripe and adds their sizes to the
// columns.
func (f *nimbleFile) inspectStripe(number int, streams []nimble.StreamInfo, columns []columnReport) (stripeReport, error) {
	t := f.nimble.Tablet()
	s := t.Stripes()[number]
	r := stripeReport{Rows: s.Rows, Pos: s.Pos, Streams: []streamReport{}}
	group, err := t.Group(int(s.Group))
	if err != nil {
		return r, err
	}
	for _, info := range streams {
		var plan tablet.Plan
		plan.Reset(group, number, []uint32{info.ID})
		if plan.Size() == 0 {
			continue
		}
		if err := plan.Load(make([]byte, plan.Size())); err != nil {
			return r, err
		}
		chunks, err := f.inspectChunks(plan.Stream(0), f.nimble.ChunkLimit(number, int(plan.Size())))
		if err != nil {
			return r, fmt.Errorf("stripe %d stream %d: %w", number, info.ID, err)
		}
		r.Streams = append(r.Streams, streamReport{
			ID: info.ID, Path: info.Path, Part: info.Part,
			Pos: plan.Range(0).Pos, Bytes: plan.Size(), Chunks: chunks,
		})
		r.Bytes += plan.Size()
		if info.Column >= 0 {
			columns[info.Column].Bytes += plan.Size()
		}
	}
	return r, nil
}

// inspectChunks describes the chunks of a stream, of which a compressed one may
// have limitBytes once it is raw.
func (f *nimbleFile) inspectChunks(stream []byte, limitBytes int) ([]chunkReport, error) {
	var reports []chunkReport
	for len(stream) > 0 {
		chunk, rest, err := tablet.CutChunk(stream)
		if err != nil {
			return nil, err
		}
		r := chunkReport{RawBytes: chunk.RawLen}
		array := chunk.Payload
		if chunk.Codec != tablet.Raw {
			r.Codec = chunk.Codec.String()
			if err := tablet.CheckLimit(chunk.RawLen, limitBytes); err != nil {
				return nil, err
			}
			array = make([]byte, chunk.RawLen)
			if err := chunk.Decode(array); err != nil {
				return nil, err
			}
		}
		node, err := encoding.Describe(array, encoding.Options{VarintRowCount: f.nimble.VarintRowCounts()})
		if errors.Is(err, encoding.ErrUnsupported) {
			prefix, _, prefixErr := encoding.ReadPrefix(array, f.nimble.VarintRowCounts())
			node = &encoding.Node{Kind: prefix.Kind, DataType: prefix.Type, Rows: prefix.Rows, SizeBytes: len(array)}
			r.Error, err = err.Error(), prefixErr
		}
		if err != nil {
			return nil, fmt.Errorf("chunk %d: %w", len(reports), err)
		}
		r.Encoding = reportEncoding(node)
		reports = append(reports, r)
		stream = rest
	}
	return reports, nil
}

func reportEncoding(n *encoding.Node) *encodingReport {
	r := &encodingReport{
		Part: n.Part, Kind: n.Kind.String(), Type: n.DataType.String(), Rows: n.Rows, Bytes: n.SizeBytes,
	}
	if n.Compression != encoding.Uncompressed {
		r.Codec = n.Compression.String()
	}
	for _, child := range n.Children {
		r.Children = append(r.Children, reportEncoding(child))
	}
	return r
}

// reportStats returns what the statistics say of a column, nil if nothing.
func reportStats(t *nimble.Type, s *nimble.ColumnStats) (*statsReport, error) {
	if s == nil {
		return nil, nil
	}
	r := &statsReport{Values: s.Values, Nulls: s.Nulls, LogicalBytes: s.LogicalBytes}
	if !s.Bounded {
		return r, nil
	}
	v, err := boundsVector(t, s)
	if v == nil || err != nil {
		return r, err
	}
	text, err := convert.NewText(nimble.RowOf([]string{""}, []*nimble.Type{t}), convert.PlainText)
	if err != nil {
		return nil, err
	}
	if err := text.Render(&vector.Batch{N: 2, Columns: []vector.Vector{v}}); err != nil {
		return nil, err
	}
	least, _ := text.Cell(0, 0)
	greatest, _ := text.Cell(1, 0)
	r.Least, r.Greatest = string(least), string(greatest)
	return r, nil
}

// boundsVector returns the least and the greatest value as rows of a column of
// type t, nil if such columns have no bounds.
func boundsVector(t *nimble.Type, s *nimble.ColumnStats) (vector.Vector, error) {
	v, err := vector.Make(nil, nimble.VectorKind(t.Kind))
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *vector.Vec[int8]:
		appendBounds(v, int8(s.MinInt), int8(s.MaxInt))
	case *vector.Vec[int16]:
		appendBounds(v, int16(s.MinInt), int16(s.MaxInt))
	case *vector.Vec[int32]:
		appendBounds(v, int32(s.MinInt), int32(s.MaxInt))
	case *vector.Vec[int64]:
		appendBounds(v, s.MinInt, s.MaxInt)
	case *vector.Vec[float32]:
		appendBounds(v, float32(s.MinFloat), float32(s.MaxFloat))
	case *vector.Vec[float64]:
		appendBounds(v, s.MinFloat, s.MaxFloat)
	case *vector.Vec[vector.View]:
		vector.AppendString(v, []byte(s.MinString))
		vector.AppendString(v, []byte(s.MaxString))
	default:
		return nil, nil
	}
	return v, nil
}

func appendBounds[T vector.Value](v *vector.Vec[T], least, greatest T) {
	v.Append(least)
	v.Append(greatest)
}
