// Package pool recycles scratch memory across the lifetimes of the things that
// need it.
//
// A [Pool] keeps released buffers in size classes, four to each power of two,
// so that at most a fifth of a buffer is beyond what was asked for. [Get] is
// served from the request's own class or, when that is empty, from a larger
// class up to [LoanFactor] times the request: a loan. A buffer that is too
// small is never touched. When a loan comes home and the borrower's own class
// has fewer buffers than were once wanted of it at the same time, the missing
// buffer is made then. So after one round of work every class holds its peak
// demand, and the same round again makes nothing, in whatever order it asks.
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
