package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// flights is the table that comes with the project.
const flights = "../../examples/flights.nimble"

// run runs a command line.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Run(context.Background(), args, &out, &errs)
	return out.String(), errs.String(), code
}

// mustRun runs a command line that must succeed in silence, and returns what it
// wrote.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := run(t, args...)
	if code != ExitOK || stderr != "" {
		t.Fatalf("decant %s: code %d, %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// write writes a file into a new folder.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExitCodes(t *testing.T) {
	csv, large := write(t, "t.csv", "a,b\n1,x\n"), write(t, "large.sql", "")
	if err := os.Truncate(large, textLimitBytes+1); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   []string
		code   int
		stderr string // part of it
	}{
		{"no command", nil, ExitOK, ""},
		{"help", []string{"query", "--help"}, ExitOK, ""},
		{"unknown command", []string{"frobnicate"}, ExitUsage, "frobnicate"},
		{"unknown flag", []string{"cat", "--colour", csv}, ExitUsage, "--colour"},
		{"missing argument", []string{"convert", csv}, ExitUsage, "decant convert --help"},
		{"wrong format", []string{"query", "--format", "xml", "SELECT 1", csv}, ExitUsage, "xml"},
		{"wrong rows", []string{"cat", "--rows", "5", csv}, ExitUsage, "FROM:TO"},
		{"unknown column", []string{"cat", "--columns", "c", csv}, ExitUsage, "a, b"},
		{"wrong schema", []string{"convert", "--schema", "a WHAT", csv, csv + ".nimble"}, ExitUsage, "WHAT"},
		{"missing file", []string{"cat", csv + ".no"}, ExitFailed, "t.csv.no"},
		{"not Nimble", []string{"inspect", csv}, ExitFailed, "t.csv"},
		{"unknown table", []string{"query", "SELECT a FROM u", csv}, ExitFailed, `"u", there is t`},
		{"negative workers", []string{"query", "--workers=-1", "SELECT a FROM t", csv}, ExitUsage, "--workers -1: want a positive number"},
		{"negative workers in two arguments", []string{"query", "SELECT a FROM t", csv, "--workers", "-1"}, ExitUsage, "--workers -1: want a positive number"},
		{"negative workers of serve", []string{"serve", "--workers", "-2", csv}, ExitUsage, "--workers -2: want a positive number"},
		{"negative port", []string{"serve", "--port", "-1", csv}, ExitUsage, "--port -1: want 0 to 65535"},
		{"port too large", []string{"serve", "--port", "65536", csv}, ExitUsage, "--port 65536: want 0 to 65535"},
		{"negative timeout", []string{"serve", "--timeout-ms", "-1", csv}, ExitUsage, "--timeout-ms -1: want a number"},
		{"negative limit", []string{"cat", "--limit", "-1", csv}, ExitUsage, "--limit -1: want a number of rows"},
		{"negative row", []string{"cat", "--rows", "-1:2", csv}, ExitUsage, "FROM:TO"},
		{"negative stripe", []string{"inspect", "--stripe", "-2", csv}, ExitUsage, "--stripe -2: want the number"},
		{"stream too large", []string{"inspect", "--stream", "4294967296", csv}, ExitUsage, "--stream 4294967296: want the number"},
		{"query file too large", []string{"query", "@" + large, csv}, ExitFailed, "a text of more than 16"},
		{"schema file too large", []string{"convert", "--schema", "@" + large, csv, csv + ".nimble"}, ExitFailed, "a text of more than 16"},
		{"flag without its value", []string{"query", "SELECT a FROM t", csv, "--workers"}, ExitUsage, "--workers"},
		{"no files", []string{"query", "SELECT a FROM t"}, ExitUsage, "no files given"},
		{"help for nothing", []string{"help", "frobnicate"}, ExitUsage, "frobnicate"},
	} {
		stdout, stderr, code := run(t, c.args...)
		if code != c.code {
			t.Errorf("%s: code %d, want %d", c.name, code, c.code)
		}
		if !strings.Contains(stderr, c.stderr) {
			t.Errorf("%s: stderr is %q, without %q", c.name, stderr, c.stderr)
		}
		if wrong := code != ExitOK; wrong && (strings.Count(stderr, "decant: ") != 1 || !strings.HasPrefix(stderr, "decant: ")) {
			t.Errorf("%s: stderr is %q, want one message after the program's name", c.name, stderr)
		} else if wrong && stdout != "" {
			t.Errorf("%s: stdout is %q", c.name, stdout)
		}
	}
}

func TestHelpHasExamples(t *testing.T) {
	for _, command := range []string{"query", "convert", "inspect", "cat", "verify", "datatable"} {
		if help := mustRun(t, command, "--help"); !strings.Contains(help, "    decant "+command+" ") {
			t.Errorf("the help of %s has no example:\n%s", command, help)
		}
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	code := Run(ctx, []string{"query", "SELECT COUNT(*) FROM flights", flights}, &out, &errs)
	if code != ExitInterrupted || errs.String() != "decant: interrupted\n" {
		t.Errorf("code %d, %q", code, errs.String())
	}
}

func TestHelpAndVersionByOtherNames(t *testing.T) {
	for _, c := range [][2][]string{
		{{}, {"--help"}},
		{{"help"}, {"--help"}},
		{{"help", "query"}, {"query", "--help"}},
		{{"--version"}, {"version"}},
	} {
		if got, want := mustRun(t, c[0]...), mustRun(t, c[1]...); got != want || got == "" {
			t.Errorf("%q writes\n%s\nand %q\n%s", c[0], got, c[1], want)
		}
	}
}

// full is a device without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestOutputThatFails(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"query", "--help"}, {"version"}, {"cat", flights}} {
		var errs bytes.Buffer
		code := Run(context.Background(), args, full{}, &errs)
		if code != ExitFailed || errs.String() != "decant: no room\n" {
			t.Errorf("%q: code %d, %q", args, code, errs.String())
		}
	}
}
