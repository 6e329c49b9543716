package cli

import (
	"fmt"
	"io"
	"os"
)

// textLimitBytes is the most that a text named on the command line as @FILE may
// have, a query or a schema.
const textLimitBytes = 16 << 20

// readText returns the text in a file.
func readText(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, textLimitBytes+1))
	if err == nil && len(text) > textLimitBytes {
		err = fmt.Errorf("%s: a text of more than %s", name, sizeText(textLimitBytes))
	}
	return string(text), err
}
