package cli

import (
	"strings"
	"unicode/utf8"
)

// delimiterFlag is the flag of the commands that read CSV.
type delimiterFlag struct {
	Delimiter string `placeholder:"CHARACTER" help:"Character between the fields of CSV, or tab. By default a comma, or a tab where the name ends in .tsv."`
}

// byte returns the character, 0 if none was given.
func (f delimiterFlag) byte() (byte, error) {
	switch text := f.Delimiter; {
	case text == "":
		return 0, nil
	case text == "tab", text == `\t`:
		return '\t', nil
	case len(text) > 1 || text[0] >= utf8.RuneSelf || strings.Contains("\"\r\n\x00", text):
		return 0, usagef("--delimiter %q: want one ASCII character that is no quote and no line end, or tab", text)
	default:
		return text[0], nil
	}
}
