package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/internal/endpoint"
	"github.com/decantdb/decant/internal/server"
)

type queryCommand struct {
	Format  string   `enum:"table,csv,jsonl,json,datatable" default:"table" help:"How to print: ${enum}. json is the response of a Pinot broker, datatable the bytes of a Pinot server (version 4)."`
	Null    []string `placeholder:"TEXT" sep:"none" help:"Text that stands for null in CSV, read and written."`
	Workers int      `placeholder:"N" help:"Goroutines that read. As many as there are processors by default."`
	statsFlag
	PinotDefaults bool     `help:"Ten rows unless LIMIT says otherwise, and no nulls, as in Pinot."`
	Data          string   `placeholder:"DIR" help:"Directory of tables that decant table has made, instead of files."`
	SQL           string   `arg:"" name:"sql" help:"Query in the dialect of Apache Pinot, or @FILE that has it."`
	Files         []string `arg:"" optional:"" name:"[name=]file" help:"Nimble, Parquet, Arrow, CSV or JSON lines file; its content says which. The table has the file's name without the extension, or NAME. A folder is its files named .nimble, .parquet, .csv or .jsonl. Several files of one name are one table."`
}

// noBound is a memory limit that is none: the command answers one query of its user.
const noBound = -1

// Help says more about the command.
func (queryCommand) Help() string {
	return `All rows are returned, and nulls are handled as in SQL. A table is aligned by its
first 1,000 rows and printed as rows come; on a terminal long texts are cut, and
columns without room are named below.

Examples:

    decant query "SELECT carrier, COUNT(*) AS n FROM flights GROUP BY carrier ORDER BY n DESC" flights.nimble
    decant query --format csv "SELECT * FROM trips WHERE dest = 'LAX'" trips=2013.parquet trips=2014.parquet
    decant query --null NA "SELECT AVG(arr_delay) FROM flights" flights.csv
    decant query @busiest.sql flights.nimble`
}

// Run asks a query.
func (cmd *queryCommand) Run(c *console) error {
	return cmd.measured(c.stderr, func() error { return cmd.ask(c) })
}

func (cmd *queryCommand) ask(c *console) (err error) {
	if cmd.Workers < 0 {
		return usagef("--workers %d: want a positive number", cmd.Workers)
	}
	if len(cmd.Files) == 0 && cmd.Data == "" {
		return usagef("no files given: write decant query SQL [NAME=]FILE..., or --data DIR")
	}
	if name, ok := strings.CutPrefix(cmd.SQL, "@"); ok {
		if cmd.SQL, err = readText(name); err != nil {
			return err
		}
	}
	o := decant.Options{Workers: cmd.Workers, Nulls: cmd.Null, PinotDefaults: cmd.PinotDefaults, QueryMemoryBytes: noBound, MemoryBytes: noBound}
	db, err := openTables(c.ctx, o, cmd.Data, cmd.Files)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.Query(c.ctx, cmd.SQL)
	if err != nil {
		return sqlError(err, cmd.SQL)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	if err := cmd.write(c, rows); err != nil {
		return sqlError(err, cmd.SQL)
	}
	if cmd.Stats {
		return printStats(c.stderr, rows.Stats())
	}
	return nil
}

// openTables opens the tables of a data directory, or files.
func openTables(ctx context.Context, o decant.Options, data string, files []string) (*decant.DB, error) {
	switch {
	case data == "":
		return decant.Open(ctx, o, files...)
	case len(files) > 0:
		return nil, usagef("--data %s and files: one of them", data)
	}
	if _, err := os.Stat(data); err != nil {
		return nil, err // it is not made by asking it
	}
	return decant.OpenData(ctx, o, data)
}

// write writes the answer in the format that was asked for.
func (cmd *queryCommand) write(c *console, rows *decant.Rows) error {
	switch cmd.Format {
	case "json":
		return server.WriteResponse(c.stdout, endpoint.AnswerOf(rows, "0", "decant"))
	case "datatable":
		return server.WriteDataTable(c.stdout, endpoint.AnswerOf(rows, "0", "decant"))
	}
	sink, err := newSink(c, c.stdout, cmd.Format, rows.Schema(), cmd.Null)
	if err != nil {
		return err
	}
	if err := copyAnswer(sink, rows); err != nil {
		return err
	}
	return sink.Close()
}

func copyAnswer(sink convert.Sink, rows *decant.Rows) error {
	for {
		b, err := rows.NextBatch()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := sink.Write(b); err != nil {
			return err
		}
	}
}

// printStats says what a query did.
func printStats(w io.Writer, s decant.Stats) error {
	_, err := fmt.Fprintf(w, "%s read in %s by %s, %s passed over, %s matched, %s returned, %s of scratch memory\n",
		counted(s.RowsRead, "row"), counted(int64(s.Splits), "split"), counted(int64(s.Workers), "worker"),
		grouped(s.RowsPruned), grouped(s.RowsMatched), grouped(s.RowsOut), sizeText(uint64(s.PoolBytes)))
	return err
}
