//go:build !purego

#include "textflag.h"

// There is no conversion of 64-bit integers in AVX2. The halves of one become the
// low bits of two doubles, 2^52 + low half and 2^84 + 2^63 + high half (which has
// its sign flipped); less what was added, their sum is the integer, rounded once.
DATA low52<>+0(SB)/8, $0x4330000000000000
GLOBL low52<>(SB), RODATA|NOPTR, $8

DATA high84<>+0(SB)/8, $0x4530000080000000
GLOBL high84<>(SB), RODATA|NOPTR, $8

DATA both84<>+0(SB)/8, $0x4530000080100000
GLOBL both84<>(SB), RODATA|NOPTR, $8

DATA one64<>+0(SB)/8, $1
GLOBL one64<>(SB), RODATA|NOPTR, $8

#define SETUP \
	MOVQ         dst+0(FP), DI; \
	MOVQ         src+8(FP), SI; \
	MOVQ         groups+16(FP), CX; \
	VBROADCASTSD up+24(FP), Y8; \
	VBROADCASTSD down+32(FP), Y9; \
	VPBROADCASTQ low52<>(SB), Y10; \
	VPBROADCASTQ high84<>(SB), Y11; \
	VPBROADCASTQ both84<>(SB), Y12; \
	VPBROADCASTQ one64<>(SB), Y13; \
	VPXOR        Y14, Y14, Y14

// Four decimals at SI to doubles in Y0.
#define FOUR \
	VMOVDQU  (SI), Y0; \
	VPAND    Y13, Y0, Y1; \
	VPSRLQ   $1, Y0, Y0; \
	VPSUBQ   Y1, Y14, Y1; \
	VPXOR    Y1, Y0, Y0; \
	VPBLENDD $0x55, Y0, Y10, Y2; \
	VPSRLQ   $32, Y0, Y0; \
	VPXOR    Y11, Y0, Y0; \
	VSUBPD   Y12, Y0, Y0; \
	VADDPD   Y2, Y0, Y0; \
	VMULPD   Y8, Y0, Y0; \
	VDIVPD   Y9, Y0, Y0; \
	ADDQ     $32, SI

// func decimals64AVX2(dst, src unsafe.Pointer, groups int, up, down float64)
TEXT ·decimals64AVX2(SB), NOSPLIT, $0-40
	SETUP

loop:
	FOUR
	VMOVDQU Y0, (DI)
	ADDQ    $32, DI
	DECQ    CX
	JNZ     loop
	VZEROUPPER
	RET

// func decimals32AVX2(dst, src unsafe.Pointer, groups int, up, down float64)
TEXT ·decimals32AVX2(SB), NOSPLIT, $0-40
	SETUP

loop:
	FOUR
	VCVTPD2PSY Y0, X0
	VMOVDQU    X0, (DI)
	ADDQ       $16, DI
	DECQ       CX
	JNZ        loop
	VZEROUPPER
	RET
