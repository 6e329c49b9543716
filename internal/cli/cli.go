// Package cli is the command decant: one file for each of its commands, which
// read their arguments and hand them to the packages that do the work.
package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/decantdb/decant"
)

// What Run returns.
const (
	ExitOK          = 0
	ExitFailed      = 1   // the command failed, or found damage
	ExitUsage       = 2   // the command line makes no sense
	ExitInterrupted = 130 // as shells have it for SIGINT
)

const about = `Reads and writes Nimble files, and asks them questions in the SQL of Apache Pinot.

It exits with 0, with 1 when a command fails or finds damage, with 2 when the command line makes no sense, and with 130 when it is interrupted. Flags may stand before, between and after other arguments. "decant help COMMAND" and "decant COMMAND --help" say more about a command.`

type commands struct {
	Query     queryCommand     `cmd:"" help:"Ask files a question in SQL."`
	Convert   convertCommand   `cmd:"" help:"Turn CSV or Parquet into Nimble, and back."`
	Inspect   inspectCommand   `cmd:"" help:"Show the inside of a Nimble file."`
	Cat       catCommand       `cmd:"" help:"Print rows of a file."`
	Verify    verifyCommand    `cmd:"" help:"Check a Nimble file for damage."`
	Serve     serveCommand     `cmd:"" help:"Answer as a Pinot broker and controller, from files."`
	Table     tableCommand     `cmd:"" help:"Make, fill and list tables with a Pinot schema."`
	Datatable datatableCommand `cmd:"" help:"Print a DataTable of a Pinot server."`
	Version   versionCommand   `cmd:"" help:"Print the version."`
}

// console is where a command runs.
type console struct {
	ctx    context.Context
	stdout *bufio.Writer
	stderr io.Writer
	screen screen // of stdout
	tty    bool   // stderr is a terminal
}

// Run runs the command that args name, without the program's own name, until it
// is done or ctx ends. It returns the program's exit code. An error is written
// to stderr, once, after "decant: ".
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	helped := false
	var help bytes.Buffer
	parser, err := kong.New(
		&commands{},
		kong.Name("decant"),
		kong.Description(about),
		kong.Writers(&help, stderr),
		kong.Exit(func(int) { helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return fail(stderr, err, ExitFailed)
	}
	command, err := parser.Parse(arrange(parser.Model, args))
	switch {
	case helped:
		if _, err := help.WriteTo(stdout); err != nil {
			return fail(stderr, err, ExitFailed)
		}
		return ExitOK
	case err != nil:
		return fail(stderr, fmt.Errorf("%w (see decant %s)", err, helpOf(err)), ExitUsage)
	}
	c := &console{
		ctx: ctx, stdout: bufio.NewWriterSize(stdout, 64<<10), stderr: stderr,
		screen: screenOf(stdout), tty: screenOf(stderr).terminal,
	}
	// What was written before an error is shown before it.
	err = command.Run(c)
	if flushed := c.stdout.Flush(); err == nil {
		err = flushed
	}
	var usage usageError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &usage):
		return fail(stderr, err, ExitUsage)
	case ctx.Err() != nil:
		return fail(stderr, errors.New("interrupted"), ExitInterrupted)
	}
	return fail(stderr, err, ExitFailed)
}

// usageError is a mistake on the command line that the parser does not see.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// helpOf returns the arguments that show the help for what err is about.
func helpOf(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil && parse.Context.Selected() != nil {
		return parse.Context.Selected().Name + " --help"
	}
	return "--help"
}

// fail writes err and returns code. There is nobody to tell if that fails.
func fail(stderr io.Writer, err error, code int) int {
	message := strings.TrimPrefix(err.Error(), "decant: ")
	_, _ = fmt.Fprintf(stderr, "decant: %s\n", visible(message, keepLines))
	return code
}

// sqlError adds the line of the query, with a mark below, to what is wrong with
// it.
func sqlError(err error, query string) error {
	var at *decant.SQLError
	if !errors.As(err, &at) || at.Line < 1 || at.Column < 1 {
		return err
	}
	lines := strings.Split(query, "\n")
	if at.Line > len(lines) {
		return err
	}
	line := []rune(strings.TrimRight(lines[at.Line-1], "\r"))
	if at.Column > len(line)+1 {
		return err
	}
	// A tab before the mark stays one, so that the mark is where it belongs.
	margin := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, string(line[:at.Column-1]))
	return fmt.Errorf("%w\n  %s\n  %s^", err, string(line), margin)
}
