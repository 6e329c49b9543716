package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"golang.org/x/term"
)

// screen is what is known of where output goes.
type screen struct {
	terminal bool
	styled   bool // the terminal shows bold and faint text
	width    int  // in cells, 0 if it does not matter
}

// screenOf looks at what w is.
func screenOf(w io.Writer) screen {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return screen{}
	}
	s := screen{terminal: true, styled: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil {
		s.width = width
	}
	return s
}

var (
	boldStyle  = lipgloss.NewStyle().Bold(true)
	faintStyle = lipgloss.NewStyle().Faint(true)
)

func (s screen) bold(text string) string  { return s.render(boldStyle, text) }
func (s screen) faint(text string) string { return s.render(faintStyle, text) }

func (s screen) render(style lipgloss.Style, text string) string {
	if !s.styled || text == "" {
		return text
	}
	return style.Render(text)
}

// lineEnds says what visible does with line ends.
type lineEnds bool

const (
	escapeLines lineEnds = false
	keepLines   lineEnds = true
)

// visible returns text with escapes in the place of what would move the cursor
// or change the terminal's state, and of bytes that are not UTF-8.
func visible(text string, ends lineEnds) string {
	plain := true
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case ends == keepLines && (r == '\n' || r == '\t'):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// cells returns how wide text is on a screen.
func cells(text string) int {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return lipgloss.Width(text)
		}
	}
	return len(text)
}
