package tablet_test

import (
	"errors"
	"testing"

	"github.com/decantdb/decant/nimble/tablet"
)

func TestChunkLimit(t *testing.T) {
	const mebi = 1 << 20
	for _, c := range []struct{ limit, rows, stored, want int }{
		{0, 3, 160 << 10, 64 * mebi},
		{mebi, 0, 0, mebi},
		{1, 0, 0, 64 << 10},
		{1, 10, 100, 64<<10 + 640 + 1600},
		{0, 2 * mebi, mebi, 64<<10 + 128*mebi + 16*mebi},
	} {
		got := tablet.ChunkLimit(c.limit, c.rows, c.stored)
		if got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
		if err := tablet.CheckLimit(got, got); err != nil {
			t.Error(err)
		}
		if err := tablet.CheckLimit(got+1, got); !errors.Is(err, tablet.ErrUnsupported) {
			t.Errorf("beyond %d: %v", got, err)
		}
	}
}
