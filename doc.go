// Package decant asks Nimble, Parquet and CSV files questions in SQL, in the
// dialect of Apache Pinot.
//
// Each file is a table, named after the file or as the caller says; several
// files of one name are one table:
//
//	db, err := decant.OpenFiles("flights.nimble", "trips=2013.parquet", "trips=2014.parquet")
//	rows, err := db.Query(ctx, "SELECT carrier, COUNT(*) FROM flights GROUP BY carrier")
//
// An answer is read row by row with [Rows.Next] and [Rows.Scan], or, without a
// copy for each value, as batches of vectors with [Rows.NextBatch].
//
// A query returns all rows and handles nulls as SQL does. Types are Pinot's:
//
//	BOOLEAN, INT, LONG, FLOAT, DOUBLE, BIG_DECIMAL, TIMESTAMP, STRING, JSON,
//	BYTES, and arrays of these with _ARRAY after the name
//
// A field b of a row in a column a is the column "a.b". Rows, maps and lists of
// other than scalars are JSON when they are selected whole.
//
// To read and write files without SQL, see the package nimble.
package decant
