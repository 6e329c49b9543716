package nimble

import (
	"fmt"
	"sync"

	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
	"github.com/decantdb/decant/pool"
)

// sharedDictionaries are the dictionaries that several streams of a file share.
type sharedDictionaries struct {
	file     *File
	refs     map[uint32]tablet.DictionaryRef // by stream
	blobs    map[uint32]tablet.DictionaryBlob
	external func(id uint32) ([]byte, error)

	mu     sync.Mutex
	loaded map[uint32][]byte // blobs
}

// openDictionaries reads the list of the file's shared dictionaries, nil if it has
// none.
func (f *File) openDictionaries(external func(id uint32) ([]byte, error)) error {
	list, err := f.tablet.Dictionaries()
	if err != nil || len(list.Refs) == 0 {
		return err
	}
	d := &sharedDictionaries{
		file: f, refs: map[uint32]tablet.DictionaryRef{}, blobs: map[uint32]tablet.DictionaryBlob{},
		external: external, loaded: map[uint32][]byte{},
	}
	for _, ref := range list.Refs {
		d.refs[ref.Stream] = ref
	}
	for _, b := range list.Blobs {
		d.blobs[b.ID] = b
	}
	f.dicts = d
	return nil
}

// blob returns a dictionary of the file.
func (d *sharedDictionaries) blob(id uint32) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if data, ok := d.loaded[id]; ok {
		return data, nil
	}
	data, err := d.file.tablet.Dictionary(d.blobs[id])
	if err == nil {
		d.loaded[id] = data
	}
	return data, err
}

// alphabetOf returns what finds the alphabet of a stream's values, nil if they have
// none in common with others. Where it is another stream of the stripe, that
// becomes one of b's.
func (b *builder) alphabetOf(id uint32) func(encoding.DictionaryScope, uint32) ([]byte, error) {
	if b.dicts == nil {
		return nil
	}
	ref, ok := b.dicts.refs[id]
	if !ok {
		return nil
	}
	var stripe *alphabetStream
	if ref.Scope == tablet.DictionaryOfStripe {
		stripe = &alphabetStream{cursor: cursor{id: ref.ID}, pool: b.session.Pool()}
		b.add(ref.ID, stripe)
	}
	dicts := b.dicts
	return func(scope encoding.DictionaryScope, dictionary uint32) ([]byte, error) {
		if uint8(scope) != ref.Scope || dictionary != ref.ID {
			return nil, fmt.Errorf("%w: dictionary %d of scope %d, where the file lists %d of scope %d", encoding.ErrCorrupt, dictionary, scope, ref.ID, ref.Scope)
		}
		switch {
		case stripe != nil:
			return stripe.array()
		case ref.Scope == tablet.DictionaryOfFile:
			return dicts.blob(ref.ID)
		case dicts.external == nil:
			return nil, fmt.Errorf("%w: dictionary %d is not in the file; OpenOptions.Dictionary finds such", encoding.ErrUnsupported, ref.ID)
		}
		return dicts.external(ref.ID)
	}
}

// alphabetStream is a stream that holds an alphabet, in one chunk.
type alphabetStream struct {
	cursor
	pool *pool.Pool
	held pool.Buf[byte]
	data []byte // the encoded array, once it is asked for
}

func (s *alphabetStream) begin(stripe int, data []byte, r tablet.Range, limit int) {
	s.close()
	s.start(stripe, data, r, limit)
}

func (s *alphabetStream) close() {
	pool.Put(s.pool, &s.held)
	s.data = nil
}

// finish has nothing to report: an alphabet has no rows of the stripe.
func (s *alphabetStream) finish() error { return nil }

func (s *alphabetStream) array() ([]byte, error) {
	if s.data != nil {
		return s.data, nil
	}
	if s.absent {
		return nil, fmt.Errorf("%w: the stripe has no stream %d for the alphabet", encoding.ErrCorrupt, s.id)
	}
	chunk, err := s.next()
	if err == nil && len(s.rest) > 0 {
		err = s.corrupt("an alphabet in several chunks")
	}
	if err != nil {
		return nil, err
	}
	if s.data = chunk.Payload; chunk.Codec == tablet.Raw {
		return s.data, nil
	}
	s.data = nil
	if err := tablet.CheckLimit(chunk.RawLen, s.limit); err != nil {
		return nil, s.fail(err)
	}
	s.held = pool.Get[byte](s.pool, chunk.RawLen)
	if err := chunk.Decode(s.held.S); err != nil {
		return nil, s.fail(err)
	}
	s.data = s.held.S
	return s.data, nil
}
