package tablet_test

import (
	"sync"
	"testing"

	"github.com/decantdb/decant/nimble/tablet"
)

// A Tablet serves several goroutines, each with a plan of its own.
func TestConcurrentUse(t *testing.T) {
	opts := tablet.WriterOptions{GroupBytes: 1, CompressOverBytes: 1, ChunkStats: true}
	file := mustOpen(t, writeStripes(t, opts, 3, 1, 4, 9), 1)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				s := scanner{file: file, data: make([]byte, file.Size()), array: make([]byte, 1<<10)}
				s.scan()
				if s.err != nil || s.decoded != 4*(100+400+1) {
					t.Errorf("%d bytes decoded, error %v", s.decoded, s.err)
				}
			}
		})
	}
	wg.Wait()
}
