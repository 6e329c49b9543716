package fn

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// qdigest is a digest of quantiles of integers: a binary tree over their bits, in
// which inner nodes stand only where two values part. See Shrivastava et al.,
// Medians and Beyond.
type qdigest struct {
	root     *qnode
	total    float64
	min, max int64
}

// qnode is a value, its sign bit turned so that bits ascend with values, and how
// often it was there. At a level above 0 it has the values of its children that
// they have given up.
type qnode struct {
	bits        uint64
	weight      float64
	level       int // of the bit, from 1, at which the children part
	left, right *qnode
}

const (
	// qdigestError is the greatest error, as a part of all values.
	qdigestError = 0.05
	signBit      = 1 << 63
)

// newQDigest makes a digest of values in the order in which they came.
func newQDigest(values []float64) *qdigest {
	d := &qdigest{min: math.MaxInt64, max: math.MinInt64}
	for _, v := range values {
		d.add(longBits(v))
	}
	d.compress()
	return d
}

func (d *qdigest) add(x int64) {
	d.min, d.max, d.total = min(d.min, x), max(d.max, x), d.total+1
	b := uint64(x) ^ signBit
	at := &d.root
	for *at != nil {
		n := *at
		if (n.bits^b)>>n.level != 0 {
			parent := &qnode{bits: n.bits, level: bits.Len64(n.bits ^ b)}
			*parent.child(n.bits), *parent.child(b) = n, &qnode{bits: b, weight: 1}
			*at = parent
			return
		}
		if n.level == 0 {
			n.weight++
			return
		}
		at = n.child(b)
	}
	*at = &qnode{bits: b, weight: 1}
}

// child returns the place of the child on the way to a value.
func (n *qnode) child(b uint64) **qnode {
	if b>>(n.level-1)&1 == 0 {
		return &n.left
	}
	return &n.right
}

// compress lets nodes take in children that are few beside all values.
func (d *qdigest) compress() {
	if d.root == nil {
		return
	}
	factor := max(1, float64(int(float64(d.root.level+1)/qdigestError)))
	d.root = d.root.compress(math.Floor(d.total / factor))
}

// compress returns what is left of the node: nothing, or itself, or the one child
// it has.
func (n *qnode) compress(few float64) *qnode {
	if n == nil || n.level == 0 {
		return n
	}
	n.left, n.right = n.left.compress(few), n.right.compress(few)
	if sum := n.weight + n.left.own() + n.right.own(); sum < few {
		n.weight = sum
		n.left, n.right = n.left.give(), n.right.give()
	}
	switch {
	case n.weight != 0 || n.left != nil && n.right != nil:
		return n
	case n.left != nil:
		return n.left
	}
	return n.right
}

func (n *qnode) own() float64 {
	if n == nil {
		return 0
	}
	return n.weight
}

// give empties a node and returns what is left of it.
func (n *qnode) give() *qnode {
	if n == nil {
		return nil
	}
	n.weight = 0
	switch {
	case n.left != nil && n.right != nil:
		return n
	case n.left != nil:
		return n.left
	}
	return n.right
}

// append appends the digest, all numbers big-endian:
//
//	f64 error | f64 alpha = 0 | i64 landmark | i64 min | i64 max | i32 nodes | nodes
//	node: u8 1 has left, 2 has right | u8 level | u64 bits | f64 weight
//
// Children come before their node. The landmark, from when on weights would
// decay, means nothing where alpha is 0, and is 0.
func (d *qdigest) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(qdigestError))
	dst = append(dst, make([]byte, 16)...)
	dst = binary.BigEndian.AppendUint64(dst, uint64(d.min))
	dst = binary.BigEndian.AppendUint64(dst, uint64(d.max))
	dst = binary.BigEndian.AppendUint32(dst, uint32(d.root.count()))
	return d.root.append(dst)
}

func (n *qnode) count() int {
	if n == nil {
		return 0
	}
	return n.left.count() + n.right.count() + 1
}

func (n *qnode) append(dst []byte) []byte {
	if n == nil {
		return dst
	}
	dst = n.right.append(n.left.append(dst))
	flags := byte(0)
	if n.left != nil {
		flags |= 1
	}
	if n.right != nil {
		flags |= 2
	}
	dst = append(dst, flags, byte(n.level))
	dst = binary.BigEndian.AppendUint64(dst, n.bits)
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(n.weight))
}
