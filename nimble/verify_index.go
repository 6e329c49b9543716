package nimble

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
)

// verify reads all of an index and compares its keys, with their rows, with those of
// the columns, unless these are in the index alone. What the columns themselves cannot
// be read for is not the index's error.
func (x *Index) verify(s *Session) error {
	seed := maphash.MakeSeed()
	var entry []byte
	// The order of the entries is the index's own, so sums of hashes are compared.
	hash := func(key []byte, row int64) uint64 {
		entry = binary.BigEndian.AppendUint64(append(entry[:0], key...), uint64(row))
		return maphash.Bytes(seed, entry)
	}
	var sum, n uint64
	err := x.find.each(func(key []byte, row int64) error {
		if row >= x.file.Rows() {
			return fmt.Errorf("%w: row %d of %d", ErrCorrupt, row, x.file.Rows())
		}
		sum += hash(key, row)
		n++
		return nil
	})
	if err == nil && n != x.Keys {
		err = fmt.Errorf("%w: %d keys instead of %d", ErrCorrupt, n, x.Keys)
	}
	if err != nil || slices.ContainsFunc(x.Columns, func(name string) bool { return slices.Contains(x.file.omitted, name) }) {
		return x.fail(err)
	}
	var columns []int
	for _, name := range x.Columns {
		columns = append(columns, x.file.root.typ.Field(name))
	}
	rows, err := x.file.Scan(ScanOptions{Columns: columns, Session: s})
	if err != nil {
		return x.fail(err)
	}
	defer rows.Close()
	row, key := int64(0), []byte(nil)
	for b, err := rows.Next(); err == nil; b, err = rows.Next() {
		for i := range b.N {
			if key, err = x.AppendKey(key[:0], b.Columns, i); err != nil {
				return x.fail(err)
			}
			sum -= hash(key, row)
			row++
		}
	}
	if row == x.file.Rows() && sum != 0 {
		return x.fail(fmt.Errorf("%w: its keys are not those of the rows", ErrCorrupt))
	}
	return nil
}

// last tests the last key of a chunk or a part, against what is said of it.
func last(what string, i int, got, want []byte) error {
	if !bytes.Equal(got, want) {
		return fmt.Errorf("%w: %s %d does not end with its last key", ErrCorrupt, what, i)
	}
	return nil
}

func (c *cluster) each(fn func(key []byte, row int64) error) error {
	row, before := int64(0), []byte(nil)
	for part := range c.root.Parts {
		keys, err := c.file.tablet.ClusterPart(c.root.Parts[part], c.root.PartRows[part])
		if err != nil {
			return err
		}
		for i := range keys.LastKeys {
			decoded, err := c.chunk(keys, i)
			if err != nil {
				return err
			}
			if row == 0 {
				before = c.root.Bounds[0]
			}
			if bytes.Compare(before, decoded[0]) > 0 || row == 0 && !bytes.Equal(before, decoded[0]) {
				return fmt.Errorf("%w: part %d chunk %d does not begin where the one before ends", ErrCorrupt, part, i)
			}
			for _, key := range decoded {
				if err := fn(key, row); err != nil {
					return err
				}
				row++
			}
			before = decoded[len(decoded)-1]
			if err := last("chunk", i, before, keys.LastKeys[i]); err != nil {
				return err
			}
		}
		if err := last("part", part, before, c.root.Bounds[part+1]); err != nil {
			return err
		}
	}
	return nil
}

func (h *hashed) each(fn func(key []byte, row int64) error) error {
	for part := range h.root.Parts {
		p, first, err := h.part(part)
		if err != nil {
			return err
		}
		for i := range len(p.BucketStart) - 1 {
			bucket := first + uint32(i)
			for j := p.BucketStart[i]; j < p.BucketStart[i+1]; j++ {
				if h.bucketOf(p.Keys[j]) != bucket {
					return fmt.Errorf("%w: a key in bucket %d is not of it", ErrCorrupt, bucket)
				}
				if err := fn(p.Keys[j], int64(p.Rows[j])); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (s *sorted) each(fn func(key []byte, row int64) error) error {
	var before []byte
	for i := range s.root.LastKeys {
		entries, err := s.chunk(&s.root.Keys, i)
		if err != nil {
			return err
		}
		if bytes.Compare(before, entries[0]) > 0 {
			return fmt.Errorf("%w: chunk %d begins before the end of the one before", ErrCorrupt, i)
		}
		var key []byte
		for _, e := range entries {
			var row int64
			if key, row, err = s.split(e); err == nil {
				err = fn(key, row)
			}
			if err != nil {
				return err
			}
		}
		before = entries[len(entries)-1]
		if err := last("chunk", i, key, s.root.LastKeys[i]); err != nil {
			return err
		}
	}
	return nil
}
