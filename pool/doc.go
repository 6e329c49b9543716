// Package pool recycles scratch memory across the lifetimes of the things that
// need it.
//
// A [Pool] keeps released buffers in size classes, four to each power of two
// from 64 bytes on, and counts demand by groups of classes, one to each power of
// two. All buffers that a group makes have the class of the largest request that
// it has seen, so at most a fifth of them is beyond that request, and each fits
// every request of the group. [Get] is served by the smallest cached buffer that
// is large enough, up to [LoanFactor] times the request's class. A buffer that is
// too small is not touched.
//
// One from a larger group is a loan. When a loan comes home and the borrower's
// group has fewer buffers than were once wanted of it at the same time, the
// missing one is made then; the lent one is dropped if its group has made another
// in its place. When a group's largest request comes home, the group's smaller
// buffers are replaced. So after one round of work every group holds its peak
// demand and no more, and the same round again makes nothing, in whatever order
// it asks, provided that the limits leave room for that.
//
// Exact classes would do the same and need no replacing, but rounds of unlike
// batches would leave three to five times what the largest batch needs.
// Serving each request with whatever fits best would hold the least, but makes
// buffers again and again when requests and releases interleave.
//
// A pool holds at most its limits, in bytes and in buffers: what does not fit
// is left to the garbage collector, larger buffers first. What is outstanding
// is not held and has no limit here; those who ask check sizes first.
//
// Memory holds pointer-free values only (see [Scalar]) and is 8-byte aligned.
//
// A pool belongs to one goroutine. A nil *Pool allocates plainly and recycles
// nothing: the same code, for comparison.
//
// Built with the tag "invariants", released memory is poisoned, writing to it
// is found when it is next handed out, and double and foreign releases panic.
// Without the tag both are ignored: the buffer is not taken, the call has no
// effect.
package pool
