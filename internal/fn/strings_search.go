package fn

import (
	"bytes"
	"slices"
)

// searches is the family of functions that look for parts of texts, and take
// texts apart.
var searches = []Function{
	{Name: "strpos", Rows: either(
		takes(Int, rows(func(r *Row) error { r.I = int64(ordinalIndex(r, 1)); return nil }), String, String),
		takes(Int, rows(func(r *Row) error { r.I = int64(ordinalIndex(r, r.Int(2))); return nil }), String, String, Int),
	)},
	{Name: "strrpos", Rows: either(
		takes(Int, rows(lastIndex), String, String),
		takes(Int, rows(lastIndex), String, String, Int),
	)},
	{Name: "split", Alias: []string{"stringtoarray"}, Rows: either(
		takes(StringArray, rows(splitText), String, String),
		takes(StringArray, rows(splitText), String, String, Int),
	)},
	{Name: "splitpart", Rows: either(
		takes(String, rows(splitPart), String, String, Int),
		takes(String, rows(splitPart), String, String, Int, Int),
	)},
	{Name: "hammingdistance", Rows: takes(Int, rows(hammingDistance), String, String)},
	{Name: "levenshteindistance", Rows: takes(Int, rows(levenshteinDistance), String, String)},
	{Name: "prefixes", Rows: takes(StringArray, rows(affixes(true)), String, Int)},
	{Name: "suffixes", Rows: takes(StringArray, rows(affixes(false)), String, Int)},
	{Name: "prefixeswithprefix", Rows: takes(StringArray, rows(affixes(true)), String, Int, String)},
	{Name: "suffixeswithsuffix", Rows: takes(StringArray, rows(affixes(false)), String, Int, String)},
	{Name: "uniquengrams", Alias: []string{"generateuniquengrams"}, Rows: either(
		takes(StringArray, rows(uniqueNgrams), String, Int),
		takes(StringArray, rows(uniqueNgrams), String, Int, Int),
	)},
	{Name: "uniquengramsmv", Alias: []string{"generateuniquengramsmv"}, Rows: either(
		takes(StringArray, rows(uniqueNgrams), StringArray, Int),
		takes(StringArray, rows(uniqueNgrams), StringArray, Int, Int),
	)},
}

// ordinalIndex is the position of the nth occurrence, -1 if there is none.
func ordinalIndex(r *Row, n int64) int {
	text, part := r.Text(0), r.Text(1)
	if n <= 0 {
		return -1
	}
	at := -1
	for range n {
		if at >= 0 && len(part) == 0 {
			break
		}
		next := bytes.Index(text[at+1:], part)
		if next < 0 {
			return -1
		}
		at += 1 + next
	}
	return unitCount(text[:at])
}

// lastIndex searches backwards from the end or from a position.
func lastIndex(r *Row) error {
	u := unitsOf(r)
	u.a, u.b = appendUnits(u.a[:0], r.Text(0)), appendUnits(u.b[:0], r.Text(1))
	from := int64(len(u.a) - len(u.b))
	if r.Args() == 3 {
		from = min(from, r.Int(2))
	}
	r.I = -1
	for at := from; at >= 0; at-- {
		if err := r.Work(1 + len(u.b)/8); err != nil {
			return err
		}
		if slices.Equal(u.a[at:at+int64(len(u.b))], u.b) {
			r.I = at
			return nil
		}
	}
	return nil
}

// parts are the parts of a text between separators, of which several together
// count as one; most bounds their number unless it is 0.
func parts(text, separator []byte, most int64, visit func(part []byte)) {
	if len(text) == 0 {
		return
	}
	if len(separator) == 0 {
		for _, word := range bytes.Fields(text) {
			visit(word)
		}
		return
	}
	for n := int64(1); ; {
		at := bytes.Index(text, separator)
		if at < 0 {
			visit(text)
			return
		}
		if at > 0 {
			if n == most {
				visit(text)
				return
			}
			n++
			visit(text[:at])
		}
		text = text[at+len(separator):]
	}
}

func splitText(r *Row) error {
	most := int64(0)
	if r.Args() == 3 {
		most = r.Int(2)
	}
	parts(r.Text(0), r.Text(1), most, r.AddText)
	return nil
}

// splitPart gives one part; of four arguments the third bounds the parts.
func splitPart(r *Row) error {
	most, index := int64(0), r.Int(r.Args()-1)
	if r.Args() == 4 {
		most = r.Int(2)
	}
	n := int64(0)
	parts(r.Text(0), r.Text(1), most, func([]byte) { n++ })
	if index < 0 {
		index += n
	}
	if index < 0 || index >= n {
		r.Out = append(r.Out, "null"...)
		return nil
	}
	parts(r.Text(0), r.Text(1), most, func(part []byte) {
		if index == 0 {
			r.Out = append(r.Out, part...)
		}
		index--
	})
	return nil
}

func hammingDistance(r *Row) error {
	u := unitsOf(r)
	u.a, u.b = appendUnits(u.a[:0], r.Text(0)), appendUnits(u.b[:0], r.Text(1))
	if r.I = 0; len(u.a) != len(u.b) {
		r.I = -1
		return nil
	}
	for i := range u.a {
		r.I += bit(u.a[i] != u.b[i])
	}
	return nil
}

func levenshteinDistance(r *Row) error {
	u := unitsOf(r)
	u.a, u.b = appendUnits(u.a[:0], r.Text(0)), appendUnits(u.b[:0], r.Text(1))
	row := make([]int, len(u.b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range u.a {
		if err := r.Work(2 * len(u.b)); err != nil {
			return err
		}
		diagonal := row[0]
		row[0] = i + 1
		for j := range u.b {
			cost := diagonal + int(bit(u.a[i] != u.b[j]))
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	r.I = int64(row[len(u.b)])
	return nil
}

// affixes adds the first, or last, units of a text, one more each time, with a
// third argument outside of them.
func affixes(first bool) func(*Row) error {
	return func(r *Row) error {
		u := unitsOf(r)
		u.a = appendUnits(u.a[:0], r.Text(0))
		for n := 1; n <= len(u.a) && int64(n) <= r.Int(1) && !r.Full(); n++ {
			r.Out = r.Out[:0]
			if first && r.Args() == 3 {
				r.Out = append(r.Out, r.Text(2)...)
			}
			if first {
				r.Out = appendText(r.Out, u.a[:n])
			} else {
				r.Out = appendText(r.Out, u.a[len(u.a)-n:])
			}
			if !first && r.Args() == 3 {
				r.Out = append(r.Out, r.Text(2)...)
			}
			r.AddText(r.Out)
		}
		return nil
	}
}

// uniqueNgrams adds the distinct runs of some lengths, the shortest first.
func uniqueNgrams(r *Row) error {
	shortest := r.Int(1)
	longest := shortest
	if r.Args() == 3 {
		longest = r.Int(2)
	}
	seen := map[string]bool{}
	u := unitsOf(r)
	for n := max(1, shortest); n <= longest; n++ {
		before := len(seen)
		for i := range r.texts(0) {
			u.a = appendUnits(u.a[:0], r.textOf(0, i))
			for at := 0; int64(len(u.a)-at) >= n && !r.Full(); at++ {
				if err := r.Work(64 + int(n)); err != nil {
					return err
				}
				r.Out = appendText(r.Out[:0], u.a[at:at+int(n)])
				if !seen[string(r.Out)] {
					seen[string(r.Out)] = true
					r.AddText(r.Out)
				}
			}
		}
		if len(seen) == before {
			return nil
		}
	}
	return nil
}

// texts and textOf read an argument that is one text or an array of them.
func (r *Row) texts(arg int) int {
	if r.args[arg].list == nil {
		return 1
	}
	return r.Len(arg)
}

func (r *Row) textOf(arg, i int) []byte {
	if r.args[arg].list == nil {
		return r.Text(arg)
	}
	return r.TextAt(arg, i)
}
