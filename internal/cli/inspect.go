package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

type inspectCommand struct {
	JSON bool   `name:"json" help:"Print all of it as JSON."`
	File string `arg:"" help:"Nimble file."`
}

// Help says more about the command.
func (inspectCommand) Help() string {
	return `Shows the columns with their size in the file and what the statistics say, the
stripes, and each stream with its size and the tree of its encodings:

    Nullable(data: Dictionary(alphabet: Varint, indices: FixedBitWidth+Zstd), presence: RLE(run lengths: Varint))

+Zstd and +LZ4 mean that an encoding's bytes are compressed. A codec before a tree,
such as zstd:, compresses the chunk as a whole, and | separates the trees of chunks
that differ.

Examples:

    decant inspect flights.nimble
    decant inspect --json flights.nimble | jq '.stripes[0].streams[0]'`
}

// Run shows a file.
func (cmd *inspectCommand) Run(c *console) (err error) {
	f, err := openNimble(cmd.File)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	report, err := f.inspect(c)
	if err != nil {
		return fmt.Errorf("%s: %w", cmd.File, err)
	}
	if cmd.JSON {
		enc := json.NewEncoder(c.stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(report)
	}
	return report.print(c)
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
