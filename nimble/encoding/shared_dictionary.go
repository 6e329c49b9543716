package encoding

import "github.com/decantdb/decant/vector"

// DictionaryScope says where a shared dictionary belongs.
type DictionaryScope uint8

// The scopes. 1 is not given out.
const (
	ScopeStripe   DictionaryScope = 0
	ScopeFile     DictionaryScope = 2
	ScopeExternal DictionaryScope = 3
)

// noDictionary is the id of no dictionary.
const noDictionary = 1<<32 - 1

// sharedDictionary is indices into an alphabet that several arrays share:
//
//	u8 scope | uvarint id | indices: array of u32, rows
//
// Options.Alphabet finds the alphabet: an array with a fixed row count.
type sharedDictionary[T Integer] struct {
	base
	alphabet alphabet[T]
}

func (d *sharedDictionary[T]) open(body []byte) error {
	if d.prefix.Type == Float || d.prefix.Type == Double {
		return unsupported("data type %v", d.prefix.Type)
	}
	in := input{data: body}
	scope := DictionaryScope(in.u8("scope"))
	id := in.uvarint32("dictionary id")
	if in.err != nil {
		return in.err
	}
	if scope == 1 || scope > ScopeExternal || id == noDictionary {
		return corrupt("dictionary %d of scope %d", id, scope)
	}
	if err := d.openAlphabet(scope, uint32(id)); err != nil {
		return within("alphabet", err)
	}
	return d.alphabet.open(&d.base, in.data)
}

func (d *sharedDictionary[T]) openAlphabet(scope DictionaryScope, id uint32) (err error) {
	t := &d.session.tree
	if t.options.Alphabet == nil {
		return unsupported("dictionary %d of scope %d without Options.Alphabet", id, scope)
	}
	source, err := t.options.Alphabet(scope, id)
	if err != nil {
		return err
	}
	// The alphabet is input as well, and its row counts have a form of their own.
	t.budgetBytes += bytesPerInput * len(source)
	varint := t.options.VarintRowCount
	t.options.VarintRowCount = false
	d.alphabet.source, err = openIn(d.session, familyOf[T](d.session), "alphabet", source, anyRows)
	t.options.VarintRowCount = varint
	return err
}

func (d *sharedDictionary[T]) Skip(n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	d.pos += n
	return d.childFail("indices", d.alphabet.indices.Skip(n))
}

func (d *sharedDictionary[T]) Read(dst []T) error {
	if err := d.need(len(dst)); err != nil {
		return err
	}
	return d.alphabet.read(&d.base, dst)
}

func (d *sharedDictionary[T]) ReadVec(dst *vector.Vec[T], n int) error {
	if err := d.need(n); err != nil {
		return err
	}
	return d.alphabet.readVec(&d.base, dst, n)
}

func (d *sharedDictionary[T]) readSel(dst []T, from, n int, sel []int32) error {
	return d.alphabet.readSel(&d.base, dst, from, n, sel)
}

func (d *sharedDictionary[T]) Rewind() {
	d.alphabet.indices.Rewind()
	d.pos = 0
}

func (d *sharedDictionary[T]) Close() {
	if d.stop() {
		d.alphabet.close(d.session)
		recycle[T](d)
	}
}
