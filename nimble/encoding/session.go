package encoding

import (
	"github.com/klauspost/compress/zstd"

	"github.com/decantdb/decant/pool"
	"github.com/decantdb/decant/vector"
)

// Session is what decoders share: a pool, free decoder nodes for each encoding
// and type, and scratch memory for the time of one call. Opening, reading and
// closing the same arrays again allocates nothing.
//
// A session and its decoders belong to one goroutine.
type Session struct {
	pool    *pool.Pool
	scratch scratch
	strings vector.Buffers
	zstd    *zstd.Decoder

	u8    family[Decoder[uint8]]
	u16   family[Decoder[uint16]]
	u32   family[Decoder[uint32]]
	u64   family[Decoder[uint64]]
	views family[Decoder[vector.View]]
	bools family[BoolDecoder]
	tree  tree
}

// tree is the state of opening one array with its children.
type tree struct {
	options     Options
	depth       int
	budgetBytes int
	node        *Node // of the array that is being opened, if they are described
}

// family is the encodings of one type: how to make a node of each, and the
// nodes that are free.
type family[N node] struct {
	types  string // the data types it holds, as error texts name them
	holds  [numDataTypes]bool
	create [numKinds]func(base) N
	free   [numKinds][]N
}

// NewSession returns a session whose memory comes from p, which may be nil.
func NewSession(p *pool.Pool) *Session {
	s := &Session{pool: p}
	s.register()
	return s
}

// Pool returns the session's pool.
func (s *Session) Pool() *pool.Pool { return s.pool }

// Release gives the session's scratch memory back to the pool and forgets free
// nodes. The session can be used again.
func (s *Session) Release() {
	for i := range s.scratch.blocks {
		pool.Put(s.pool, &s.scratch.blocks[i])
	}
	s.scratch = scratch{}
	s.u8.forget()
	s.u16.forget()
	s.u32.forget()
	s.u64.forget()
	s.views.forget()
	s.bools.forget()
}

func (f *family[N]) forget() { f.free = [numKinds][]N{} }

// familyOf returns the session's encodings of T.
func familyOf[T Physical](s *Session) *family[Decoder[T]] {
	var f any
	switch any((*T)(nil)).(type) {
	case *uint8:
		f = &s.u8
	case *uint16:
		f = &s.u16
	case *uint32:
		f = &s.u32
	case *uint64:
		f = &s.u64
	default:
		f = &s.views
	}
	return f.(*family[Decoder[T]])
}
