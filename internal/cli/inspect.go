package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

type inspectCommand struct {
	JSON   bool   `name:"json" help:"Print all of it as one JSON document."`
	Stripe int    `placeholder:"N" default:"-1" help:"Only this stripe, for streams, encodings, chunks and bytes."`
	Stream int64  `placeholder:"ID" default:"-1" help:"Only this stream, for streams; needed for chunks and bytes."`
	Output string `short:"o" placeholder:"FILE" help:"Where bytes go as they are, - for standard output, instead of being shown."`
	File   string `arg:"" help:"Nimble file."`
	What   string `arg:"" optional:"" enum:"overview,info,schema,stripes,streams,layout,sections,stats,encodings,index,chunks,bytes" default:"overview" help:"What to show: ${enum}."`
}

// Help says more about the command.
func (inspectCommand) Help() string {
	return `Shows the inside of a file:

    overview    the columns with their size in the file and what the statistics say,
                the stripes, and each stream with its size and its encodings
    info        versions, sizes, counts, checksum, metadata
    schema      the tree of types with the numbers of their streams
    stripes     where each stripe is, and its rows
    streams     the streams of each stripe: place, size, rows, encodings
    layout      all parts of the file in the order of their bytes
    sections    the optional sections
    stats       what the file says of each type's values
    encodings   how often each encoding is used, and for how many bytes
    index       the indexes
    chunks      the chunks of one stream, with --stripe and --stream
    bytes       the bytes of one stream, likewise, as hexadecimal or to --output

Encodings are trees:

    Nullable(data: Dictionary(alphabet: Varint, indices: FixedBitWidth+Zstd), presence: RLE(run lengths: Varint))

+Zstd and +LZ4 mean that an encoding's bytes are compressed. A codec before a tree,
such as zstd:, compresses the chunk as a whole, and | separates the trees of chunks
that differ.

Examples:

    decant inspect flights.nimble
    decant inspect flights.nimble streams --stripe 0
    decant inspect flights.nimble bytes --stripe 0 --stream 7 | head
    decant inspect --json flights.nimble | jq '.stripes[0].streams[0]'`
}

// report is what inspect shows: a value whose JSON is the document.
type report interface {
	// print writes the report for people.
	print(c *console) error
}

// Run shows a file.
func (cmd *inspectCommand) Run(c *console) (err error) {
	switch { // -1 is none, as by default
	case cmd.Stripe < -1:
		return usagef("--stripe %d: want the number of a stripe", cmd.Stripe)
	case cmd.Stream < -1 || cmd.Stream > math.MaxUint32:
		return usagef("--stream %d: want the number of a stream", cmd.Stream)
	}
	f, err := openNimble(cmd.File)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if n := f.nimble.NumStripes(); cmd.Stripe >= n {
		return usagef("--stripe %d: the file has %s", cmd.Stripe, counted(int64(n), "stripe"))
	}
	r, err := f.reportOf(c, cmd)
	if err != nil {
		return fmt.Errorf("%s: %w", cmd.File, err)
	}
	if cmd.JSON {
		enc := json.NewEncoder(c.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	return r.print(c)
}

// reportOf makes the report that the command asks for.
func (f *nimbleFile) reportOf(c *console, cmd *inspectCommand) (report, error) {
	switch cmd.What {
	case "info":
		return f.reportInfo()
	case "schema":
		return f.reportSchema()
	case "stripes":
		return f.reportStripes()
	case "streams":
		return f.reportStreams(c, cmd.Stripe, cmd.Stream)
	case "layout":
		return f.reportLayout(), nil
	case "sections":
		return f.reportSections(), nil
	case "stats":
		return f.reportAllStats()
	case "encodings":
		return f.reportEncodings(c, cmd.Stripe)
	case "index":
		return f.reportIndex()
	case "chunks":
		return f.reportChunks(cmd)
	case "bytes":
		return f.reportBytes(cmd)
	}
	return f.inspect(c)
}

// print writes a report for people.
func (r *fileReport) print(c *console) error {
	fmt.Fprintf(c.stdout, "%s: %s, %s, %s, %s\n", visible(r.File, escapeLines), counted(r.Rows, "row"),
		counted(int64(len(r.Columns)), "column"), counted(int64(len(r.Stripes)), "stripe"), sizeText(r.Bytes))
	fmt.Fprintf(c.stdout, "format %s, checksum %s\n", r.Version, r.Checksum)
	for _, m := range r.Metadata {
		fmt.Fprintf(c.stdout, "%s = %s\n", visible(m.Key, escapeLines), visible(m.Value, escapeLines))
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(c.stdout, "warning: %s\n", visible(w, escapeLines))
	}
	fmt.Fprintln(c.stdout)
	if err := r.printColumns(c); err != nil {
		return err
	}
	for i := range r.Stripes {
		if err := r.Stripes[i].print(c, i); err != nil {
			return err
		}
	}
	return nil
}

// newReportGrid returns a table without bounds on its width.
func newReportGrid(c *console, columns ...gridColumn) *grid {
	return newGrid(c.stdout, screen{styled: c.screen.styled}, columns)
}

// printColumns draws where the bytes go.
func (r *fileReport) printColumns(c *console) error {
	g := newReportGrid(c, gridColumn{"column", false}, gridColumn{"type", false}, gridColumn{"size", true},
		gridColumn{"of all", true}, gridColumn{barTitle, false}, gridColumn{"nulls", true},
		gridColumn{"least", false}, gridColumn{"greatest", false})
	total, most := uint64(0), uint64(1)
	for _, col := range r.Columns {
		total += col.Bytes
		most = max(most, col.Bytes)
	}
	for _, col := range r.Columns {
		row := []cell{
			{text: col.Name},
			{text: col.Type},
			{text: sizeText(col.Bytes)},
			{text: fmt.Sprintf("%.1f%%", 100*float64(col.Bytes)/math.Max(1, float64(total)))},
			{text: bar(col.Bytes, most)},
			{text: "?"},
			{},
			{},
		}
		if s := col.Stats; s != nil {
			row[5].text = grouped(int64(s.Nulls))
			row[6].text, row[7].text = shortened(s.Least), shortened(s.Greatest)
		}
		if err := g.add(row); err != nil {
			return err
		}
	}
	return g.close()
}

const (
	barCells = 16
	barTitle = "size by column  " // as wide as barCells
)

// bar draws part of whole in eighths of a cell.
func bar(part, whole uint64) string {
	eighths := int(math.Round(8 * barCells * float64(part) / float64(whole)))
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text
}

// shortened cuts a bound that is too long for a table.
func shortened(text string) string {
	const most = 24
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

func (s *stripeReport) print(c *console, number int) error {
	fmt.Fprintf(c.stdout, "\nstripe %d: %s, %s at byte %s\n", number,
		counted(int64(s.Rows), "row"), sizeText(s.Bytes), grouped(int64(s.Pos)))
	g := newReportGrid(c, gridColumn{"stream", true}, gridColumn{"of", false}, gridColumn{"part", false},
		gridColumn{"size", true}, gridColumn{"chunks", true}, gridColumn{"encoding", false})
	for _, st := range s.Streams {
		row := []cell{
			{text: fmt.Sprint(st.ID)},
			{text: st.Path},
			{text: st.Part},
			{text: sizeText(st.Bytes)},
			{text: fmt.Sprint(len(st.Chunks))},
			{text: st.encodings()},
		}
		if err := g.add(row); err != nil {
			return err
		}
	}
	return g.close()
}

// encodings returns the trees of a stream's chunks, each once.
func (s *streamReport) encodings() string {
	const most = 3
	var trees []string
	seen := map[string]bool{}
	for _, chunk := range s.Chunks {
		tree := chunk.Encoding.String()
		if chunk.Error != "" {
			tree += " (" + chunk.Error + ")"
		}
		if chunk.Codec != "" {
			tree = chunk.Codec + ": " + tree
		}
		if !seen[tree] {
			seen[tree] = true
			trees = append(trees, tree)
		}
	}
	if more := len(trees) - most; more > 0 {
		trees = append(trees[:most], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(trees, " | ")
}
