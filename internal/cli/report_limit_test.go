package cli

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/nimble/tablet"
)

// TestInspectRefusesHugeChunks looks at a file of 3 rows whose one chunk, of 160
// KB, says that it holds 768 MiB.
func TestInspectRefusesHugeChunks(t *testing.T) {
	const rows, rawBytes, storedBytes = 3, 768 << 20, 160 << 10
	typ, err := nimble.ParseType("ROW<x BIGINT>")
	if err != nil {
		t.Fatal(err)
	}
	root := nimble.StreamNode{Type: typ, Children: []*nimble.StreamNode{{Type: typ.Children[0], Stream: 1}}}
	nodes, err := root.AppendNodes(nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	chunk := binary.LittleEndian.AppendUint32(nil, 4+storedBytes)
	chunk = binary.LittleEndian.AppendUint32(append(chunk, byte(tablet.Zstd)), rawBytes)
	chunk = append(chunk, make([]byte, storedBytes)...)
	var out bytes.Buffer
	w := tablet.NewWriter(&out, tablet.WriterOptions{})
	for _, step := range []func() error{
		func() error { return w.WriteStripe(rows, []tablet.Stream{{ID: 1, Data: chunk}}) },
		func() error { return w.AddSection(tablet.SectionSchema, tablet.AppendSchema(nil, nodes)) },
		w.Close,
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	path := write(t, "huge.nimble", out.String())
	for _, command := range []string{"inspect", "verify"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, stderr, code := run(t, command, path)
		runtime.ReadMemStats(&after)
		if code != ExitFailed || !strings.Contains(stderr, "805306368 raw bytes exceed the limit") {
			t.Errorf("%s: code %d, %s", command, code, stderr)
		}
		const allowedBytes = 32 << 20
		if used := after.TotalAlloc - before.TotalAlloc; used > allowedBytes {
			t.Errorf("%s: %d bytes were allocated", command, used)
		}
	}
}
