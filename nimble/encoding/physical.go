package encoding

import (
	"unsafe"

	"github.com/decantdb/decant/vector"
)

// sizeOf returns the bytes of a T.
func sizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}

// isView reports whether T is a string view.
func isView[T Physical]() bool { return sizeOf[T]() == sizeOf[vector.View]() }
