package encoding

import (
	"testing"

	"github.com/decantdb/decant/vector"
	"pgregory.net/rapid"
)

func TestCutViews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOf(rapid.Uint32Range(0, 20)).Draw(t, "lengths")
		at := rapid.IntRange(0, 5).Draw(t, "at")
		size := at
		for _, n := range lengths {
			size += int(n)
		}
		buffer := rapid.SliceOfN(rapid.Byte(), size, size+20).Draw(t, "buffer")
		got := make([]vector.View, len(lengths))
		cutViews(got, lengths, buffer, at, 7)
		for i, n := range lengths {
			if want := vector.MakeView(buffer[at:at+int(n)], 7, uint32(at)); got[i] != want {
				t.Fatalf("string %d of %d bytes: got %x, not %x", i, n, got[i], want)
			}
			at += int(n)
		}
	})
}
