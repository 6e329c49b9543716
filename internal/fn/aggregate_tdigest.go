package fn

import (
	"encoding/binary"
	"math"
	"slices"
)

// maxCompression bounds the memory of a digest.
const maxCompression = 10_000

// tdigest is a merging t-digest: numbers near each other become one centroid, the
// fewer the nearer to the ends. See Dunning and Ertl, Computing extremely
// accurate quantiles using t-digests.
type tdigest struct {
	compression float64
	centroids   []centroid // merged, ascending
	buffer      []centroid // to be merged
	total       float64    // weight of centroids
	min, max    float64
	merges      int
}

type centroid struct{ mean, weight float64 }

func newTDigest(compression float64) *tdigest {
	return &tdigest{compression: max(compression, 10), min: math.Inf(1), max: math.Inf(-1)}
}

// bufferSize is how many numbers wait to be merged.
func (d *tdigest) bufferSize() int { return 5 * (2*int(math.Ceil(d.compression)) + 10) }

func (d *tdigest) add(x, weight float64) {
	if x != x { // a NaN has no place among numbers
		return
	}
	if len(d.buffer) >= d.bufferSize() {
		d.merge()
	}
	d.buffer = append(d.buffer, centroid{x, weight})
	d.min, d.max = min(d.min, x), max(d.max, x)
}

// merge merges the buffer into the centroids, from either end in turn.
func (d *tdigest) merge() {
	if len(d.buffer) == 0 {
		return
	}
	all := append(d.buffer, d.centroids...)
	slices.SortStableFunc(all, func(a, b centroid) int { return compareDoubles(a.mean, b.mean) })
	backwards := d.merges%2 == 1
	if backwards {
		slices.Reverse(all)
	}
	d.merges++
	d.total = 0
	for _, c := range all {
		d.total += c.weight
	}
	scale := d.compression / (math.Pi * d.total)
	d.centroids = append(d.centroids[:0], all[0])
	before := 0.0
	for _, c := range all[1:] {
		last := &d.centroids[len(d.centroids)-1]
		weight := last.weight + c.weight
		z := weight * scale
		q0, q2 := before/d.total, (before+weight)/d.total
		if z*z <= q0*(1-q0) && z*z <= q2*(1-q2) {
			last.weight = weight
			last.mean += (c.mean - last.mean) * c.weight / weight
			continue
		}
		before += last.weight
		d.centroids = append(d.centroids, c)
	}
	if backwards {
		slices.Reverse(d.centroids)
	}
	d.buffer = all[:0]
}

// quantile returns the number at a fraction q of all, between centroids in
// proportion. It is NaN if there are none.
func (d *tdigest) quantile(q float64) float64 {
	d.merge()
	c := d.centroids
	switch len(c) {
	case 0:
		return math.NaN()
	case 1:
		return c[0].mean
	}
	index := q * d.total
	if index < c[0].weight/2 {
		return d.min + 2*index/c[0].weight*(c[0].mean-d.min)
	}
	before := c[0].weight / 2
	for i := range len(c) - 1 {
		step := (c[i].weight + c[i+1].weight) / 2
		if before+step > index {
			return between(c[i].mean, before+step-index, c[i+1].mean, index-before)
		}
		before += step
	}
	last := c[len(c)-1]
	z1 := index - d.total - last.weight/2
	return between(last.mean, last.weight/2-z1, d.max, z1)
}

// between returns the mean of a and b, which is not less, by their weights, and
// nothing outside them.
func between(a, wa, b, wb float64) float64 {
	x := (a*wa + b*wb) / (wa + wb)
	return max(a, min(x, b))
}

// append appends the digest in the form that its library calls verbose:
//
//	i32 1 | f64 min | f64 max | f64 compression | i32 centroids | { f64 weight | f64 mean }
//
// all big-endian.
func (d *tdigest) append(dst []byte) []byte {
	d.merge()
	dst = binary.BigEndian.AppendUint32(dst, 1)
	for _, x := range []float64{d.min, d.max, d.compression} {
		dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(x))
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(d.centroids)))
	for _, c := range d.centroids {
		dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(c.weight))
		dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(c.mean))
	}
	return dst
}

// digestState is a digest for each group, made when the group has a value.
func digestState(compression float64, put func(d *tdigest, r *Row)) State {
	take := func(d **tdigest) *tdigest {
		if *d == nil {
			*d = newTDigest(compression)
		}
		return *d
	}
	return &perGroup[*tdigest]{
		add: func(d **tdigest, r *Row) error { take(d).add(r.Float(0), 1); return nil },
		merge: func(d, o **tdigest) error {
			if *o == nil {
				return nil
			}
			(*o).merge()
			for _, c := range (*o).centroids {
				take(d).add(c.mean, c.weight)
			}
			d0 := take(d)
			d0.min, d0.max = min(d0.min, (*o).min), max(d0.max, (*o).max)
			return nil
		},
		result: func(d **tdigest, r *Row) error {
			put(take(d), r)
			return nil
		},
		size: func(d **tdigest) int {
			if *d == nil {
				return 0
			}
			return 16 * (cap((*d).buffer) + cap((*d).centroids))
		},
	}
}
