// Package fn is the registry of SQL functions: for each its names, the types it
// takes and gives, and the kernel that works it out over whole vectors.
//
// A function is one entry of the table in its family's file:
//
//	{Name: "gcd", Rows: takes(Long, rows(gcdRow), Long, Long)},
//
// Its resolver sees the types of the arguments, and the values of those that are
// literals, and answers with a [Signature]: what each argument is converted to,
// the type of the result, and how to make a kernel. A [Kernel] is called once
// per batch and loops over slices of numbers; functions of text, dates and
// documents are Go functions of one [Row] under a common loop. Arguments come
// flat or constant: dictionaries and runs are taken apart by the caller, who
// calls the kernel once per entry where only one argument varies.
//
// A row is null where one of its arguments is, unless the signature says that
// the kernel sees nulls itself. What a kernel returns is its own and valid
// until its next call. A kernel belongs to one goroutine.
//
// Calls whose arguments are all literals are worked out when a query is
// compiled, by the Fold resolver: Pinot runs other code there, whose arguments
// and results may have other types. Names are looked up as Pinot does: without
// regard to case or underscores.
package fn
