package cli

import (
	"errors"
	"fmt"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/schollz/progressbar/v3"
)

type convertCommand struct {
	Null []string `placeholder:"TEXT" sep:"none" help:"Text that stands for null in CSV, besides the empty field. May be repeated; nulls are written as the first."`
	delimiterFlag
	Schema         string `placeholder:"DDL|@FILE" help:"Types of columns of CSV or JSON lines by name, such as \"zip VARCHAR, n BIGINT\", or a file that has them, one on a line or with commas. Others are inferred."`
	To             string `placeholder:"FORMAT" help:"Format of OUT: nimble, parquet, csv, jsonl, arrow or arrows (a stream of Arrow). By default the name says which."`
	IgnoreChecksum bool   `help:"Convert a Nimble file although its checksum differs."`
	statsFlag
	Progress bool   `negatable:"" default:"true" help:"Show progress on a terminal."`
	In       string `arg:"" help:"Nimble, Parquet, Arrow, CSV or JSON lines file, or - for standard input; its content says which."`
	Out      string `arg:"" help:"File to write. It appears when it is complete. With - it is standard output, which needs --to."`
}

// Help says more about the command.
func (convertCommand) Help() string {
	return `The types of columns of CSV and JSON lines are inferred from all of its rows, so that no
field loses its meaning: a column with 007, or with more digits than a BIGINT
holds, stays text. One that is not UTF-8 becomes VARBINARY, of the same bytes. An
unquoted empty field is null, and "" is an empty string.

A Nimble file is converted only if its checksum is right. What cat and query read
is not compared with it.

CSV is read and written with the same --delimiter; a file named .tsv has a tab by
itself. All records have as many fields as the header, and the names in it differ.

The types of --schema are ` + schemaTypes + `.
It is for CSV and JSON lines alone. A MAP in it makes a map of what else is a row:
an object of JSON is a ROW with all members that appear in it.

OUT appears only when it is complete; a file that was there before is replaced
then, and keeps its permissions and the symbolic links to it. Standard output, a
pipe or a device is written to as it is. IN is read twice, or from its end, so
that standard input is first copied to a temporary file. Memory stays bounded,
whatever the size of the files.

Examples:

    decant convert --null NA flights.csv flights.nimble
    decant convert flights.nimble flights.parquet
    zcat flights.csv.gz | decant convert - flights.nimble
    decant convert --to csv flights.nimble - | head
    decant convert --schema "zip VARCHAR, price DECIMAL(10,2)" shop.csv shop.nimble`
}

// Run converts a file.
func (cmd *convertCommand) Run(c *console) error {
	return cmd.measured(c.stderr, func() error { return cmd.convert(c) })
}

func (cmd *convertCommand) convert(c *console) error {
	o := convert.Options{Nulls: cmd.Null, IgnoreChecksum: cmd.IgnoreChecksum, Stdout: c.stdout}
	var err error
	if o.Delimiter, err = cmd.byte(); err != nil {
		return err
	}
	if cmd.To != "" {
		if o.To, err = convert.ParseFormat(cmd.To); err != nil {
			return usageError{err}
		}
	}
	if cmd.Schema != "" {
		if o.Schema, err = readSchema(cmd.Schema); err != nil {
			return err
		}
	}
	progress := newProgress(c.stderr, cmd.Progress && c.tty, "converting", progressbar.OptionShowBytes(true))
	stats, err := convert.Convert(c.ctx, cmd.In, cmd.Out, o, progress.update)
	progress.finish()
	if errors.Is(err, tablet.ErrChecksum) {
		return fmt.Errorf("checksum differs; run decant verify %s", cmd.In)
	}
	if err != nil {
		return err
	}
	for _, note := range stats.Notes {
		if _, err := fmt.Fprintf(c.stderr, "note: %s\n", visible(note, escapeLines)); err != nil {
			return err
		}
	}
	if c.tty {
		_, err = fmt.Fprintf(c.stderr, "%s: %s, %s in, %s out\n", cmd.Out,
			counted(stats.Rows, "row"), sizeText(uint64(stats.BytesIn)), sizeText(uint64(stats.BytesOut)))
	}
	return err
}
