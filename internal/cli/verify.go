package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/pool"
)

// damagesShown is how many places of damage verify lists.
const damagesShown = 20

type verifyCommand struct {
	statsFlag
	File string `arg:"" help:"Nimble file."`
}

// Help says more about the command.
func (verifyCommand) Help() string {
	return `Compares the checksum, and decodes every value of every column. It exits with 1
when something is damaged or refused, and says where: the stripe, the stream, the
chunk and its place in the file. It looks on after the first.

Example:

    decant verify flights.nimble`
}

// Run checks a file.
func (cmd *verifyCommand) Run(c *console) error {
	return cmd.measured(c.stderr, func() error { return cmd.verify(c) })
}

func (cmd *verifyCommand) verify(c *console) (err error) {
	f, err := openNimble(cmd.File)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for _, w := range f.nimble.Warnings() {
		if _, err := fmt.Fprintf(c.stdout, "%s: warning: %s\n", cmd.File, visible(w, escapeLines)); err != nil {
			return err
		}
	}
	progress := newProgress(c.stderr, c.tty, "verifying")
	damages, err := f.nimble.Verify(c.ctx, nimble.NewSession(pool.New(pool.Options{})), progress.step)
	progress.finish()
	if err != nil {
		return err
	}
	if len(damages) > 0 {
		return fmt.Errorf("%s: %s", cmd.File, listed(damages))
	}
	_, err = fmt.Fprintf(c.stdout, "%s: ok: %s in %s, checksum %016x\n", cmd.File,
		counted(f.nimble.Rows(), "row"), counted(int64(f.nimble.NumStripes()), "stripe"),
		f.nimble.Tablet().Postscript().Checksum)
	return err
}

// listed joins what is damaged.
func listed(damages []error) string {
	if len(damages) == 1 {
		return damages[0].Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s", counted(int64(len(damages)), "place"))
	b.WriteString(" of damage")
	for i, d := range damages {
		if i == damagesShown {
			fmt.Fprintf(&b, "\n  and %d more", len(damages)-i)
			break
		}
		fmt.Fprintf(&b, "\n  %v", d)
	}
	return b.String()
}

// nimbleFile is an open Nimble file.
type nimbleFile struct {
	*os.File
	nimble *nimble.File
}

func openNimble(path string) (*nimbleFile, error) {
	f, err := convert.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	opened, err := readNimble(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return &nimbleFile{f, opened}, nil
}

// readNimble reads the end of a file. What is of another kind is named; what is of
// no kind that is known may be a damaged Nimble file, of which the package nimble
// says more.
func readNimble(f *os.File) (*nimble.File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return nil, errors.New("not a Nimble file (it is empty)")
	}
	content, err := convert.Recognize(f, info.Size(), f.Name())
	if err != nil {
		return nil, err
	}
	if content.Format != convert.FormatNimble && content.What != "" {
		return nil, fmt.Errorf("not a Nimble file (it is %s)", content.What)
	}
	return nimble.Open(f, info.Size(), nil)
}
