package fn

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLike(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"b_c", "b_c", true},
		{"b_c", "bxc", true},
		{"b_c", "bc", false},
		{"b_c", "bxxc", false},
		{`b\_c`, "b_c", true},
		{`b\_c`, "bxc", false},
		{"", "", true},
		{"", "a", false},
		{"%", "", true},
		{"%", "abc", true},
		{"%%", "x", true},
		{"A%", "abc", true},
		{"%C", "abc", true},
		{"%b%", "ABC", true},
		{"a%c", "ac", true},
		{"a%c", "acb", false},
		{"%ab%ab%", "abab", true},
		{"%ab%ab%", "aba", false},
		{"_", "é", true},
		{"É%", "école", true},
		{"%ß", "straß", true},
		{`100\%`, "100%", true},
		{`100\%`, "1000", false},
		{`a\`, `a\`, true},
		{"%_c", "c", false},
		{"%_c", "bc", true},
		{"a_%", "a", false},
		{"%special%requests%", "the special requests", true},
	} {
		p := CompileLike(c.pattern, '\\')
		if got := p.Match([]byte(c.text)); got != c.want {
			t.Errorf("%q LIKE %q = %v, want %v", c.text, c.pattern, got, c.want)
		}
	}
}

// TestLikeIsARegularExpression compares with the standard library's expressions
// over a small alphabet, in which case matters.
func TestLikeIsARegularExpression(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringOfN(rapid.RuneFrom([]rune("aAbé%_")), 0, 8, -1).Draw(t, "pattern")
		text := rapid.StringOfN(rapid.RuneFrom([]rune("aAbBéÉ")), 0, 10, -1).Draw(t, "text")
		expr := strings.NewReplacer("%", ".*", "_", ".").Replace(pattern)
		want := regexp.MustCompile("(?is)^(?:" + expr + ")$").MatchString(text)
		p := CompileLike(pattern, '\\')
		if got := p.Match([]byte(text)); got != want {
			t.Fatalf("%q LIKE %q = %v, want %v", text, pattern, got, want)
		}
	})
}
