package convert

// nullTexts are the texts that stand for null where they are not quoted.
type nullTexts struct {
	texts   []string
	lengths uint64 // bit n: some text has n bytes; the last bit for longer ones
}

// newNullTexts returns the empty text and those given.
func newNullTexts(more []string) *nullTexts {
	n := &nullTexts{texts: append([]string{""}, more...)}
	for _, t := range n.texts {
		n.lengths |= 1 << min(len(t), 63)
	}
	return n
}

// match reports whether an unquoted text stands for null.
func (n *nullTexts) match(text []byte) bool {
	if n.lengths>>min(len(text), 63)&1 == 0 {
		return false
	}
	for _, t := range n.texts {
		if string(text) == t {
			return true
		}
	}
	return false
}

// printed returns what a null is written as.
func (n *nullTexts) printed() string {
	if len(n.texts) > 1 {
		return n.texts[1]
	}
	return ""
}
