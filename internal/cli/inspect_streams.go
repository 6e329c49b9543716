package cli

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/tablet"
)

// stripeLine is where a stripe is.
type stripeLine struct {
	Stripe int    `json:"stripe"`
	Pos    uint64 `json:"pos"`
	Bytes  uint64 `json:"bytes"` // of its streams
	Rows   uint32 `json:"rows"`
	Group  uint32 `json:"group"`
}

type stripesReport struct {
	Stripes []stripeLine `json:"stripes"`
}

func (f *nimbleFile) reportStripes() (report, error) {
	r := &stripesReport{Stripes: []stripeLine{}}
	t := f.nimble.Tablet()
	for i, s := range t.Stripes() {
		group, err := t.Group(int(s.Group))
		if err != nil {
			return nil, err
		}
		line := stripeLine{Stripe: i, Pos: s.Pos, Rows: s.Rows, Group: s.Group}
		for id := range uint32(group.Streams()) {
			line.Bytes += group.Stream(i, id).Len
		}
		r.Stripes = append(r.Stripes, line)
	}
	return r, nil
}

func (r *stripesReport) print(c *console) error {
	g := newReportGrid(c, gridColumn{"stripe", true}, gridColumn{"position", true}, gridColumn{"bytes", true}, gridColumn{"rows", true}, gridColumn{"group", true})
	for _, s := range r.Stripes {
		row := []cell{
			{text: fmt.Sprint(s.Stripe)},
			{text: grouped(int64(s.Pos))},
			{text: grouped(int64(s.Bytes))},
			{text: grouped(int64(s.Rows))},
			{text: fmt.Sprint(s.Group)},
		}
		if err := g.add(row); err != nil {
			return err
		}
	}
	return g.close()
}

// stripesOf returns the stripes that are asked for: one, or all if it is negative.
func (f *nimbleFile) stripesOf(stripe int) (first, end int) {
	if stripe >= 0 {
		return stripe, stripe + 1
	}
	return 0, f.nimble.NumStripes()
}

// streamsReport is the streams of stripes.
type streamsReport struct {
	Stripes []numberedStripe `json:"stripes"`
}

type numberedStripe struct {
	Stripe int `json:"stripe"`
	stripeReport
}

func (f *nimbleFile) reportStreams(c *console, stripe int, stream int64) (report, error) {
	r := &streamsReport{Stripes: []numberedStripe{}}
	streams := f.nimble.Streams()
	if stream >= 0 {
		streams = slices.DeleteFunc(streams, func(s nimble.StreamInfo) bool { return int64(s.ID) != stream })
	}
	columns := make([]columnReport, len(f.nimble.Schema().Children))
	first, end := f.stripesOf(stripe)
	for i := first; i < end; i++ {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		s, err := f.inspectStripe(i, streams, columns)
		if err != nil {
			return nil, err
		}
		r.Stripes = append(r.Stripes, numberedStripe{i, s})
	}
	return r, nil
}

func (r *streamsReport) print(c *console) error {
	g := newReportGrid(c, gridColumn{"stripe", true}, gridColumn{"stream", true}, gridColumn{"position", true}, gridColumn{"bytes", true},
		gridColumn{"rows", true}, gridColumn{"of", false}, gridColumn{"part", false}, gridColumn{"encoding", false})
	for _, stripe := range r.Stripes {
		for _, s := range stripe.Streams {
			rows := 0
			for _, chunk := range s.Chunks {
				rows += chunk.Encoding.Rows
			}
			row := []cell{
				{text: fmt.Sprint(stripe.Stripe)},
				{text: fmt.Sprint(s.ID)},
				{text: grouped(int64(s.Pos))},
				{text: grouped(int64(s.Bytes))},
				{text: grouped(int64(rows))},
				{text: s.Path},
				{text: s.Part},
				{text: s.encodings()},
			}
			if err := g.add(row); err != nil {
				return err
			}
		}
	}
	return g.close()
}

// encodingLine is how much one encoding of one type is used.
type encodingLine struct {
	Kind  string `json:"kind"`
	Type  string `json:"type"`
	Codec string `json:"codec,omitempty"`
	Count int    `json:"count"`
	// Bytes are of the arrays without those below them.
	Bytes  uint64  `json:"bytes"`
	OfFile float64 `json:"ofFile"` // share of the file's bytes
}

type encodingsReport struct {
	Encodings []encodingLine `json:"encodings"`
}

func (f *nimbleFile) reportEncodings(c *console, stripe int) (report, error) {
	streams, err := f.reportStreams(c, stripe, -1)
	if err != nil {
		return nil, err
	}
	byKey := map[encodingLine]*encodingLine{}
	var count func(n *encodingReport)
	count = func(n *encodingReport) {
		key := encodingLine{Kind: n.Kind, Type: n.Type, Codec: n.Codec}
		if byKey[key] == nil {
			line := key
			byKey[key] = &line
		}
		line := byKey[key]
		line.Count++
		own := n.Bytes
		for _, child := range n.Children {
			own -= child.Bytes
			count(child)
		}
		line.Bytes += uint64(max(own, 0))
	}
	for _, s := range streams.(*streamsReport).Stripes {
		for _, stream := range s.Streams {
			for _, chunk := range stream.Chunks {
				count(chunk.Encoding)
			}
		}
	}
	r := &encodingsReport{Encodings: []encodingLine{}}
	for _, line := range byKey {
		line.OfFile = float64(line.Bytes) / float64(f.nimble.Tablet().Size())
		r.Encodings = append(r.Encodings, *line)
	}
	slices.SortFunc(r.Encodings, func(a, b encodingLine) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Codec, b.Codec))
	})
	return r, nil
}

func (r *encodingsReport) print(c *console) error {
	g := newReportGrid(c, gridColumn{"encoding", false}, gridColumn{"type", false}, gridColumn{"codec", false}, gridColumn{"arrays", true},
		gridColumn{"bytes", true}, gridColumn{"of file", true}, gridColumn{"bytes by encoding", false})
	most := uint64(1)
	for _, e := range r.Encodings {
		most = max(most, e.Bytes)
	}
	for _, e := range r.Encodings {
		row := []cell{
			{text: e.Kind},
			{text: e.Type},
			{text: e.Codec},
			{text: grouped(int64(e.Count))},
			{text: grouped(int64(e.Bytes))},
			{text: fmt.Sprintf("%.1f%%", 100*e.OfFile)},
			{text: bar(e.Bytes, most)},
		}
		if err := g.add(row); err != nil {
			return err
		}
	}
	return g.close()
}

// oneStream returns the stream that the command names.
func (f *nimbleFile) oneStream(cmd *inspectCommand) (plan *tablet.Plan, err error) {
	if cmd.Stream < 0 {
		return nil, usagef("%s needs --stream; decant inspect FILE streams lists them", cmd.What)
	}
	stripe := cmd.Stripe
	if stripe < 0 {
		if f.nimble.NumStripes() != 1 {
			return nil, usagef("%s needs --stripe: the file has %s", cmd.What, counted(int64(f.nimble.NumStripes()), "stripe"))
		}
		stripe = 0
	}
	t := f.nimble.Tablet()
	group, err := t.Group(int(t.Stripes()[stripe].Group))
	if err != nil {
		return nil, err
	}
	plan = &tablet.Plan{}
	plan.Reset(group, stripe, []uint32{uint32(cmd.Stream)})
	if plan.Size() == 0 {
		return nil, fmt.Errorf("stripe %d has no stream %d", stripe, cmd.Stream)
	}
	cmd.Stripe = stripe
	return plan, plan.Load(make([]byte, plan.Size()))
}

// chunkLine is a chunk of a stream.
type chunkLine struct {
	Chunk int    `json:"chunk"`
	Pos   uint64 `json:"pos"`
	Bytes int    `json:"bytes"` // with its header
	Rows  int    `json:"rows"`
	chunkReport
}

type chunksReport struct {
	Stripe int         `json:"stripe"`
	Stream int64       `json:"stream"`
	Chunks []chunkLine `json:"chunks"`
}

func (f *nimbleFile) reportChunks(cmd *inspectCommand) (report, error) {
	plan, err := f.oneStream(cmd)
	if err != nil {
		return nil, err
	}
	r := &chunksReport{Stripe: cmd.Stripe, Stream: cmd.Stream}
	stream := plan.Stream(0)
	reports, err := f.inspectChunks(stream, f.nimble.ChunkLimit(cmd.Stripe, len(stream)))
	if err != nil {
		return nil, err
	}
	pos := plan.Range(0).Pos
	for i, chunk := range reports {
		_, rest, err := tablet.CutChunk(stream)
		if err != nil {
			return nil, err
		}
		n := len(stream) - len(rest)
		r.Chunks = append(r.Chunks, chunkLine{Chunk: i, Pos: pos, Bytes: n, Rows: chunk.Encoding.Rows, chunkReport: chunk})
		pos += uint64(n)
		stream = rest
	}
	return r, nil
}

func (r *chunksReport) print(c *console) error {
	g := newReportGrid(c, gridColumn{"chunk", true}, gridColumn{"position", true}, gridColumn{"bytes", true}, gridColumn{"raw bytes", true},
		gridColumn{"rows", true}, gridColumn{"codec", false}, gridColumn{"encoding", false})
	for _, x := range r.Chunks {
		row := []cell{
			{text: fmt.Sprint(x.Chunk)},
			{text: grouped(int64(x.Pos))},
			{text: grouped(int64(x.Bytes))},
			{text: grouped(int64(x.RawBytes))},
			{text: grouped(int64(x.Rows))},
			{text: x.Codec},
			{text: x.Encoding.String()},
		}
		if err := g.add(row); err != nil {
			return err
		}
	}
	return g.close()
}

// bytesReport is the bytes of a stream as they are stored.
type bytesReport struct {
	Stripe int    `json:"stripe"`
	Stream int64  `json:"stream"`
	Pos    uint64 `json:"pos"`
	Hex    string `json:"hex"`

	data   []byte
	output string
}

func (f *nimbleFile) reportBytes(cmd *inspectCommand) (report, error) {
	plan, err := f.oneStream(cmd)
	if err != nil {
		return nil, err
	}
	data := plan.Stream(0)
	r := &bytesReport{Stripe: cmd.Stripe, Stream: cmd.Stream, Pos: plan.Range(0).Pos, data: data, output: cmd.Output}
	if cmd.JSON {
		r.Hex = hex.EncodeToString(data)
	}
	return r, nil
}

func (r *bytesReport) print(c *console) error {
	if r.output != "" {
		return convert.WriteFile(r.output, c.stdout, func(w io.Writer) error {
			_, err := w.Write(r.data)
			return err
		})
	}
	for at := 0; at < len(r.data); at += 16 {
		line := r.data[at:min(at+16, len(r.data))]
		text := make([]byte, len(line))
		for i, x := range line {
			text[i] = '.'
			if x >= ' ' && x <= '~' {
				text[i] = x
			}
		}
		if _, err := fmt.Fprintf(c.stdout, "%08x  % -47x  |%s|\n", r.Pos+uint64(at), line, text); err != nil {
			return err
		}
	}
	return nil
}
