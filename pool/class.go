package pool

import "math/bits"

const (
	minClassBytes = 64
	stepsLog2     = 2 // four classes to each power of two
	steps         = 1 << stepsLog2
	minClassLog2  = 6
	numClasses    = (48-minClassLog2)*steps + 1
	numGroups     = 48 - minClassLog2 + 1
)

// classOf returns the smallest class whose buffers have at least n bytes.
func classOf(n int) int {
	if n <= minClassBytes {
		return 0
	}
	// The top bits of n-1 choose the power of two and the step within it.
	m := uint64(n - 1)
	exp := bits.Len64(m) - 1
	step := int(m>>(exp-stepsLog2)) & (steps - 1)
	return (exp-minClassLog2)*steps + step + 1
}

// classBytes returns the size of the buffers of class c.
func classBytes(c int) int {
	exp := c/steps + minClassLog2
	return (steps + c%steps) << (exp - stepsLog2)
}

// groupOf returns the group of class c: one for each power of two, which is its
// largest class.
func groupOf(c int) int { return (c + steps - 1) / steps }
