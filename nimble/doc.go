// Package nimble reads and writes Nimble files: columns of typed values in
// stripes, each column as a few streams of encoded chunks.
//
// A file has a schema ([Type]), stripes of rows, and statistics by column.
//
//	stripe   rows that are stored together; a column's values of one stripe
//	         are in streams of that stripe alone
//	stream   one array of values, as chunks: a scalar has one, a list its
//	         lengths and its elements' streams, a row its nulls and its fields'
//	chunk    a self-contained encoded array (see package encoding)
//
// Where the bytes of streams and sections are is the job of package tablet;
// what an encoded array means, of package encoding. This package knows which
// stream holds what, and makes columns of them: docs/format.md has the layout.
package nimble
