// Package datatable builds and reads DataTables of version 4, the form in which
// an Apache Pinot server hands a query's result to the broker.
//
// # Bytes
//
// All numbers are big-endian, i32 and i64 are signed; lstr and lbytes are an i32
// length and that many bytes. Roaring bitmaps alone are little-endian.
//
//	 0  i32 version = 4
//	 4  i32 rows
//	 8  i32 columns
//	12  i32 start, i32 length of each section, in this order:
//	52  exceptions   i32 count; count × (i32 code, lstr message)
//	    dictionary   i32 count; count × lstr
//	    schema       i32 columns; columns × lstr name; columns × lstr type name
//	    fixed        rows × row; null index: columns × (i32 offset, i32 length)
//	    variable     values of varying size, then null bitmaps
//	    i32 length of metadata
//	    metadata     i32 count; count × (i32 key, value)
//
// A row is the slots of its columns without padding. A slot is the number
// itself, or the id of a string in the dictionary, or the offset in the variable
// section and the length of a value of varying size (see [Type]). The null index
// may be missing; a bitmap of length 0 stands for no nulls.
//
// A table of metadata and exceptions alone has neither dictionary nor schema:
// the lengths of its four other sections are 0.
//
// # Nulls
//
// The slot of a null cell holds a placeholder (0, the empty string, the empty
// array, …), and its column's bitmap has the row. OBJECT, UNKNOWN and MAP have
// no bitmap: a length of 0 says that the cell is null, and the offset is that of
// an i32 100 in the variable section.
//
// # Building
//
// A [Builder] is filled row by row or with batches of vectors; the bytes are the
// same. A row is written where it stays, in memory that is cleared when the row
// begins, so a column that is not set in a row is zero there and finished rows are
// not copied. [Builder.Reset] keeps all memory: a warm builder does not allocate.
//
// # Reading
//
// [Open] checks a table's frame once and then gives access to any cell without
// copying. What it returns refers to the table's bytes.
//
// Payloads of OBJECT cells, the intermediate results of aggregations, are opaque
// bytes with a type id here.
package datatable
