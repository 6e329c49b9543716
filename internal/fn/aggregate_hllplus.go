package fn

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/bits"
	"strconv"

	"github.com/decantdb/decant/internal/sql"
)

// hllPlusCall resolves DISTINCTCOUNTHLLPLUS(x[, p[, sp]]), a HyperLogLog of 64-bit
// hashes whose small counts come from the empty registers, or the sketch itself,
// which is never the sparse one that sp asks for.
func hllPlusCall(raw bool) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		t, err := sketchArg(args, 3)
		if err != nil {
			return AggregateCall{}, err
		}
		p, err := literalInt(args, 1, 14)
		if err != nil || p < 4 || p > maxLog2m {
			return AggregateCall{}, badValue("p must be an integer from 4 to %d", maxLog2m)
		}
		sp, err := literalInt(args, 2, 0)
		if err != nil || raw && sp != 0 {
			return AggregateCall{}, badValue("sp must be an integer literal, and 0 for the sketch itself")
		}
		c := AggregateCall{Args: []Type{Unknown}, Type: Long, Elements: true, SeesDefaults: true, NeverNull: true}
		put := func(h *hll, r *Row) { r.I = h.estimatePlus() }
		if raw {
			c.Type = String
			put = func(h *hll, r *Row) { r.Out = hex.AppendEncode(r.Out, h.appendPlus(nil)) }
		}
		c.New = func() State { return hllPlusState(t, p, put) }
		return c, nil
	}
}

// appendPlus appends the sketch:
//
//	i32 -2 | uv p | uv sp = 0 | uv 0 = all registers | uv bytes of the words | words, big-endian
func (h *hll) appendPlus(dst []byte) []byte {
	words := h.appendWords(nil)
	dst = append(dst, 0xff, 0xff, 0xff, 0xfe)
	dst = binary.AppendUvarint(dst, uint64(h.log2m))
	dst = append(dst, 0, 0)
	dst = binary.AppendUvarint(dst, uint64(len(words)))
	return append(dst, words...)
}

func hllPlusState(t Type, p int, put func(h *hll, r *Row)) State {
	var text []byte
	return sketches(p, func(h *hll, r *Row) {
		text = appendJavaText(text[:0], t, r)
		hash := murmur2Wide(text, murmurPlusSeed)
		at := hash >> (64 - p)
		rest := hash<<p | 1<<(p-1)
		h.registers[at] = max(h.registers[at], uint8(bits.LeadingZeros64(rest)+1))
	}, put)
}

const murmurPlusSeed = 0xe17a1465

// appendJavaText writes the first argument of r as Java's toString does.
func appendJavaText(dst []byte, t Type, r *Row) []byte {
	switch {
	case t.Integral():
		return strconv.AppendInt(dst, r.Int(0), 10)
	case t == Boolean:
		return strconv.AppendInt(dst, bit(r.Bool(0)), 10)
	case t == Float:
		return sql.AppendJavaFloat(dst, r.Float(0), 32)
	case t == Double:
		return sql.AppendJavaFloat(dst, r.Float(0), 64)
	}
	return append(dst, r.Text(0)...)
}

// plusThresholds are the counts up to which empty registers tell more than the
// others do, by p from 4 on. See Heule et al., HyperLogLog in practice.
var plusThresholds = [...]float64{
	10, 20, 40, 80, 220, 400, 900, 1800, 3100, 6500, 11500, 20000, 50000, 120000, 350000,
}

func (h *hll) estimatePlus() int64 {
	m := float64(len(h.registers))
	sum, zeros := 0.0, 0.0
	for _, x := range h.registers {
		sum += math.Ldexp(1, -int(x))
		if x == 0 {
			zeros++
		}
	}
	if zeros > 0 {
		counted := m * math.Log(m/zeros)
		if h.log2m-4 >= len(plusThresholds) || counted <= plusThresholds[h.log2m-4] {
			return int64(math.Floor(counted + 0.5))
		}
	}
	return int64(math.Floor(hllAlpha(h.log2m)*m*m/sum + 0.5))
}
