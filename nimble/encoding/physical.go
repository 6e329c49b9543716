package encoding

import "unsafe"

// sizeOf returns the bytes of a T.
func sizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}
