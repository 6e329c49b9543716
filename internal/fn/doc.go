// Package fn is the registry of SQL functions: for each its name, the types it
// takes and gives, and the kernel that works it out over whole vectors.
//
// Scalar functions are entries of one table in the file of their family;
// aggregates are entries of another. A kernel is a loop over slices, called
// once per batch. Names are looked up as Pinot does: without regard to case or
// underscores.
package fn
