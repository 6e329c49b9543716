package nimble

import (
	"context"
	"fmt"
	"slices"

	"github.com/decantdb/decant/vector"
)

// Verify reads all of a file: it compares the checksum, decodes every value of
// every column, and checks that each stream has the rows that its column needs
// and no more, and each batch the promises of [vector.Check]. Then it compares the
// statistics of chunks with the chunks, and the keys of indexes with the rows. It
// goes on after damage, with the next column.
//
// Findings are what is damaged or refused, one error a place; those in the data
// are or wrap [StreamError]s, whose text goes down to the encoding in which they
// arose. err is not nil if the context ended first. progress, unless nil, is
// called with the parts of the work that are done and their number. Without a session
// there is one for the time of the call.
func (f *File) Verify(ctx context.Context, s *Session, progress func(done, total int)) (findings []error, err error) {
	if s == nil {
		s = ownSession()
	}
	columns := len(f.root.children)
	indexes, _ := f.usable()
	done, total := 0, 1+f.NumStripes()*(columns+1)+len(indexes)
	report := func() {
		if done++; progress != nil {
			progress(done, total)
		}
	}
	if err := f.tablet.VerifyChecksum(); err != nil {
		findings = append(findings, fmt.Errorf("nimble: %w", err))
	}
	findings = slices.Concat(findings, f.damage, f.lateDamage())
	report()
	r := StripeReader{session: s}
	defer r.Close()
	for stripe := range f.NumStripes() {
		for i := range columns {
			if err := ctx.Err(); err != nil {
				return findings, err
			}
			if err := verifyColumn(&r, f, stripe, i); err != nil {
				findings = append(findings, fmt.Errorf("column %s: %w", f.root.typ.Names[i], err))
			}
			report()
		}
	}
	others, err := f.verifyOptional(ctx, s, indexes, report)
	return append(findings, others...), err
}

// verifyOptional compares with the rows what they can be read without.
func (f *File) verifyOptional(ctx context.Context, s *Session, indexes []*Index, report func()) (findings []error, err error) {
	chunks := newChunkVerifier(f, s)
	defer chunks.close()
	checks := make([]func() error, 0, f.NumStripes()+len(indexes))
	for stripe := range f.NumStripes() {
		checks = append(checks, func() error { return chunks.stripe(stripe) })
	}
	for _, x := range indexes {
		checks = append(checks, func() error { return x.verify(s) })
	}
	for _, check := range checks {
		if err := ctx.Err(); err != nil {
			return findings, err
		}
		if err := check(); err != nil {
			findings = append(findings, err)
		}
		report()
	}
	return findings, nil
}

// verifyColumn decodes one column of a stripe.
func verifyColumn(r *StripeReader, f *File, stripe, i int) error {
	if err := r.Reset(f, stripe, []int{i}); err != nil {
		return err
	}
	for left := r.Rows(); left > 0; {
		n := min(left, vector.DefaultBatchRows)
		v, err := r.Read(0, n)
		if err != nil {
			return err
		}
		if err := vector.Check(v); err != nil {
			return fmt.Errorf("nimble: stripe %d: %w: %w", stripe, ErrCorrupt, err)
		}
		left -= n
	}
	for _, s := range r.builder.sources {
		if err := s.finish(); err != nil {
			return err
		}
	}
	return nil
}
