package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/internal/table"
)

// dataFlag is the directory of tables.
type dataFlag struct {
	Data string `placeholder:"DIR" default:"decant-data" env:"DECANT_DATA" help:"Directory of tables."`
}

type tableCommand struct {
	Create   tableCreateCommand   `cmd:"" help:"Make a table of a Pinot schema."`
	Add      tableAddCommand      `cmd:"" help:"Add the rows of files to a table."`
	List     tableListCommand     `cmd:"" help:"List the tables."`
	Describe tableDescribeCommand `cmd:"" help:"Show the columns and segments of a table."`
	Drop     tableDropCommand     `cmd:"" help:"Remove a table and its rows."`
}

type tableCreateCommand struct {
	dataFlag
	Schema string `required:"" placeholder:"FILE" help:"Pinot schema, as JSON."`
	Config string `placeholder:"FILE" help:"Pinot table config, as JSON. Its nullHandlingEnabled counts."`
	Name   string `arg:"" help:"Name of the table."`
}

// Help says more about the command.
func (tableCreateCommand) Help() string {
	return `The schema is one of Apache Pinot: field types, fields of several values, metrics,
times, default null values and maximal lengths. Nulls are kept if the schema has
enableColumnBasedNullHandling or the config nullHandlingEnabled; otherwise the
default null value of a field is stored in their place.

Example:

    decant table create trips --schema trips_schema.json
    decant table add trips 2013.csv 2014.parquet
    decant query --data decant-data "SELECT COUNT(*) FROM trips"`
}

// Run makes a table.
func (cmd *tableCreateCommand) Run(c *console) error {
	raw, err := os.ReadFile(cmd.Schema)
	if err != nil {
		return err
	}
	schema, err := table.ParseSchema(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", cmd.Schema, err)
	}
	var config *table.Config
	if cmd.Config != "" {
		if raw, err = os.ReadFile(cmd.Config); err != nil {
			return err
		}
		if config, err = table.ParseConfig(raw); err != nil {
			return fmt.Errorf("%s: %w", cmd.Config, err)
		}
	}
	data, err := table.OpenData(cmd.Data)
	if err != nil {
		return err
	}
	t, err := data.Create(cmd.Name, schema, config)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s: %s, nulls %s\n", t.Name, counted(int64(len(schema.Fields)), "field"), kept(t))
	return err
}

func kept(t *table.Table) string {
	if t.NullHandling() {
		return "kept"
	}
	return "stored as defaults"
}

type tableAddCommand struct {
	dataFlag
	Null  []string `placeholder:"TEXT" sep:"none" help:"Text that stands for null in CSV, besides the empty field."`
	Name  string   `arg:"" help:"Name of the table."`
	Files []string `arg:"" name:"file" help:"Nimble, Parquet, Arrow, CSV or JSON lines file; its content says which."`
}

// Help says more about the command.
func (tableAddCommand) Help() string {
	return `Columns are found by name. Those that the table does not have are left out, and
fields that a file does not have are null. Values become what the schema says, as
in Pinot: a NaN is null, decimals lose zeros at their end, texts end behind their
maximal length, and a text of CSV in a field of several values is several texts
with ; between them. Each file is a segment. All files are added, or none.`
}

// Run adds files.
func (cmd *tableAddCommand) Run(c *console) error {
	added, err := decant.AddFiles(c.ctx, decant.Options{Nulls: cmd.Null}, cmd.Data, cmd.Name, cmd.Files...)
	if err != nil {
		return err
	}
	for i, s := range added {
		if _, err := fmt.Fprintf(c.stdout, "%s: %s of %s\n", s.Name, counted(s.Rows, "row"), cmd.Files[i]); err != nil {
			return err
		}
	}
	return nil
}

type tableListCommand struct{ dataFlag }

// Run lists the tables.
func (cmd *tableListCommand) Run(c *console) error {
	data, err := table.OpenData(cmd.Data)
	if err != nil {
		return err
	}
	names, err := data.Names()
	if err != nil {
		return err
	}
	g := newReportGrid(c, gridColumn{"table", false}, gridColumn{"fields", true}, gridColumn{"segments", true}, gridColumn{"rows", true})
	for _, name := range names {
		t, err := data.Open(name)
		if errors.Is(err, table.ErrNotFound) {
			continue // dropped since
		}
		if err != nil {
			return err
		}
		segments, err := t.Segments()
		if err != nil {
			return err
		}
		rows := int64(0)
		for _, s := range segments {
			rows += s.Rows
		}
		row := texts(t.Name, fmt.Sprint(len(t.Schema.Fields)), fmt.Sprint(len(segments)), grouped(rows))
		if err := g.add(row); err != nil {
			return err
		}
	}
	return g.close()
}

// texts makes a row of a grid.
func texts(values ...string) []cell {
	row := make([]cell, len(values))
	for i, v := range values {
		row[i] = cell{text: v}
	}
	return row
}

type tableDescribeCommand struct {
	dataFlag
	JSON bool   `name:"json" help:"Print the schema and the config as Pinot has them, and the segments, as JSON."`
	Name string `arg:"" help:"Name of the table."`
}

// Run shows a table.
func (cmd *tableDescribeCommand) Run(c *console) error {
	data, err := table.OpenData(cmd.Data)
	if err != nil {
		return err
	}
	t, err := data.Open(cmd.Name)
	if err != nil {
		return err
	}
	segments, err := t.Segments()
	if err != nil {
		return err
	}
	if cmd.JSON {
		e := json.NewEncoder(c.stdout)
		e.SetIndent("", "  ")
		return e.Encode(map[string]any{"schema": t.Schema.Raw, "config": t.Config.Raw, "segments": slices.Concat([]table.Segment{}, segments)})
	}
	roles := [...]string{table.Dimension: "dimension", table.Metric: "metric", table.DateTime: "dateTime"}
	fields := newReportGrid(c, gridColumn{"field", false}, gridColumn{"type", false}, gridColumn{"role", false}, gridColumn{"in place of null", false})
	for _, f := range t.Schema.Fields {
		typ := f.Type.String()
		if f.Multi {
			typ += "[]"
		}
		if err := fields.add(texts(f.Name, typ, roles[f.Role], f.DefaultText())); err != nil {
			return err
		}
	}
	if err := fields.close(); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(c.stdout, "\nnulls %s\n\n", kept(t)); err != nil {
		return err
	}
	parts := newReportGrid(c, gridColumn{"segment", false}, gridColumn{"rows", true}, gridColumn{"bytes", true})
	for _, s := range segments {
		info, err := os.Stat(t.Path(s))
		if err != nil {
			return err
		}
		if err := parts.add(texts(s.Name, grouped(s.Rows), grouped(info.Size()))); err != nil {
			return err
		}
	}
	return parts.close()
}

type tableDropCommand struct {
	dataFlag
	Names []string `arg:"" name:"name" help:"Name of a table."`
}

// Run removes tables.
func (cmd *tableDropCommand) Run(c *console) error {
	data, err := table.OpenData(cmd.Data)
	if err != nil {
		return err
	}
	for _, name := range cmd.Names {
		if err := data.Drop(name); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(c.stdout, "dropped %s\n", strings.Join(cmd.Names, ", "))
	return err
}
