package encoding

import "github.com/decantdb/decant/pool"

// What the decoders of a tree hold together, unless Options say otherwise.
const (
	bytesPerRow   = 64
	bytesPerInput = 16
	spareBytes    = 64 << 10
	// mostRows is how many of the declared rows count, since nothing backs them.
	mostRows = 1 << 20
)

// begin prepares for opening one tree.
func (s *Session) begin(data []byte, o Options) {
	if o.Strings == nil {
		o.Strings = &s.strings
	}
	s.tree = tree{options: o, budgetBytes: o.LimitBytes}
	if o.LimitBytes == 0 {
		s.tree.budgetBytes = bytesPerInput*len(data) + spareBytes
		if p, _, err := ReadPrefix(data, o.VarintRowCount); err == nil {
			s.tree.budgetBytes += bytesPerRow * min(p.Rows, mostRows)
		}
	}
}

// charge takes n bytes of what the tree that is being opened may hold.
func (s *Session) charge(n int) error {
	if n > s.tree.budgetBytes {
		return corrupt("%d bytes of memory exceed the %d that are left of the limit", n, s.tree.budgetBytes)
	}
	s.tree.budgetBytes -= n
	return nil
}

// hold returns pooled memory for n values of T as long as the decoder that is
// being opened lives.
func hold[T pool.Scalar](s *Session, n int) (pool.Buf[T], error) {
	if err := s.charge(n * sizeOf[T]()); err != nil {
		return pool.Buf[T]{}, err
	}
	return pool.Get[T](s.pool, n), nil
}
