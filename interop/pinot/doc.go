// Package pinot checks package datatable against Apache Pinot itself, and
// measures both.
//
// The Java half in src drives the builder and the reader of a Pinot release,
// which Maven brings. [Peer] talks to it. With the build tag pinot, tests give
// random tables to both builders, compare the bytes, and compare what both
// readers find in them. Command bench measures [Shapes] on both sides.
package pinot
