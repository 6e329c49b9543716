package rowbatch

import (
	"encoding/binary"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/encoding"
	"github.com/decantdb/decant/nimble/tablet"
)

// TestRawSizesAreNotBelieved reads blobs of 20 KB whose streams say that they
// hold 200 MiB: they are refused before memory is asked for.
func TestRawSizesAreNotBelieved(t *testing.T) {
	const (
		rows, rawBytes, storedBytes = 3, 200 << 20, 20 << 10
		columnStream                = 1
	)
	raw := binary.LittleEndian.AppendUint32(nil, rawBytes)
	zeros := make([]byte, storedBytes)
	chunk := func(codec tablet.Codec, parts int) (data []byte) {
		for range parts {
			data = binary.LittleEndian.AppendUint32(data, 4+storedBytes)
			data = append(data, byte(codec))
			data = binary.LittleEndian.AppendUint32(data, uint32(rawBytes/parts))
			data = append(data, zeros...)
		}
		return data
	}
	chunked := func(data []byte) []byte {
		b := blob{Header: Header{Rows: rows}, ids: []uint32{columnStream}, data: [][]byte{data}}
		out := tabletBlob(t, &b, tabletOptions{end: rows})
		out[2] |= flagChunks // after the version and the row count
		return out
	}
	legacy := func(data []byte) []byte {
		out := binary.LittleEndian.AppendUint32([]byte{byte(Legacy)}, rows)
		out = binary.LittleEndian.AppendUint32(out, 0) // the root's nulls
		out = binary.LittleEndian.AppendUint32(out, uint32(len(data)))
		return append(out, data...)
	}
	frame := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0}, raw...) // a single segment of a u32 size
	typ, err := nimble.ParseType("ROW<x BIGINT>")
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSchema(typ, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"zstd chunk":  chunked(chunk(tablet.Zstd, 1)),
		"zstd chunks": chunked(chunk(tablet.Zstd, 50)),
		"LZ4 chunks":  chunked(chunk(tablet.LZ4, 50)),
		"legacy zstd": legacy(append(append([]byte{byte(tablet.Zstd)}, frame...), zeros...)),
		"legacy LZ4":  legacy(append(append([]byte{byte(tablet.LZ4)}, raw...), zeros...)),
	} {
		d, err := NewDeserializer(s, encoding.NewSession(nil), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err = d.Read(d.NewRows(), data)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, tablet.ErrUnsupported) || !strings.Contains(err.Error(), "raw bytes exceed the limit") {
			t.Errorf("%s: %v", name, err)
		}
		const allowedBytes = 1 << 20
		if used := after.TotalAlloc - before.TotalAlloc; used > allowedBytes {
			t.Errorf("%s: %d bytes were allocated", name, used)
		}
	}
}
