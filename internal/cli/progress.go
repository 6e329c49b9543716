package cli

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress is a bar on a terminal, or nothing.
type progress struct{ bar *progressbar.ProgressBar }

// newProgress returns a bar on w, which is a terminal, if it is to be shown.
func newProgress(w io.Writer, shown bool, what string, options ...progressbar.Option) *progress {
	if !shown {
		return &progress{}
	}
	return &progress{progressbar.NewOptions64(-1, append(options,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)...)}
}

// update shows that done of total are done. The bar is for people:
// what it cannot show is not an error.
func (p *progress) update(done, total int64) {
	if p.bar == nil {
		return
	}
	if p.bar.GetMax64() != total {
		p.bar.ChangeMax64(total)
	}
	_ = p.bar.Set64(done)
}

// step is update for what is counted in ints.
func (p *progress) step(done, total int) { p.update(int64(done), int64(total)) }

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
