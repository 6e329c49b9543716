package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/vector"
)

type catCommand struct {
	Columns []string `placeholder:"A,B" help:"Columns to print, in this order. All by default."`
	Rows    string   `placeholder:"FROM:TO" help:"Rows to print, counted from 0, TO left out: 10:20, 10: or :20. All by default."`
	Format  string   `enum:"table,csv,jsonl" default:"table" help:"How to print: ${enum}."`
	Null    []string `placeholder:"TEXT" sep:"none" help:"Text that stands for null in CSV, read and written."`
	delimiterFlag
	File string `arg:"" help:"Nimble, Parquet or CSV file, or - for standard input; its content says which."`
}

// Help says more about the command.
func (catCommand) Help() string {
	return `A table is aligned by its first 1,000 rows, and printed as it is read. On a
terminal long texts are cut, and columns without room are named below. JSON
lines lose nothing: every value can be told from them exactly.

Examples:

    decant cat flights.nimble
    decant cat --columns carrier,flight,arr_delay --rows 10:20 flights.nimble
    decant cat --format jsonl flights.nimble > flights.jsonl`
}

// Run prints rows.
func (cmd *catCommand) Run(c *console) (err error) {
	begin, end, err := parseRows(cmd.Rows)
	if err != nil {
		return err
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
		if err := project(src, cmd.Columns); err != nil {
			return err
		}
	}
	sink, err := newSink(c, cmd.Format, src.Schema(), cmd.Null)
	if err != nil {
		return err
	}
	if err := copyRows(sink, src, begin, end); err != nil {
		return err
	}
	return sink.Close()
}

// project makes src read the named columns alone. A name means, as in a query, the
// column that has it or else the first that has it in any case.
func project(src convert.Source, names []string) error {
	known := src.Schema().Names
	columns := make([]int, len(names))
	for i, name := range names {
		columns[i] = slices.Index(known, name)
		if columns[i] < 0 {
			columns[i] = slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, name) })
		}
		if columns[i] < 0 {
			return usagef("there is no column %q, but %s", name, strings.Join(known, ", "))
		}
	}
	return src.Project(columns)
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
