package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

type catCommand struct {
	Columns []string `placeholder:"A,B" sep:"none" help:"Columns to print, in this order, or parts of them: a.b, m['key'], l[].b; names with a comma in \"double quotes\". All by default."`
	Rows    string   `placeholder:"FROM:TO" help:"Rows to print, counted from 0, TO left out: 10:20, 10: or :20. All by default."`
	Limit   *int64   `placeholder:"N" help:"The most rows to print."`
	Format  string   `enum:"table,csv,jsonl,arrow,arrows,parquet" default:"table" help:"How to print: ${enum}. The last three keep nested types; arrows is a stream."`
	Output  string   `short:"o" placeholder:"FILE" help:"Write to a file, which appears when it is complete."`
	Null    []string `placeholder:"TEXT" sep:"none" help:"Text that stands for null in CSV, read and written."`
	delimiterFlag
	statsFlag
	File string `arg:"" help:"Nimble, Parquet, Arrow, CSV or JSON lines file, or - for standard input; its content says which."`
}

// Help says more about the command.
func (catCommand) Help() string {
	return `A table is aligned by its first 1,000 rows, and printed as it is read. On a
terminal long texts are cut, and columns without room are named below. JSON
lines lose nothing: every value can be told from them exactly.

Examples:

    decant cat flights.nimble
    decant cat --columns carrier,flight,arr_delay --rows 10:20 flights.nimble
    decant cat --columns "user.name,features['7'],items[].price" --limit 5 events.nimble
    decant cat --format jsonl flights.nimble > flights.jsonl
    decant cat --format parquet -o january.parquet --rows :26998 flights.nimble`
}

// Run prints rows.
func (cmd *catCommand) Run(c *console) error {
	return cmd.measured(c.stderr, func() error { return cmd.print(c) })
}

func (cmd *catCommand) print(c *console) (err error) {
	begin, end, err := parseRows(cmd.Rows)
	if err != nil {
		return err
	}
	if cmd.Limit != nil {
		if *cmd.Limit < 0 {
			return usagef("--limit %d: want a number of rows", *cmd.Limit)
		}
		end = begin + min(*cmd.Limit, end-begin)
	}
	if sameFile(cmd.File, cmd.Output) {
		return usagef("--output %s: this is the file that is read", cmd.Output)
	}
	delimiter, err := cmd.byte()
	if err != nil {
		return err
	}
	src, err := convert.OpenSource(c.ctx, cmd.File, convert.Options{Nulls: cmd.Null, Delimiter: delimiter})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	if len(cmd.Columns) > 0 {
		if err := project(src, splitColumns(cmd.Columns)); err != nil {
			return err
		}
	}
	if begin > 0 && convert.SkipRows(src, begin) {
		begin, end = 0, end-begin
	}
	print := func(w io.Writer) error {
		sink, err := newSink(c, w, cmd.Format, src.Schema(), cmd.Null)
		if err != nil {
			return err
		}
		if err := copyRows(sink, src, begin, end); err != nil {
			return err
		}
		return sink.Close()
	}
	if cmd.Output == "" {
		return print(c.stdout)
	}
	return convert.WriteFile(cmd.Output, c.stdout, print)
}

// sameFile reports whether two names are of one file.
func sameFile(a, b string) bool {
	from, err1 := os.Stat(a)
	to, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(from, to)
}

// project makes src read the named columns, or parts of them, alone. A name means,
// as in a query, the column that has it or else the first that has it in any case.
func project(src convert.Source, names []string) error {
	known := src.Schema().Names
	columns, paths := make([]int, len(names)), make([]string, len(names))
	whole := true
	for i, name := range names {
		columns[i] = slices.Index(known, name)
		if columns[i] < 0 {
			columns[i] = slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
		}
		switch {
		case columns[i] >= 0:
			paths[i] = nimble.QuoteName(known[columns[i]])
		case strings.ContainsAny(name, `.["`):
			paths[i], whole = name, false
		default:
			return usagef("there is no column %q, but %s", name, strings.Join(known, ", "))
		}
	}
	if whole {
		return src.Project(columns)
	}
	err := convert.ProjectPaths(src, paths)
	if errors.Is(err, nimble.ErrSchema) {
		return usagef("--columns: %w", err)
	}
	return err
}

// parseRows reads FROM:TO.
func parseRows(text string) (begin, end int64, err error) {
	if text == "" {
		return 0, math.MaxInt64, nil
	}
	from, to, ok := strings.Cut(text, ":")
	begin, err1 := rowNumber(from, 0)
	end, err2 := rowNumber(to, math.MaxInt64)
	if !ok || err1 != nil || err2 != nil || begin > end {
		return 0, 0, usagef("--rows %s: want FROM:TO, such as 10:20", text)
	}
	return begin, end, nil
}

func rowNumber(text string, missing int64) (int64, error) {
	if text == "" {
		return missing, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil && n < 0 {
		err = fmt.Errorf("%d is negative", n)
	}
	return n, err
}

// copyRows writes rows begin up to end of src.
func copyRows(sink convert.Sink, src convert.Source, begin, end int64) error {
	for first := int64(0); first < end; {
		b, err := src.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		n := int64(b.N)
		from, to := max(begin-first, 0), min(end-first, n)
		first += n
		if from >= to {
			continue
		}
		part := vector.Batch{N: b.N, Columns: b.Columns}
		if from > 0 || to < n {
			sel := part.ReserveSel(int(to - from))
			for i := range sel {
				sel[i] = int32(from) + int32(i)
			}
		}
		if err := sink.Write(&part); err != nil {
			return err
		}
	}
	return nil
}
