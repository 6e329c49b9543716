//go:build !purego

package kernel

import "golang.org/x/sys/cpu"

// What the processor can, as far as loops in assembly need it.
var (
	hasAVX2 = cpu.X86.HasAVX2
	// hasBMI2 is for loops that are faster by PEXT, which needs hundreds of
	// cycles before AMD's family 19h.
	hasBMI2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT && (!madeByAMD() || family() >= 0x19)
)

// madeByAMD reports whether the vendor is AuthenticAMD, or Hygon, which makes its kin.
func madeByAMD() bool {
	_, vendor := cpuid(0)
	const amd, hygon = 0x68747541, 0x6f677948 // "Auth" and "Hygo"
	return vendor == amd || vendor == hygon
}

func family() uint32 {
	version, _ := cpuid(1)
	return version>>8&0xf + version>>20&0xff
}

func cpuid(leaf uint32) (eax, ebx uint32)
