package encoding

import "github.com/decantdb/decant/pool"

// readTable reads the array called part, of the given number of rows, as a
// whole, into memory that the caller gives back.
func readTable[T Physical](s *Session, part string, data []byte, rows int) (pool.Buf[T], error) {
	d, err := openPart[T](s, part, data, rows)
	if err != nil {
		return pool.Buf[T]{}, err
	}
	defer d.Close()
	table, err := hold[T](s, rows)
	if err != nil {
		return table, within(part, err)
	}
	if err := d.Read(table.S); err != nil {
		pool.Put(s.pool, &table)
		return table, within(part, err)
	}
	return table, nil
}

// blocking is how rows are cut into blocks of one size, of which the first may
// be shorter, and the last.
type blocking struct {
	rows, first, size int
}

// count returns the number of blocks.
func (g blocking) count() int { return 1 + (g.rows-g.first+g.size-1)/g.size }

// find returns the block of a row and the row's place in it.
func (g blocking) find(row int) (block, at int) {
	if row < g.first {
		return 0, row
	}
	return 1 + (row-g.first)/g.size, (row - g.first) % g.size
}

// blockRows returns the number of rows of a block.
func (g blocking) blockRows(block int) int {
	if block == 0 {
		return g.first
	}
	return min(g.size, g.rows-g.first-(block-1)*g.size)
}

// check returns an error unless the blocks are possible and of the given number.
func (g blocking) check(blocks int) error {
	if g.size < 1 || g.first < 1 || g.first > min(g.size, g.rows) {
		return corrupt("blocks of %d rows, the first of %d, for %d rows", g.size, g.first, g.rows)
	}
	if blocks != g.count() {
		return corrupt("%d blocks where %d are needed", blocks, g.count())
	}
	return nil
}
