package convert

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/decantdb/decant/nimble"
)

// columnGuess is what is known of a column so far.
type columnGuess struct {
	guess // of all values but missing
	// missing is a text that, but for its meaning, makes text of a column that
	// has other values of a type: in others' files it stands for null.
	missing     string
	missingLine int
	bytesLine   int // of the first field that is not UTF-8, 0 if all are
}

// missingTexts are texts that people and programs write in the place of null.
var missingTexts = []string{
	"NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "Null", "null", "None", "nil", "nan", "-", "--", "?", ".", `\N`,
}

// add widens the guess so that it holds column col of b. The fields of b are
// UTF-8 if isText says so.
func (g *columnGuess) add(b *block, col int, nulls *nullTexts, isText bool) {
	fields := b.column(col)
	for row, i := 0, 0; row < b.rows && g.kind != guessVarchar; row, i = row+1, i+b.columns {
		f := &fields[i]
		switch text := b.bytes(f); {
		case f.quoted:
			g.kind = guessVarchar
		case !nulls.match(text) && (g.missing == "" || string(text) != g.missing):
			before := g.guess
			g.guess.add(text)
			if g.kind == guessVarchar && g.missing == "" && slices.Contains(missingTexts, string(text)) {
				g.guess, g.missing, g.missingLine = before, string(text), b.lineOf(row, col)
			}
		}
	}
	if isText || g.bytesLine > 0 {
		return
	}
	for row, i := 0, 0; row < b.rows; row, i = row+1, i+b.columns {
		f := &fields[i]
		if text := b.bytes(f); !utf8.Valid(text) && (f.quoted || !nulls.match(text)) {
			g.bytesLine = b.lineOf(row, col)
			return
		}
	}
}

// typ returns the narrowest type of all values.
func (g *columnGuess) typ() *nimble.Type {
	switch {
	case g.bytesLine > 0:
		t := &nimble.Type{Kind: nimble.Varbinary}
		setAttribute(t, TextKey, bytesText)
		return t
	case g.missing != "":
		return &nimble.Type{Kind: nimble.Varchar}
	}
	return g.guess.typ()
}

// note says what is surprising in the type of a column of that name, "" if
// nothing is.
func (g *columnGuess) note(name string) string {
	switch {
	case g.bytesLine > 0:
		return fmt.Sprintf("column %s is VARBINARY because it is not UTF-8 in line %d", name, g.bytesLine)
	case g.missing != "" && g.kind != guessNothing && g.kind != guessVarchar:
		return fmt.Sprintf("column %s is VARCHAR because of %q in line %d; --null %s would read it as null",
			name, g.missing, g.missingLine, shellWord(g.missing))
	}
	return ""
}

// shellWord returns one of missingTexts as it is written in a shell.
func shellWord(text string) string {
	if strings.ContainsAny(text, `?#<>\`) {
		return "'" + text + "'"
	}
	return text
}

// inferRows is how many records are looked at at a time.
const inferRows = 4096

// inferTypes reads the records of src to the end and returns, for each column
// that has no type in known, the narrowest one that holds all its values, and
// notes on types that may surprise.
func inferTypes(src *splitter, nulls *nullTexts, names []string, known []*nimble.Type) (types []*nimble.Type, notes []string, err error) {
	guesses := make([]columnGuess, len(known))
	for {
		b, err := src.next(inferRows)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		isText := utf8.Valid(b.text)
		for col := range guesses {
			if known[col] == nil {
				guesses[col].add(b, col, nulls, isText)
			}
		}
	}
	types = slices.Clone(known)
	for col, t := range types {
		if t != nil {
			continue
		}
		types[col] = guesses[col].typ()
		if note := guesses[col].note(names[col]); note != "" {
			notes = append(notes, note)
		}
	}
	return types, notes, nil
}
