// Package kernel holds the inner loops that other packages share: bit
// unpacking, gathering, scattering, filling and sums over slices. Each loop is
// dispatched once per call, never per value.
//
// Unpacking, filling, runs and varints have loops in assembly for amd64, which
// are taken where the processor has what they need; their portable twins do the
// rest, all of it with the build tag "purego". The same tests hold both.
//
// Values are stored little-endian, least significant bit first, and the host
// is little-endian too. No function trusts its input: what a caller must
// guarantee is said at each, and breaking it panics as an index out of range
// does, but never reads or writes beyond a slice.
package kernel

// Integer is what the loops over integers work on.
type Integer interface {
	uint8 | uint16 | uint32 | uint64
}
