package convert

import "errors"

// errAbsent means that objects have few of the members that others have.
var errAbsent = errors.New("far more members are absent than there are: use --schema with a MAP")

const (
	// jsonBatchAbsent is how many absent values end a batch.
	jsonBatchAbsent = 1 << 20
	// maxLineAbsent bounds the absent values of one line, and those of a file
	// beyond maxAbsentPerByte.
	maxLineAbsent = 1 << 22
	// maxAbsentPerByte bounds the absent values by the size of the text.
	maxAbsentPerByte = 32
)

// absentValues counts the values that rows have although the text has none. An object
// {} takes two bytes and as many values as all others have members, so that a small
// text could make a huge table.
type absentValues struct {
	batch int   // in the batch
	spare int64 // that there may still be for the text so far
	line  int   // that there may still be in the line
}

// start begins a line of so many bytes.
func (a *absentValues) start(bytes int) {
	a.spare += maxAbsentPerByte * int64(bytes)
	a.line = maxLineAbsent
}

// add counts n more values.
func (a *absentValues) add(n int) error {
	a.batch += n
	a.spare -= int64(n)
	a.line -= n
	if a.spare < 0 || a.line < 0 {
		return errAbsent
	}
	return nil
}
