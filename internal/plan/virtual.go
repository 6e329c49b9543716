package plan

import (
	"strings"

	"github.com/decantdb/decant/internal/fn"
)

// The indexes of the columns that no file has.
const (
	DocID       = -1 - iota // the number of a row in its segment
	SegmentName             // the name of a row's segment
	HostName                // the name of the machine
)

var virtualColumns = []*Column{
	{Index: DocID, Name: "$docId", T: fn.Int},
	{Index: SegmentName, Name: "$segmentName", T: fn.String},
	{Index: HostName, Name: "$hostName", T: fn.String},
}

// virtualColumn returns the virtual column of that name, nil if there is none.
func virtualColumn(name string) *Column {
	for _, c := range virtualColumns {
		if strings.EqualFold(c.Name, name) {
			return c
		}
	}
	return nil
}
