//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// What the processor can, as far as loops in assembly need it.
var (
	hasAVX2 = cpu.X86.HasAVX2
)
