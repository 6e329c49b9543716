//go:build !purego

#include "textflag.h"

// func fillAVX2(dst unsafe.Pointer, bytes int, low, high uint64)
//
// Repeats 16 bytes over at least 32.
TEXT ·fillAVX2(SB), NOSPLIT, $0-32
	MOVQ           dst+0(FP), DI
	MOVQ           bytes+8(FP), CX
	VBROADCASTI128 low+16(FP), Y0
	LEAQ           -32(DI)(CX*1), R8

	SUBQ $256, CX
	JB   rest

most:
	VMOVDQU Y0, (DI)
	VMOVDQU Y0, 32(DI)
	VMOVDQU Y0, 64(DI)
	VMOVDQU Y0, 96(DI)
	VMOVDQU Y0, 128(DI)
	VMOVDQU Y0, 160(DI)
	VMOVDQU Y0, 192(DI)
	VMOVDQU Y0, 224(DI)
	ADDQ    $256, DI
	SUBQ    $256, CX
	JAE     most

rest:
	CMPQ    DI, R8
	JAE     last
	VMOVDQU Y0, (DI)
	ADDQ    $32, DI
	JMP     rest

last:
	// Over what is there already, as the number of bytes may be odd.
	VMOVDQU Y0, (R8)
	VZEROUPPER
	RET

// func runsAVX2(dst, values unsafe.Pointer, bounds *uint32, count, roomBytes, shift int, lengths bool) (runs, written int)
//
// Writes runs of values of 1<<shift bytes, 4, 8 or 16, as long as a run ends 256
// bytes before the room does, which has as many at least. Up to 64 bytes of a run
// are written without a branch, further ones 256 at a time. written is in bytes.
TEXT ·runsAVX2(SB), NOSPLIT, $0-72
	MOVQ    dst+0(FP), DI
	MOVQ    values+8(FP), SI
	MOVQ    bounds+16(FP), DX
	MOVQ    count+24(FP), R12
	MOVQ    roomBytes+32(FP), R8
	MOVQ    shift+40(FP), CX
	MOVBQZX lengths+48(FP), R14
	LEAQ    (DX)(R12*4), R12     // behind the last bound
	LEAQ    -256(DI)(R8*1), R8   // the last possible end
	NEGQ    R14                  // adds lengths up, and leaves ends alone
	MOVQ    DI, R13              // what bounds count from
	MOVQ    SI, BX
	MOVL    $1, R15
	SHLQ    CX, R15              // bytes of a value

next:
	CMPQ DX, R12
	JGE  done
	MOVL (DX), R9
	SHLQ CX, R9
	LEAQ (R13)(R9*1), R10
	CMPQ R10, R8
	JHI  done
	ANDQ R14, R9
	ADDQ R9, R13
	CMPQ R15, $8
	JB   four
	JA   sixteen
	VPBROADCASTQ (SI), Y0

write:
	VMOVDQU Y0, (DI)
	VMOVDQU Y0, 32(DI)
	ADDQ    $64, DI
	CMPQ    DI, R10
	JAE     written

more:
	VMOVDQU Y0, (DI)
	VMOVDQU Y0, 32(DI)
	VMOVDQU Y0, 64(DI)
	VMOVDQU Y0, 96(DI)
	VMOVDQU Y0, 128(DI)
	VMOVDQU Y0, 160(DI)
	VMOVDQU Y0, 192(DI)
	VMOVDQU Y0, 224(DI)
	ADDQ    $256, DI
	CMPQ    DI, R10
	JB      more

written:
	MOVQ R10, DI
	ADDQ R15, SI
	ADDQ $4, DX
	JMP  next

four:
	VPBROADCASTD (SI), Y0
	JMP          write

sixteen:
	VBROADCASTI128 (SI), Y0
	JMP            write

done:
	SUBQ dst+0(FP), DI
	MOVQ DI, written+64(FP)
	SUBQ BX, SI
	SHRQ CX, SI
	MOVQ SI, runs+56(FP)
	VZEROUPPER
	RET
