package encoding

import (
	"errors"
	"testing"

	"github.com/decantdb/decant/vector"
)

func TestNewEncoderRefuses(t *testing.T) {
	for name, o := range map[string]EncodeOptions{
		"candidate":       {Candidates: []ReadFactor{{Kind: numKinds, Factor: 1}}},
		"codec":           {Compression: OpenZL},
		"layout":          {Layout: &Layout{Kind: 99}},
		"nested layout":   {Layout: &Layout{Kind: KindRLE, Children: []*Layout{nil, {Kind: 99}}}},
		"layout's codec":  {Layout: &Layout{Compression: MetaInternal}},
		"packed block":    {PackedBlockRows: DefaultPackedBlockRows + 1},
		"negative blocks": {DeltaBlockRows: -1},
		"restarts":        {RestartRows: -1},
	} {
		if _, err := NewEncoder(nil, o); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAppendRefuses passes arguments that do not fit together.
func TestAppendRefuses(t *testing.T) {
	e := mustEncoder(t, nil, EncodeOptions{})
	replay := func(l *Layout) *Encoder { return mustEncoder(t, nil, EncodeOptions{Layout: l}) }
	views, buffers := stringViews([]string{"a", "b"})
	for name, run := range map[string]func(dst []byte) ([]byte, error){
		"narrow type":        func(dst []byte) ([]byte, error) { return Append(e, dst, Int16, []uint32{1}) },
		"bool as a number":   func(dst []byte) ([]byte, error) { return Append(e, dst, Bool, []uint8{1}) },
		"string as a number": func(dst []byte) ([]byte, error) { return Append(e, dst, String, []uint8{1}) },
		"unknown type":       func(dst []byte) ([]byte, error) { return Append(e, dst, 77, []uint8{1}) },
		"bools missing":      func(dst []byte) ([]byte, error) { return AppendBools(e, dst, []uint64{0}, 65) },
		"negative rows":      func(dst []byte) ([]byte, error) { return AppendBools(e, dst, nil, -1) },
		"value missing": func(dst []byte) ([]byte, error) {
			return AppendNullable(e, dst, Int32, []uint32{1}, []uint64{3}, 2)
		},
		"validity missing": func(dst []byte) ([]byte, error) {
			return AppendNullableStrings(e, dst, views, buffers, []uint64{3}, 70)
		},
		"validity of bools missing": func(dst []byte) ([]byte, error) {
			return AppendNullableBools(e, dst, []uint64{3}, []uint64{3}, 70)
		},
		"present bools missing": func(dst []byte) ([]byte, error) {
			return AppendNullableBools(e, dst, nil, []uint64{3}, 2)
		},
		"not constant": func(dst []byte) ([]byte, error) {
			return Append(replay(&Layout{Kind: KindConstant}), dst, Int32, []uint32{1, 2})
		},
		"no child in the layout": func(dst []byte) ([]byte, error) {
			return Append(replay(&Layout{Kind: KindRLE, Children: []*Layout{nil}}), dst, Int32, []uint32{1, 2})
		},
		"layout of another type": func(dst []byte) ([]byte, error) {
			return AppendStrings(replay(&Layout{Kind: KindVarint}), dst, views, buffers)
		},
		"layout of nulls without nulls": func(dst []byte) ([]byte, error) {
			return Append(replay(&Layout{Kind: KindNullable}), dst, Int32, []uint32{1})
		},
	} {
		got, err := run([]byte("before"))
		if !errors.Is(err, ErrIncompatible) {
			t.Errorf("%s: %v", name, err)
		}
		if string(got) != "before" {
			t.Errorf("%s: dst became %q", name, got)
		}
	}
}

// TestLongHuffmanCode selects Huffman for values whose frequencies are Fibonacci
// numbers, which makes codes longer than the format allows.
func TestLongHuffmanCode(t *testing.T) {
	var values []uint64
	a, b := 1, 1
	for symbol := range 18 {
		for range a {
			values = append(values, uint64(symbol)*0x9e3779b97f4a7c15)
		}
		a, b = b, a+b
	}
	for i := range values { // no runs
		j := i * 7919 % len(values)
		values[i], values[j] = values[j], values[i]
	}
	huffman := EncodeOptions{Candidates: []ReadFactor{{KindHuffman, 1}}}
	got, err := Append(mustEncoder(t, nil, huffman), nil, Int64, values)
	if err != nil || Kind(got[0]) != KindTrivial {
		t.Errorf("selected: written as %v, %v", Kind(got[0]), err)
	}
	replay := EncodeOptions{Layout: &Layout{Kind: KindHuffman}}
	if _, err = Append(mustEncoder(t, nil, replay), nil, Int64, values); !errors.Is(err, ErrIncompatible) {
		t.Errorf("replayed: %v", err)
	}
}

// TestNullableLayout replays the layout of present values and one that has
// Nullable at its root.
func TestNullableLayout(t *testing.T) {
	values, valid := []uint32{5, 6, 7}, []uint64{0b10110}
	data := &Layout{Kind: KindVarint}
	for name, l := range map[string]*Layout{
		"values": data,
		"root":   {Kind: KindNullable, Children: []*Layout{data, {Kind: KindSparseBool, Children: []*Layout{nil}}}},
	} {
		got, err := AppendNullable(mustEncoder(t, nil, EncodeOptions{Layout: l}), nil, Int32, values, valid, 5)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		n, err := Describe(got, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n.Kind != KindNullable || n.Children[0].Kind != KindVarint {
			t.Errorf("%s: %v over %v", name, n.Kind, n.Children[0].Kind)
		}
		if captured, err := CaptureLayout(got, Options{}); err != nil || captured.Kind != KindVarint {
			t.Errorf("%s: captured %v, %v", name, captured, err)
		}
	}
	if same, err := AppendNullable(mustEncoder(t, nil, EncodeOptions{}), nil, Int32, values, nil, 3); err != nil || Kind(same[0]) == KindNullable {
		t.Errorf("without validity: %v, %v", Kind(same[0]), err)
	}
	if vector.CountBits(valid, 0, 5) != len(values) {
		t.Error("the case does not fit itself")
	}
}
