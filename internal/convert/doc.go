// Package convert reads files as batches of vectors and writes batches as files.
// Nimble, Parquet, Arrow's IPC format, CSV and JSON lines are read and written. It is the only package that knows Arrow.
//
// # CSV
//
// Text is UTF-8; a byte order mark at its start is left out. Records end with LF
// or CRLF; fields are separated by a comma or what Options.Delimiter says, and
// may be in double quotes, in which a quote is doubled and line ends stand for
// themselves. A quote within an unquoted field is a byte like any other. All
// records have as many fields as the first one; a line with nothing on it is no
// record, unless there is one column. Errors are a [PlaceError].
//
// An unquoted empty field is null, "" is the empty string. Options.Nulls are
// more texts that, unquoted, are null.
//
// The type of a column that Options.Schema does not give is the narrowest that
// holds every field of the whole file without a loss, found in a first pass:
//
//	quoted fields, if only one              VARCHAR
//	true, false                             BOOLEAN
//	-?(0|[1-9][0-9]*) of 32, of 64 bits     INTEGER, BIGINT
//	decimal numbers, NaN, ±Infinity         DOUBLE
//	2013-01-31                              DATE
//	2013-01-31T08:30:00.5Z and such         TIMESTAMP
//	anything else, or two of these          VARCHAR
//	not UTF-8, in any of them               VARBINARY, of the same bytes
//
// A field is a DOUBLE if the float64 prints as a number equal to it; integers
// are among DOUBLEs up to 2^53, and an exponent needs a point or a sign. So
// leading zeros, a plus, long identifiers and 12E4 stay text. Moments of one
// column must all be in one form, with the same digits and the same offset.
//
// How the text looked is kept in the attributes [TextKey] and [ZoneKey], and CSV
// that is read and written again is the same text, except that
//
//   - records end with LF, and quotes are where they are needed alone,
//   - nulls are written as the first of Options.Nulls, else as nothing,
//   - DOUBLEs of several styles in one column, such as 1.10 next to 2.5, are
//     written as the shortest text of the same number.
//
// Quotes are needed around the empty string, a null text, text with a delimiter,
// quote or line end in it, and a VARCHAR that, alone in its column, would be
// taken for another type. So what is written is read again as the same values
// of the same types, as far as the list above goes.
//
// # JSON lines
//
// A line is an object, whose members are columns; lines with nothing on them are
// passed over. The type of a column that Options.Schema does not give is the
// narrowest that holds its value of every line without a loss, found in a first
// pass:
//
//	true, false                      BOOLEAN
//	numbers                          INTEGER, BIGINT or DOUBLE, as of CSV
//	strings                          DATE or TIMESTAMP, as of CSV, else VARCHAR
//	numbers, "NaN", "Infinity" ...   DOUBLE
//	[1, 2]                           ARRAY
//	{"a": 1}                         ROW of all members that there are
//	{} alone                         MAP<VARCHAR, VARCHAR>
//	null alone                       VARCHAR
//	anything else, or two of these   JSON, of the same bytes
//
// So a number with more digits than a BIGINT or DOUBLE holds is JSON. A member that
// is absent is null, which is not the empty string, array or object. Which of two
// members of one name is meant is not known, so that they are an error. Memory
// bounds how many values may be absent: a file in which objects have few of many
// members needs a schema that makes maps of them.
//
// # Memory
//
// The size of a file does not matter.
//
//	CSV in       one buffer of text, 256 KiB or twice the longest record (64 MiB
//	             at most), and up to 1 Mi fields of 12 bytes
//	JSON in      one line, of 256 MiB at most, and a batch of 16 MiB of text or
//	             1 Mi absent values, and of its last line
//	Parquet in   the pages being read and 8,192 rows
//	Arrow in     one record and the dictionaries; of a record 256 MiB and 16 times
//	             the file's size at most
//	Nimble in    as package nimble says: the streams of a stripe
//	CSV, JSON    the text of a batch
//	Parquet out  one row group, encoded: 122,880 rows or 64 MiB of values, and
//	             the batch that is above that
//	Nimble out   as package nimble says: three times a stripe's values, of 65,536
//	             rows or 256 MiB
package convert
