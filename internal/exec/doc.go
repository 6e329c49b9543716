// Package exec runs a query plan over the splits of a table.
//
//	table ── splits ──▶ worker 0: columns ▶ filter ▶ sink ─┐
//	                ──▶ worker 1: columns ▶ filter ▶ sink ─┴▶ merge ▶ outputs
//
// A split is a stripe of a file or a part of one. Each worker reads every so
// manyth split and has its own session, and so its own pool, and its own sink.
// For each batch of rows it reads the columns of the filter, conjunct by
// conjunct, and then, of the other columns, only the rows that are left. Filters
// work on the form that a column has: once for a constant, per entry of a
// dictionary that is smaller than the batch, per run. Group keys become small
// numbers in the same way.
//
// Everything that a worker needs is reused from batch to batch and from split
// to split: warm, it allocates nothing.
package exec
