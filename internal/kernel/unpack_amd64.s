//go:build !purego

#include "textflag.h"

// Four values of 64 bits or eight of 32 come out of each register: the bytes of
// each value are shuffled to its place, shifted by what is left of its bit, and
// masked. Where the values are is worked out here, from the width, so that no
// tables are needed:
//
//	bit k of the group = phase + k*width; byte = bit>>3; shift = bit&7

// The numbers of the values.
DATA numbers64<>+0(SB)/8, $0
DATA numbers64<>+8(SB)/8, $1
DATA numbers64<>+16(SB)/8, $2
DATA numbers64<>+24(SB)/8, $3
GLOBL numbers64<>(SB), RODATA|NOPTR, $32

DATA numbers32<>+0(SB)/8, $0x0000000100000000
DATA numbers32<>+8(SB)/8, $0x0000000300000002
DATA numbers32<>+16(SB)/8, $0x0000000500000004
DATA numbers32<>+24(SB)/8, $0x0000000700000006
GLOBL numbers32<>(SB), RODATA|NOPTR, $32

// What repeats the low byte of each value in all of its bytes.
DATA repeat64<>+0(SB)/8, $0x0000000000000000
DATA repeat64<>+8(SB)/8, $0x0808080808080808
DATA repeat64<>+16(SB)/8, $0x0000000000000000
DATA repeat64<>+24(SB)/8, $0x0808080808080808
GLOBL repeat64<>(SB), RODATA|NOPTR, $32

DATA repeat32<>+0(SB)/8, $0x0404040400000000
DATA repeat32<>+8(SB)/8, $0x0c0c0c0c08080808
DATA repeat32<>+16(SB)/8, $0x0404040400000000
DATA repeat32<>+24(SB)/8, $0x0c0c0c0c08080808
GLOBL repeat32<>(SB), RODATA|NOPTR, $32

// The bytes of a value.
DATA bytes64<>+0(SB)/8, $0x0706050403020100
GLOBL bytes64<>(SB), RODATA|NOPTR, $8

DATA bytes32<>+0(SB)/4, $0x03020100
GLOBL bytes32<>(SB), RODATA|NOPTR, $4

// func unpack64AVX2(dst, src unsafe.Pointer, groups, width, phase int, bases unsafe.Pointer, frames int)
//
// The groups are those of each frame, which has a base of its own. Loads 16 bytes at 0, (2w+phase)/8, (4w+phase)/8 and (6w+phase)/8 of each group.
TEXT ·unpack64AVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ groups+16(FP), CX
	MOVQ width+24(FP), R11
	MOVQ phase+32(FP), R12
	MOVQ bases+40(FP), BX
	MOVQ frames+48(FP), R13
	MOVQ CX, DX
	VPBROADCASTQ (BX), Y15
	CMPQ R11, $64
	JEQ  whole

	VPBROADCASTQ width+24(FP), Y0
	VPBROADCASTQ phase+32(FP), Y1

	// Y14 = mask
	VPCMPEQQ Y14, Y14, Y14
	VMOVQ    R11, X2
	VPSLLQ   X2, Y14, Y2
	VPANDN   Y14, Y2, Y14

	// The bits of the values: Y2 of the first four, Y3 of the others.
	VPMULUDQ numbers64<>(SB), Y0, Y2
	VPADDQ   Y1, Y2, Y2
	VPSLLQ   $2, Y0, Y0
	VPADDQ   Y0, Y2, Y3

	// R8, R9, R10 = where the second to the fourth pair of values start
	LEAQ (R12)(R11*2), R8
	SHRQ $3, R8
	LEAQ (R12)(R11*4), R9
	LEAQ (R9)(R11*2), R10
	SHRQ $3, R9
	SHRQ $3, R10

	// Bytes to Y4 and Y5, bits within them to Y10 and Y11.
	VPSRLQ $3, Y2, Y4
	VPSRLQ $3, Y3, Y5
	VPSLLQ $3, Y4, Y6
	VPSLLQ $3, Y5, Y7
	VPSUBQ Y6, Y2, Y10
	VPSUBQ Y7, Y3, Y11

	CMPQ R11, $14
	JLE  tiny
	CMPQ R11, $30
	JLE  narrow

	VPSHUFD      $0x44, Y4, Y6
	VPSHUFD      $0x44, Y5, Y7
	VPSUBQ       Y6, Y4, Y4
	VPSUBQ       Y7, Y5, Y5
	VPBROADCASTQ bytes64<>(SB), Y6
	VPSHUFB      repeat64<>(SB), Y4, Y4
	VPSHUFB      repeat64<>(SB), Y5, Y5
	VPADDB       Y6, Y4, Y12
	VPADDB       Y6, Y5, Y13

pairs:
	VMOVDQU     (SI), X0
	VINSERTI128 $1, (SI)(R8*1), Y0, Y0
	VMOVDQU     (SI)(R9*1), X1
	VINSERTI128 $1, (SI)(R10*1), Y1, Y1
	VPSHUFB     Y12, Y0, Y0
	VPSHUFB     Y13, Y1, Y1
	VPSRLVQ     Y10, Y0, Y0
	VPSRLVQ     Y11, Y1, Y1
	VPAND       Y14, Y0, Y0
	VPAND       Y14, Y1, Y1
	VPADDQ      Y15, Y0, Y0
	VPADDQ      Y15, Y1, Y1
	VMOVDQU     Y0, (DI)
	VMOVDQU     Y1, 32(DI)
	ADDQ        R11, SI
	ADDQ        $64, DI
	DECQ        CX
	JNZ         pairs
	MOVQ        DX, CX
	ADDQ        $8, BX
	DECQ        R13
	JZ          done
	VPBROADCASTQ (BX), Y15
	JMP         pairs

narrow:
	// All four values lie in the same 16 bytes.
	VPBROADCASTQ X4, Y6
	VPBROADCASTQ X5, Y7
	VPSUBQ       Y6, Y4, Y4
	VPSUBQ       Y7, Y5, Y5
	VPBROADCASTQ bytes64<>(SB), Y6
	VPSHUFB      repeat64<>(SB), Y4, Y4
	VPSHUFB      repeat64<>(SB), Y5, Y5
	VPADDB       Y6, Y4, Y12
	VPADDB       Y6, Y5, Y13

fours:
	VBROADCASTI128 (SI), Y0
	VBROADCASTI128 (SI)(R9*1), Y1
	VPSHUFB        Y12, Y0, Y0
	VPSHUFB        Y13, Y1, Y1
	VPSRLVQ        Y10, Y0, Y0
	VPSRLVQ        Y11, Y1, Y1
	VPAND          Y14, Y0, Y0
	VPAND          Y14, Y1, Y1
	VPADDQ         Y15, Y0, Y0
	VPADDQ         Y15, Y1, Y1
	VMOVDQU        Y0, (DI)
	VMOVDQU        Y1, 32(DI)
	ADDQ           R11, SI
	ADDQ           $64, DI
	DECQ        CX
	JNZ         fours
	MOVQ        DX, CX
	ADDQ        $8, BX
	DECQ        R13
	JZ          done
	VPBROADCASTQ (BX), Y15
	JMP         fours

tiny:
	// All four values lie in the same eight bytes.
	VPBROADCASTQ X5, Y7
	VPSLLQ       $3, Y7, Y7
	VPSUBQ       Y7, Y3, Y3

words:
	VPBROADCASTQ (SI), Y0
	VPBROADCASTQ (SI)(R9*1), Y1
	VPSRLVQ      Y2, Y0, Y0
	VPSRLVQ      Y3, Y1, Y1
	VPAND        Y14, Y0, Y0
	VPAND        Y14, Y1, Y1
	VPADDQ       Y15, Y0, Y0
	VPADDQ       Y15, Y1, Y1
	VMOVDQU      Y0, (DI)
	VMOVDQU      Y1, 32(DI)
	ADDQ         R11, SI
	ADDQ         $64, DI
	DECQ        CX
	JNZ         words
	MOVQ        DX, CX
	ADDQ        $8, BX
	DECQ        R13
	JZ          done
	VPBROADCASTQ (BX), Y15
	JMP         words

whole:
	VPADDQ  (SI), Y15, Y0
	VPADDQ  32(SI), Y15, Y1
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ    $64, SI
	ADDQ    $64, DI
	DECQ        CX
	JNZ         whole
	MOVQ        DX, CX
	ADDQ        $8, BX
	DECQ        R13
	JZ          done
	VPBROADCASTQ (BX), Y15
	JMP         whole

done:
	VZEROUPPER
	RET

// func unpack32AVX2(dst, src unsafe.Pointer, groups, width, phase int, bases unsafe.Pointer, frames int)
//
// Loads 16 bytes at 0 and (4w+phase)/8 of each group, and from 26 bits on those
// of unpack64AVX2.
TEXT ·unpack32AVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ groups+16(FP), CX
	MOVQ width+24(FP), R11
	MOVQ phase+32(FP), R12
	MOVQ bases+40(FP), BX
	MOVQ frames+48(FP), R13
	MOVQ CX, DX
	VPBROADCASTD (BX), Y15
	CMPQ R11, $32
	JEQ  whole

	VPBROADCASTD width+24(FP), Y0
	VPBROADCASTD phase+32(FP), Y1

	// Y14 = mask
	VPCMPEQD Y14, Y14, Y14
	VMOVQ    R11, X2
	VPSLLD   X2, Y14, Y2
	VPANDN   Y14, Y2, Y14

	// Bytes to Y4, bits within them to Y10.
	VPMULLD numbers32<>(SB), Y0, Y2
	VPADDD  Y1, Y2, Y2
	VPSRLD  $3, Y2, Y4
	VPSLLD  $3, Y4, Y6
	VPSUBD  Y6, Y2, Y10

	// R9 = where the second four values start
	LEAQ (R12)(R11*4), R9
	SHRQ $3, R9

	CMPQ R11, $15
	JLE  narrow
	CMPQ R11, $25
	JGT  wide

	VPSHUFD      $0, Y4, Y6
	VPSUBD       Y6, Y4, Y4
	VPBROADCASTD bytes32<>(SB), Y6
	VPSHUFB      repeat32<>(SB), Y4, Y4
	VPADDB       Y6, Y4, Y12

fours:
	VMOVDQU     (SI), X0
	VINSERTI128 $1, (SI)(R9*1), Y0, Y0
	VPSHUFB     Y12, Y0, Y0
	VPSRLVD     Y10, Y0, Y0
	VPAND       Y14, Y0, Y0
	VPADDD      Y15, Y0, Y0
	VMOVDQU     Y0, (DI)
	ADDQ        R11, SI
	ADDQ        $32, DI
	DECQ        CX
	JNZ         fours
	MOVQ        DX, CX
	ADDQ        $4, BX
	DECQ        R13
	JZ          done
	VPBROADCASTD (BX), Y15
	JMP         fours

narrow:
	// All eight values lie in the same 16 bytes.
	VPBROADCASTD bytes32<>(SB), Y6
	VPSHUFB      repeat32<>(SB), Y4, Y4
	VPADDB       Y6, Y4, Y12

eights:
	VBROADCASTI128 (SI), Y0
	VPSHUFB        Y12, Y0, Y0
	VPSRLVD        Y10, Y0, Y0
	VPAND          Y14, Y0, Y0
	VPADDD         Y15, Y0, Y0
	VMOVDQU        Y0, (DI)
	ADDQ           R11, SI
	ADDQ           $32, DI
	DECQ        CX
	JNZ         eights
	MOVQ        DX, CX
	ADDQ        $4, BX
	DECQ        R13
	JZ          done
	VPBROADCASTD (BX), Y15
	JMP         eights

wide:
	// With its shift a value may exceed 32 bits: decoded like those of 64, the
	// first four to Y0, the others to Y1, and then brought together.
	VPMOVZXDQ    X10, Y11
	VEXTRACTI128 $1, Y10, X10
	VPMOVZXDQ    X10, Y10
	VPMOVZXDQ    X4, Y5
	VEXTRACTI128 $1, Y4, X4
	VPMOVZXDQ    X4, Y4
	VPSHUFD      $0x44, Y5, Y6
	VPSHUFD      $0x44, Y4, Y7
	VPSUBQ       Y6, Y5, Y5
	VPSUBQ       Y7, Y4, Y4
	VPBROADCASTQ bytes64<>(SB), Y6
	VPSHUFB      repeat64<>(SB), Y5, Y5
	VPSHUFB      repeat64<>(SB), Y4, Y4
	VPADDB       Y6, Y5, Y12
	VPADDB       Y6, Y4, Y13
	LEAQ         (R12)(R11*2), R8
	SHRQ         $3, R8
	LEAQ         (R12)(R11*4), R10
	LEAQ         (R10)(R11*2), R10
	SHRQ         $3, R10

pairs:
	VMOVDQU     (SI), X0
	VINSERTI128 $1, (SI)(R8*1), Y0, Y0
	VMOVDQU     (SI)(R9*1), X1
	VINSERTI128 $1, (SI)(R10*1), Y1, Y1
	VPSHUFB     Y12, Y0, Y0
	VPSHUFB     Y13, Y1, Y1
	VPSRLVQ     Y11, Y0, Y0
	VPSRLVQ     Y10, Y1, Y1
	VSHUFPS     $0x88, Y1, Y0, Y0
	VPERMQ      $0xd8, Y0, Y0
	VPAND       Y14, Y0, Y0
	VPADDD      Y15, Y0, Y0
	VMOVDQU     Y0, (DI)
	ADDQ        R11, SI
	ADDQ        $32, DI
	DECQ        CX
	JNZ         pairs
	MOVQ        DX, CX
	ADDQ        $4, BX
	DECQ        R13
	JZ          done
	VPBROADCASTD (BX), Y15
	JMP         pairs

whole:
	VPADDD  (SI), Y15, Y0
	VMOVDQU Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ        CX
	JNZ         whole
	MOVQ        DX, CX
	ADDQ        $4, BX
	DECQ        R13
	JZ          done
	VPBROADCASTD (BX), Y15
	JMP         whole

done:
	VZEROUPPER
	RET
