package datatable_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/decantdb/decant/datatable"
	"pgregory.net/rapid"
)

func TestDecimalBytes(t *testing.T) {
	for _, c := range []struct {
		value string
		bytes []byte
	}{
		{"0", []byte{0}},
		{"1", []byte{1}},
		{"-1", []byte{0xff}},
		{"127", []byte{0x7f}},
		{"128", []byte{0, 0x80}},
		{"-128", []byte{0x80}},
		{"-129", []byte{0xff, 0x7f}},
		{"256", []byte{1, 0}},
		{"-256", []byte{0xff, 0}},
		{"-32768", []byte{0x80, 0}},
	} {
		x, _ := new(big.Int).SetString(c.value, 10)
		d := datatable.NewDecimal(x, -3)
		if !bytes.Equal(d.Unscaled, c.bytes) || d.Scale != -3 || d.Int().Cmp(x) != 0 {
			t.Errorf("%s is %x, which is %v", c.value, d.Unscaled, d.Int())
		}
	}
}

// Bytes of any length with the same value are written in the same, shortest way.
func TestDecimalsAreWrittenShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unscaled := drawBlob.Draw(t, "unscaled")
		d := datatable.Decimal{Unscaled: unscaled, Scale: 7}
		b := newBuilder(t, nil, datatable.BigDecimal)
		b.StartRow()
		b.SetBigDecimal(0, d)
		b.FinishRow()
		got, err := mustOpen(t, mustAppend(t, b)).BigDecimal(0, 0)
		want := datatable.NewDecimal(d.Int(), 7)
		if err != nil || !bytes.Equal(got.Unscaled, want.Unscaled) || got.Scale != 7 || got.Int().Cmp(d.Int()) != 0 {
			t.Fatalf("%x is read as %x, %v, not as %x", unscaled, got.Unscaled, err, want.Unscaled)
		}
	})
}
