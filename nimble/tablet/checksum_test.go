package tablet

import (
	"bytes"
	"testing"
)

// The checksum does not depend on the size of the reads.
func TestChecksumInReadsOfAnySize(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, WriterOptions{})
	data := make([]byte, 5000)
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	if err := w.WriteStripe(3, []Stream{{ID: 1, Data: data}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(bytes.NewReader(out.Bytes()), int64(out.Len()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	end := uint64(out.Len()) - PostscriptLen + hashedLen
	for _, readBytes := range []uint64{1, 2, 7, 64, 240, 241, 1023, 1024, 1025, 4096, end - 1, end, end + 1, verifyBytes} {
		sum, err := f.hash(end, readBytes)
		if err != nil || sum != f.postscript.Checksum {
			t.Errorf("in reads of %d bytes: %016x, %v; want %016x", readBytes, sum, err, f.postscript.Checksum)
		}
	}
}
