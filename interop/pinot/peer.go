package pinot

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Peer is a running Java half with the classes of one Pinot release. It belongs
// to one goroutine.
type Peer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers *bufio.Reader
}

// ErrPinot is wrapped by what Pinot itself answered with an exception.
var ErrPinot = errors.New("pinot")

// ClassPath returns the class path of the Java half for a release, such as
// "1.5.0", from the folder of this package. It must have been built with the
// script build.
func ClassPath(release string) (string, error) {
	dir, err := filepath.Abs(filepath.Join("..", "..", "dist", "pinot", release))
	if err != nil {
		return "", fmt.Errorf("class path: %w", err)
	}
	libraries, err := os.ReadFile(filepath.Join(dir, "classpath"))
	if err != nil {
		return "", fmt.Errorf("class path, made by interop/pinot/build %s: %w", release, err)
	}
	return filepath.Join(dir, "classes") + string(filepath.ListSeparator) + strings.TrimSpace(string(libraries)), nil
}

// StartPeer starts the Java half. What it prints besides answers goes to log.
func StartPeer(release string, log io.Writer) (*Peer, error) {
	path, err := ClassPath(release)
	if err != nil {
		return nil, err
	}
	p := &Peer{cmd: exec.Command("java", "-Xmx512m", "-XX:+UseSerialGC", "-cp", path, "decant.pinot.Peer")}
	p.cmd.Stderr = log
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("peer: %w", err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("peer: %w", err)
	}
	p.answers = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("peer: %w", err)
	}
	return p, nil
}

// Close ends the Java half.
func (p *Peer) Close() error {
	if err := p.in.Close(); err != nil {
		return fmt.Errorf("peer: %w", err)
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("peer: %w", err)
	}
	return nil
}

// Build returns the table that Pinot's builder makes of a description: JSON as
// the Java class TableWriter says. Like all methods it returns an error that
// wraps [ErrPinot] if Pinot throws.
func (p *Peer) Build(description json.RawMessage) ([]byte, error) {
	answer, err := p.ask(map[string]any{"build": description})
	return answer.Table, err
}

// BuildShape returns the serialized table of a shape, from a builder that keeps
// its row buffer or from Pinot's own.
func (p *Peer) BuildShape(s Shape, rows int, reuse bool) ([]byte, error) {
	answer, err := p.ask(map[string]any{"shape": s.Name, "rows": rows, "reuse": reuse})
	return answer.Table, err
}

// Read returns what Pinot's reader finds in a table, as the Java class
// TableReader says.
func (p *Peer) Read(table []byte) (json.RawMessage, error) {
	answer, err := p.ask(map[string]any{"read": table})
	return answer.Contents, err
}

type answer struct {
	Table    []byte
	Contents json.RawMessage
	Error    string
}

func (p *Peer) ask(request any) (answer, error) {
	var a answer
	text, err := json.Marshal(request)
	if err != nil {
		return a, fmt.Errorf("peer: %w", err)
	}
	if _, err := p.in.Write(append(text, '\n')); err != nil {
		return a, fmt.Errorf("peer: %w", err)
	}
	line, err := p.answers.ReadBytes('\n')
	if err != nil {
		return a, fmt.Errorf("peer: %w", err)
	}
	if err := json.Unmarshal(line, &a); err != nil {
		return a, fmt.Errorf("peer: %w", err)
	}
	if a.Error != "" {
		return a, fmt.Errorf("peer: %s: %w", a.Error, ErrPinot)
	}
	return a, nil
}
