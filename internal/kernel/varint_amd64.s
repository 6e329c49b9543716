//go:build !purego

#include "textflag.h"

// The bits of a value of 1 to 8 bytes, and then of more, among its first eight.
DATA firstBits<>+0(SB)/8, $0x7f
DATA firstBits<>+8(SB)/8, $0x7f7f
DATA firstBits<>+16(SB)/8, $0x7f7f7f
DATA firstBits<>+24(SB)/8, $0x7f7f7f7f
DATA firstBits<>+32(SB)/8, $0x7f7f7f7f7f
DATA firstBits<>+40(SB)/8, $0x7f7f7f7f7f7f
DATA firstBits<>+48(SB)/8, $0x7f7f7f7f7f7f7f
DATA firstBits<>+56(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA firstBits<>+64(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA firstBits<>+72(SB)/8, $0x7f7f7f7f7f7f7f7f
DATA firstBits<>+80(SB)/8, $0
DATA firstBits<>+88(SB)/8, $0
DATA firstBits<>+96(SB)/8, $0
DATA firstBits<>+104(SB)/8, $0
DATA firstBits<>+112(SB)/8, $0
DATA firstBits<>+120(SB)/8, $0
GLOBL firstBits<>(SB), RODATA|NOPTR, $128

// The bits of a value of 1 to 10 bytes among the ninth and the tenth.
DATA lastBits<>+0(SB)/8, $0
DATA lastBits<>+8(SB)/8, $0
DATA lastBits<>+16(SB)/8, $0
DATA lastBits<>+24(SB)/8, $0
DATA lastBits<>+32(SB)/8, $0
DATA lastBits<>+40(SB)/8, $0
DATA lastBits<>+48(SB)/8, $0
DATA lastBits<>+56(SB)/8, $0
DATA lastBits<>+64(SB)/8, $0x7f
DATA lastBits<>+72(SB)/8, $0x017f
DATA lastBits<>+80(SB)/8, $0
DATA lastBits<>+88(SB)/8, $0
DATA lastBits<>+96(SB)/8, $0
DATA lastBits<>+104(SB)/8, $0
DATA lastBits<>+112(SB)/8, $0
DATA lastBits<>+120(SB)/8, $0
GLOBL lastBits<>(SB), RODATA|NOPTR, $128

// Seven bits of each byte, and the factors that bring those of two together.
DATA low7<>+0(SB)/8, $0x7f7f7f7f7f7f7f7f
GLOBL low7<>(SB), RODATA|NOPTR, $8
DATA join7<>+0(SB)/8, $0x8001800180018001
GLOBL join7<>(SB), RODATA|NOPTR, $8

// VALUE decodes the next value by its last byte, the lowest bit of R10, and
// BX, where it starts. What follows the last value of a block is garbage.
#define VALUE \
	TZCNTQ R10, AX               \
	MOVQ   (SI)(BX*1), DX        \
	BLSRQ  R10, R10              \
	MOVQ   AX, R13               \
	SUBQ   BX, R13               \
	ANDL   $7, R13               \
	PEXTQ  (R12)(R13*8), DX, DX  \
	ADDQ   R15, DX               \
	MOVQ   DX, (DI)              \
	LEAQ   1(AX), BX             \
	ADDQ   R9, DI

// func varintsBMI2(dst, src unsafe.Pointer, n, srcBytes int, base uint64, size int) (values, bytes int)
//
// Decodes up to n values to dst, of size bytes each, 4 or 8, and may write 32
// values more, which are garbage. It stops where less than 80 bytes are left, or
// at a value that is too long.
TEXT ·varintsBMI2(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), R14
	MOVQ srcBytes+24(FP), R8
	MOVQ base+32(FP), R15
	MOVQ size+40(FP), R9
	LEAQ -80(SI)(R8*1), R8
	LEAQ firstBits<>(SB), R12
	VPBROADCASTQ low7<>(SB), Y14
	VPBROADCASTQ join7<>(SB), Y13
	VMOVQ R15, X15
	CMPQ R9, $4
	JEQ  narrow
	VPBROADCASTQ X15, Y15
	JMP  block

narrow:
	VPBROADCASTD X15, Y15

block:
	// R14 values are left. R11 = bytes of 64 that go on, R10 = last bytes
	TESTQ R14, R14
	JLE   done
	CMPQ  SI, R8
	JHI   done
	VMOVDQU   (SI), Y0
	VMOVDQU   32(SI), Y1
	VPMOVMSKB Y0, R11
	VPMOVMSKB Y1, R10
	TESTL R11, R11
	JEQ   ones
	CMPL  R11, $0x55555555
	JEQ   twos
	SHLQ  $32, R10
	ORQ   R10, R11
	MOVQ  R11, R10
	NOTQ  R10

	// Few values of several bytes: those of one byte first.
	LEAQ    (R11)(R11*1), AX
	ANDNQ   R11, AX, AX
	POPCNTQ AX, AX
	POPCNTQ R10, CX
	SHLQ    $2, AX
	CMPQ    AX, CX
	JLE     few

	// Eight in a row that go on are a value of more than eight bytes, ten are none.
	MOVQ R11, AX
	SHRQ $1, AX
	ANDQ R11, AX
	MOVQ AX, DX
	SHRQ $2, DX
	ANDQ DX, AX
	MOVQ AX, DX
	SHRQ $4, DX
	ANDQ AX, DX

	// CX = values to take, R13 = where they end
	CMPQ    CX, R14
	CMOVQGT R14, CX
	MOVQ    R10, R13
	LEAQ    -1(CX), AX
	MOVL    $1, BX
	SHLXQ   AX, BX, BX
	PDEPQ   R13, BX, R13
	TZCNTQ  R13, R13
	INCQ    R13
	VMOVQ   R13, X2
	SUBQ    CX, R14
	MOVQ    CX, AX
	IMULQ   R9, AX
	ADDQ    DI, AX
	VMOVQ   AX, X3
	XORL    BX, BX
	TESTQ   DX, DX
	JNE     long

short:
	VALUE
	VALUE
	VALUE
	VALUE
	SUBQ $4, CX
	JG   short

taken:
	VMOVQ X2, AX
	ADDQ AX, SI
	VMOVQ X3, DI
	JMP  block

long:
	// Ten in a row?
	MOVQ  R11, AX
	SHRQ  $8, AX
	ANDQ  AX, DX
	SHRQ  $1, AX
	TESTQ AX, DX
	JNE   tooLong
	LEAQ  lastBits<>(SB), R11

longer:
	TZCNTQ  R10, AX
	MOVQ    (SI)(BX*1), DX
	BLSRQ   R10, R10
	MOVQ    AX, R13
	SUBQ    BX, R13
	ANDL    $15, R13
	PEXTQ   (R12)(R13*8), DX, DX
	MOVWQZX 8(SI)(BX*1), BX
	PEXTQ   (R11)(R13*8), BX, BX
	SHLQ    $56, BX
	ORQ     BX, DX
	ADDQ    R15, DX
	MOVQ    DX, (DI)
	LEAQ    1(AX), BX
	ADDQ    R9, DI
	DECQ    CX
	JG      longer
	JMP     taken

tooLong:
	// As if the block's values had not been taken.
	ADDQ CX, R14
	JMP  done

few:
	// Up to 32 values of one byte, then one that is longer.
	TZCNTL R11, BX
	CMPQ   R9, $4
	JEQ    fewNarrow
	VPMOVZXBQ (SI), Y0
	VPMOVZXBQ 4(SI), Y1
	VPMOVZXBQ 8(SI), Y2
	VPMOVZXBQ 12(SI), Y3
	VPADDQ    Y15, Y0, Y0
	VPADDQ    Y15, Y1, Y1
	VPADDQ    Y15, Y2, Y2
	VPADDQ    Y15, Y3, Y3
	VMOVDQU   Y0, (DI)
	VMOVDQU   Y1, 32(DI)
	VMOVDQU   Y2, 64(DI)
	VMOVDQU   Y3, 96(DI)
	VPMOVZXBQ 16(SI), Y0
	VPMOVZXBQ 20(SI), Y1
	VPMOVZXBQ 24(SI), Y2
	VPMOVZXBQ 28(SI), Y3
	VPADDQ    Y15, Y0, Y0
	VPADDQ    Y15, Y1, Y1
	VPADDQ    Y15, Y2, Y2
	VPADDQ    Y15, Y3, Y3
	VMOVDQU   Y0, 128(DI)
	VMOVDQU   Y1, 160(DI)
	VMOVDQU   Y2, 192(DI)
	VMOVDQU   Y3, 224(DI)

several:
	CMPQ  BX, R14
	JGE   last
	ADDQ  BX, SI
	SUBQ  BX, R14
	SHRXQ BX, R10, R10
	IMULQ R9, BX
	ADDQ  BX, DI

	// R10 = last bytes from SI on
	TZCNTQ  R10, AX
	CMPQ    AX, $10
	JGE     done
	MOVQ    (SI), DX
	PEXTQ   (R12)(AX*8), DX, DX
	LEAQ    lastBits<>(SB), R11
	MOVWQZX 8(SI), BX
	PEXTQ   (R11)(AX*8), BX, BX
	SHLQ    $56, BX
	ORQ     BX, DX
	ADDQ    R15, DX
	CMPQ    R9, $4
	JEQ     severalNarrow
	MOVQ    DX, (DI)
	LEAQ    1(SI)(AX*1), SI
	ADDQ    R9, DI
	DECQ    R14
	JMP     block

severalNarrow:
	MOVL DX, (DI)
	LEAQ 1(SI)(AX*1), SI
	ADDQ R9, DI
	DECQ R14
	JMP  block

fewNarrow:
	VPMOVZXBD (SI), Y0
	VPMOVZXBD 8(SI), Y1
	VPMOVZXBD 16(SI), Y2
	VPMOVZXBD 24(SI), Y3
	VPADDD    Y15, Y0, Y0
	VPADDD    Y15, Y1, Y1
	VPADDD    Y15, Y2, Y2
	VPADDD    Y15, Y3, Y3
	VMOVDQU   Y0, (DI)
	VMOVDQU   Y1, 32(DI)
	VMOVDQU   Y2, 64(DI)
	VMOVDQU   Y3, 96(DI)
	JMP       several

last:
	// No more than these are wanted.
	ADDQ  R14, SI
	IMULQ R9, R14
	ADDQ  R14, DI
	XORL  R14, R14
	JMP   done

ones:
	// 32 values of one byte.
	MOVL $32, BX
	CMPQ R9, $4
	JEQ  onesNarrow
	VPMOVZXBQ (SI), Y0
	VPMOVZXBQ 4(SI), Y1
	VPMOVZXBQ 8(SI), Y2
	VPMOVZXBQ 12(SI), Y3
	VPADDQ    Y15, Y0, Y0
	VPADDQ    Y15, Y1, Y1
	VPADDQ    Y15, Y2, Y2
	VPADDQ    Y15, Y3, Y3
	VMOVDQU   Y0, (DI)
	VMOVDQU   Y1, 32(DI)
	VMOVDQU   Y2, 64(DI)
	VMOVDQU   Y3, 96(DI)
	VPMOVZXBQ 16(SI), Y0
	VPMOVZXBQ 20(SI), Y1
	VPMOVZXBQ 24(SI), Y2
	VPMOVZXBQ 28(SI), Y3
	VPADDQ    Y15, Y0, Y0
	VPADDQ    Y15, Y1, Y1
	VPADDQ    Y15, Y2, Y2
	VPADDQ    Y15, Y3, Y3
	VMOVDQU   Y0, 128(DI)
	VMOVDQU   Y1, 160(DI)
	VMOVDQU   Y2, 192(DI)
	VMOVDQU   Y3, 224(DI)
	CMPQ      R14, $32
	JLT       last
	ADDQ      $32, SI
	ADDQ      $256, DI
	SUBQ      $32, R14
	JMP       block

onesNarrow:
	VPMOVZXBD (SI), Y0
	VPMOVZXBD 8(SI), Y1
	VPMOVZXBD 16(SI), Y2
	VPMOVZXBD 24(SI), Y3
	VPADDD    Y15, Y0, Y0
	VPADDD    Y15, Y1, Y1
	VPADDD    Y15, Y2, Y2
	VPADDD    Y15, Y3, Y3
	VMOVDQU   Y0, (DI)
	VMOVDQU   Y1, 32(DI)
	VMOVDQU   Y2, 64(DI)
	VMOVDQU   Y3, 96(DI)
	CMPQ      R14, $32
	JLT       last
	ADDQ      $32, SI
	ADDQ      $128, DI
	SUBQ      $32, R14
	JMP       block

twos:
	// 16 values of two bytes.
	VPAND      Y14, Y0, Y0
	VPMADDUBSW Y0, Y13, Y0
	VEXTRACTI128 $1, Y0, X1
	CMPQ       R9, $4
	JEQ        twosNarrow
	VPSRLDQ    $8, X0, X2
	VPSRLDQ    $8, X1, X3
	VPMOVZXWQ  X0, Y0
	VPMOVZXWQ  X2, Y2
	VPMOVZXWQ  X1, Y1
	VPMOVZXWQ  X3, Y3
	VPADDQ     Y15, Y0, Y0
	VPADDQ     Y15, Y2, Y2
	VPADDQ     Y15, Y1, Y1
	VPADDQ     Y15, Y3, Y3
	VMOVDQU    Y0, (DI)
	VMOVDQU    Y2, 32(DI)
	VMOVDQU    Y1, 64(DI)
	VMOVDQU    Y3, 96(DI)
	JMP        sixteen

twosNarrow:
	VPMOVZXWD X0, Y0
	VPMOVZXWD X1, Y1
	VPADDD    Y15, Y0, Y0
	VPADDD    Y15, Y1, Y1
	VMOVDQU   Y0, (DI)
	VMOVDQU   Y1, 32(DI)

sixteen:
	MOVL    $16, BX
	CMPQ    R14, BX
	CMOVQLT R14, BX
	SUBQ    BX, R14
	LEAQ    (SI)(BX*2), SI
	IMULQ   R9, BX
	ADDQ    BX, DI
	JMP     block

done:
	MOVQ n+16(FP), AX
	SUBQ R14, AX
	MOVQ AX, values+48(FP)
	SUBQ src+8(FP), SI
	MOVQ SI, bytes+56(FP)
	VZEROUPPER
	RET
