package encoding

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/decantdb/decant/pool"
)

// ALP holds floats that are decimals as integers, scaled by a power of ten: for
// exponent e and factor f the value is integer * 10^f / 10^e. What that does
// not give back bit by bit is an exception: 0 among the integers, and listed
// apart.
//
//	prefix | u24: exponent, 5 bits; factor, 5 bits; 6 bits 0; exceptions, 1 bit; 0
//	       | uvarint exceptions (only if any)
//	       | uvarint size | zigzag integers
//	       | uvarint size | positions | uvarint size | values   (only if any)

// encodeSampleRows is how many rows exponent and factor are chosen by.
const encodeSampleRows = 1024

// encodeScale is a choice of exponent and factor.
type encodeScale struct{ exponent, factor int }

// encodeALPInteger returns the integer for the float with the given bits, in zigzag
// form. It is 0 where ok is false: the float is an exception.
func encodeALPInteger[T Integer](bits T, s encodeScale) (zigzag uint64, ok bool) {
	v := encodeALPFloat(bits)
	scaled := v * powersOfTen[s.exponent]
	if !(scaled >= -(1<<63) && scaled <= 1<<63) { // NaN too
		return 0, false
	}
	rounded := math.Round(scaled / powersOfTen[s.factor])
	if rounded >= 1<<63 {
		return 0, false
	}
	q := int64(rounded)
	back := float64(q) * powersOfTen[s.factor] / powersOfTen[s.exponent]
	if encodeALPBits[T](back) != bits {
		return 0, false
	}
	return uint64(q<<1) ^ uint64(q>>63), true
}

// encodeALPFloat returns the float with the given bits, of 4 or 8 bytes.
func encodeALPFloat[T Integer](bits T) float64 {
	if sizeOf[T]() == 4 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(uint64(bits))
}

// encodeALPBits returns the bits of v as a float of T's width.
func encodeALPBits[T Integer](v float64) T {
	if sizeOf[T]() == 4 {
		return T(math.Float32bits(float32(v)))
	}
	return T(math.Float64bits(v))
}

// encodeALPChoose returns the scale that holds most of the sample, the first of equal
// ones.
func encodeALPChoose[T Integer](sample []T) encodeScale {
	var best encodeScale
	bestCount := 0
	for e := range powersOfTen {
		for f := range e + 1 {
			s := encodeScale{exponent: e, factor: f}
			count := 0
			for i, bits := range sample {
				if _, ok := encodeALPInteger(bits, s); ok {
					count++
				} else if count+len(sample)-i-1 <= bestCount {
					break
				}
			}
			if count > bestCount {
				best, bestCount = s, count
			}
			if bestCount == len(sample) {
				return best
			}
		}
	}
	return best
}

func isFloat(dt DataType) bool { return dt == Float || dt == Double }

func estimateALP[T Integer](st *stats[T]) (uint64, bool) {
	if !isFloat(st.dt) || st.rows() == 0 {
		return 0, false
	}
	return estimateALPOf(st.e, st.values), true
}

// estimateALPOf is the size of floats in ALP, reckoned from a sample of them.
func estimateALPOf[T Integer](e *Encoder, values []T) uint64 {
	n, count := uint64(len(values)), min(len(values), encodeSampleRows)
	sample := pool.Get[T](e.pool, count)
	defer pool.Put(e.pool, &sample)
	for i := range sample.S {
		sample.S[i] = values[i*len(values)/count]
	}
	scale := encodeALPChoose(sample.S)
	lo, hi := ^uint64(0), uint64(0)
	var positions, kept struct{ lo, hi uint64 }
	exceptions := uint64(0)
	for i, bits := range sample.S {
		z, ok := encodeALPInteger(bits, scale)
		lo, hi = min(lo, z), max(hi, z)
		if ok {
			continue
		}
		row := uint64(i * len(values) / count)
		if exceptions == 0 {
			positions.lo, kept.lo = row, uint64(bits)
		}
		positions.hi = row
		kept.lo, kept.hi = min(kept.lo, uint64(bits)), max(kept.hi, uint64(bits))
		exceptions++
	}
	s := sizeOf[T]()
	const trivial = estimatedPrefixBytes + 1
	integers := min(e.estimateFixed(8, n, lo, hi), trivial+8*n)
	size := e.prefixBytes(len(values)) + 3 + varintBytes(integers) + integers
	if exceptions == 0 {
		return size
	}
	x := (exceptions*n + uint64(count) - 1) / uint64(count)
	listed := min(trivial+4*x, e.estimateFixed4(x, positions.lo, positions.hi))
	originals := min(trivial+uint64(s)*x, e.estimateFixed(s, x, kept.lo, kept.hi))
	return size + varintBytes(x) + varintBytes(listed) + listed + varintBytes(originals) + originals
}

func appendALP[T Integer](st *stats[T], dst []byte, n encodeNode) ([]byte, error) {
	if !isFloat(st.dt) || st.rows() == 0 {
		return dst, fmt.Errorf("alp: %d rows of %v: %w", st.rows(), st.dt, ErrIncompatible)
	}
	scale := encodeALPChoose(st.values[:min(st.rows(), encodeSampleRows)])
	p := st.e.pool
	integers := pool.Get[uint64](p, st.rows())
	defer pool.Put(p, &integers)
	positions := pool.Get[uint32](p, st.rows())
	defer pool.Put(p, &positions)
	values := pool.Get[T](p, st.rows())
	defer pool.Put(p, &values)
	count := 0
	for i, bits := range st.values {
		z, ok := encodeALPInteger(bits, scale)
		integers.S[i] = z
		if !ok {
			positions.S[count], values.S[count] = uint32(i), bits
			count++
		}
	}
	control := uint32(scale.exponent | scale.factor<<alpFactorShift)
	if count > 0 {
		control |= alpHasExceptions
	}
	dst = st.e.appendPrefix(dst, KindALP, st.dt, st.rows())
	dst = append(dst, byte(control), byte(control>>8), byte(control>>16))
	if count > 0 {
		dst = binary.AppendUvarint(dst, uint64(count))
	}
	dst, err := appendChild(st.e, dst, n, 0, Uint64, integers.S)
	if err != nil || count == 0 {
		return dst, err
	}
	if dst, err = appendChild(st.e, dst, n, 1, Uint32, positions.S[:count]); err != nil {
		return dst, err
	}
	return appendChild(st.e, dst, n, 2, physicalType(st.dt), values.S[:count])
}
