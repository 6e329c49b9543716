// Package table keeps tables with a Pinot schema in a directory:
//
//	DIR/NAME/schema.json           the Pinot schema, as it was given
//	DIR/NAME/table.json            the Pinot table config, as it was given or made up
//	DIR/NAME/manifest-N.json       the segments; the greatest N counts
//	DIR/NAME/NAME_K.nimble         the rows of a segment
//	DIR/.schemas/NAME.json         schemas that have no table yet
//
// What is seen of a table changes at once or not at all: a segment is written
// under a name that no manifest has, and then a manifest with the next number is
// linked into place, which fails if somebody else has taken the number. Whatever
// is cut off in between leaves files that nobody lists.
//
// Rows are taken in as Pinot takes them: see [Table.Add].
package table
