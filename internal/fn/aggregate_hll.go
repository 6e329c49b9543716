package fn

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// hll is a HyperLogLog as the library that Pinot uses lays it out: registers of
// five bits, six to a word. See Flajolet et al., HyperLogLog: the analysis of a
// near-optimal cardinality estimation algorithm.
//
//	i32 log2m | i32 bytes of the words | words, big-endian
type hll struct {
	log2m     int
	registers []uint8
}

const (
	defaultLog2m = 8
	maxLog2m     = 24
)

func newHLL(log2m int) *hll { return &hll{log2m: log2m, registers: make([]uint8, 1<<log2m)} }

// offer takes in the hash of a value.
func (h *hll) offer(hash uint32) {
	at := hash >> (32 - h.log2m)
	rest := hash<<h.log2m | (1<<(h.log2m-1) + 1)
	h.registers[at] = max(h.registers[at], uint8(bits.LeadingZeros32(rest)+1))
}

func (h *hll) merge(o *hll) {
	for i, x := range o.registers {
		h.registers[i] = max(h.registers[i], x)
	}
}

func (h *hll) estimate() int64 {
	m := float64(len(h.registers))
	sum, zeros := 0.0, 0.0
	for _, x := range h.registers {
		sum += 1 / float64(uint64(1)<<x)
		if x == 0 {
			zeros++
		}
	}
	estimate := hllAlpha(h.log2m) * m * m / sum
	if estimate <= 2.5*m {
		estimate = m * math.Log(m/zeros)
	}
	return int64(math.Floor(estimate + 0.5))
}

func hllAlpha(log2m int) float64 {
	switch log2m {
	case 4:
		return 0.673
	case 5:
		return 0.697
	case 6:
		return 0.709
	}
	return 0.7213 / (1 + 1.079/float64(uint64(1)<<log2m))
}

const registersPerWord = 6

func (h *hll) append(dst []byte) []byte {
	words := h.appendWords(nil)
	dst = binary.BigEndian.AppendUint32(dst, uint32(h.log2m))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(words)))
	return append(dst, words...)
}

func (h *hll) appendWords(dst []byte) []byte {
	words := make([]uint32, len(h.registers)/registersPerWord+1)
	for i, x := range h.registers {
		words[i/registersPerWord] |= uint32(x) << (5 * (i % registersPerWord))
	}
	for _, w := range words {
		dst = binary.BigEndian.AppendUint32(dst, w)
	}
	return dst
}

// sketchForms are a sketch and its form over arrays.
func sketchForms(name string, call func(args []Arg) (AggregateCall, error)) []Aggregate {
	return []Aggregate{{Name: name, Calls: call}, {Name: name + "mv", Calls: call}}
}

// sketchArg returns the type of a sketch's values.
func sketchArg(args []Arg, most int) (Type, error) {
	if len(args) == 0 || len(args) > most {
		return Unknown, wrongNumber(args)
	}
	t, err := distinctArg(args[0].Type, false)
	if err == nil && t == Bytes {
		err = badValue("BYTES are taken for a sketch, and none is read")
	}
	return t, err
}

// valueHash hashes the first argument of r for a HyperLogLog.
func valueHash(t Type, r *Row) uint32 {
	switch {
	case t.Integral():
		return hashLong(r.Int(0))
	case t == Float:
		return hashLong(int64(int32(math.Float32bits(float32(r.Float(0))))))
	case t == Double:
		return hashLong(int64(math.Float64bits(r.Float(0))))
	case t == Boolean:
		return hashLong(bit(r.Bool(0)))
	}
	return hashBytes(r.Text(0))
}

const murmurM = 0x5bd1e995

// hashLong is MurmurHash2 of a LONG, in the library's own variant.
func hashLong(x int64) uint32 {
	k := uint32(x) * murmurM
	k ^= k >> 24
	h := k * murmurM
	k = uint32(x>>32) * murmurM
	k ^= k >> 24
	h *= murmurM
	h ^= k * murmurM
	return murmurFinal(h)
}

func murmurFinal(h uint32) uint32 {
	h ^= h >> 13
	h *= murmurM
	return h ^ h>>15
}

// hashBytes is MurmurHash2 in the library's own variant: bytes behind the last
// word are signed, and are counted from the end.
func hashBytes(b []byte) uint32 {
	h := ^uint32(0) ^ uint32(len(b))
	words := len(b) / 4
	for i := range words {
		k := binary.LittleEndian.Uint32(b[4*i:]) * murmurM
		k ^= k >> 24
		k *= murmurM
		h = h*murmurM ^ k
	}
	n := len(b)
	if left := n % 4; left > 0 {
		if left >= 3 {
			h ^= uint32(int32(int8(b[n-3]))) << 16
		}
		if left >= 2 {
			h ^= uint32(int32(int8(b[n-2]))) << 8
		}
		h ^= uint32(int32(int8(b[n-1])))
		h *= murmurM
	}
	return murmurFinal(h)
}

func hllState(t Type, log2m int, put func(h *hll, r *Row)) State {
	return sketches(log2m, func(h *hll, r *Row) { h.offer(valueHash(t, r)) }, put)
}

// sketches is a sketch for each group, made when it is needed.
func sketches(log2m int, add, put func(h *hll, r *Row)) State {
	take := func(h **hll) *hll {
		if *h == nil {
			*h = newHLL(log2m)
		}
		return *h
	}
	return &perGroup[*hll]{
		add: func(h **hll, r *Row) error { add(take(h), r); return nil },
		merge: func(h, o **hll) error {
			if *o != nil {
				take(h).merge(*o)
			}
			return nil
		},
		result: func(h **hll, r *Row) error { put(take(h), r); return nil },
		size: func(h **hll) int {
			if *h == nil {
				return 0
			}
			return len((*h).registers)
		},
	}
}

// hllCall resolves DISTINCTCOUNTHLL(x[, log2m]), or the sketch itself.
func hllCall(raw bool) AggregateResolver {
	return func(args []Arg) (AggregateCall, error) {
		t, err := sketchArg(args, 2)
		if err != nil {
			return AggregateCall{}, err
		}
		log2m, err := literalInt(args, 1, defaultLog2m)
		if err != nil || log2m < 1 || log2m > maxLog2m {
			return AggregateCall{}, badValue("log2m must be an integer from 1 to %d", maxLog2m)
		}
		c := AggregateCall{Args: []Type{Unknown}, Type: Long, Elements: true, SeesDefaults: true, NeverNull: true}
		put := func(h *hll, r *Row) { r.I = h.estimate() }
		if raw {
			c.Type = String
			put = func(h *hll, r *Row) { r.Out = hex.AppendEncode(r.Out, h.append(nil)) }
		}
		c.New = func() State { return hllState(t, log2m, put) }
		return c, nil
	}
}

// smartHLL resolves DISTINCTCOUNTSMARTHLL(x[, 'threshold=...;log2m=...']): exact
// up to the threshold, then a HyperLogLog of the distinct values.
func smartHLL(args []Arg) (AggregateCall, error) {
	if len(args) > 2 {
		return AggregateCall{}, wrongNumber(args)
	}
	c, err := distinctCall{result: Int, defaults: true}.calls(true)(args[:min(1, len(args))])
	if err != nil {
		return c, err
	}
	text, err := literalText(args, 1, "")
	if err != nil {
		return c, err
	}
	threshold, log2m := defaultThreshold, 12
	for _, part := range strings.Split(text, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		n, bad := strconv.Atoi(value)
		switch {
		case key == "":
		case key == "THRESHOLD" && bad == nil:
			if threshold = n; n <= 0 {
				threshold = math.MaxInt
			}
		case key == "LOG2M" && bad == nil && n > 0 && n <= maxLog2m:
			log2m = n
		default:
			return c, badValue("%q is no option", part)
		}
	}
	exact := c.New
	c.New = func() State {
		return &smartState{distinctState: exact().(*distinctState), threshold: threshold, log2m: log2m}
	}
	return c, nil
}

type smartState struct {
	*distinctState
	threshold, log2m int
	sketches         map[uint32]*hll
}

func (s *smartState) Merge(o State, ids []uint32) error {
	return s.distinctState.Merge(o.(*smartState).distinctState, ids)
}

func (s *smartState) Result(r *Row, group uint32) error {
	if s.count[group] <= int64(s.threshold) {
		return s.distinctState.Result(r, group)
	}
	if s.sketches == nil {
		s.sketch()
	}
	r.I = s.sketches[group].estimate()
	return nil
}

// sketch makes the sketches of all groups that are beyond the threshold.
func (s *smartState) sketch() {
	s.sketches = map[uint32]*hll{}
	of := func(group uint32) *hll {
		if s.count[group] > int64(s.threshold) && s.sketches[group] == nil {
			s.sketches[group] = newHLL(s.log2m)
		}
		return s.sketches[group]
	}
	for i, key := range s.pairs.keys {
		if h := of(s.pairs.groups[i]); h != nil {
			bits := int64(key)
			if s.typ == Float {
				bits = int64(int32(bits))
			}
			h.offer(hashLong(bits))
		}
	}
	for i, group := range s.texts.groups {
		if h := of(group); h != nil {
			h.offer(hashBytes(s.texts.text(i)))
		}
	}
}

func (s *smartState) Reset() {
	s.distinctState.Reset()
	s.sketches = nil
}
