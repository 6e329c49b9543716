package tablet

// DefaultChunkLimitBytes is how large a compressed chunk may be once it is raw,
// whatever the stream, unless the reader says otherwise.
const DefaultChunkLimitBytes = 64 << 20

// What raw bytes may take beyond that, as decoders may.
const (
	bytesPerRow   = 64
	bytesPerInput = 16
	spareBytes    = 64 << 10
)

// ChunkLimit returns the most bytes that a compressed chunk may say it holds
// before its reader asks for memory: limitBytes, where 0 stands for
// [DefaultChunkLimitBytes], or if that is more 64 for each of the stripe's rows
// and 16 for each of the stream's storedBytes, and 64 KiB. It lets honest data
// compress as well as it can, and keeps a few bytes from costing gigabytes.
func ChunkLimit(limitBytes, rows, storedBytes int) int {
	if limitBytes == 0 {
		limitBytes = DefaultChunkLimitBytes
	}
	return max(limitBytes, bytesPerRow*rows+bytesPerInput*storedBytes+spareBytes)
}

// CheckLimit returns an error that wraps [ErrUnsupported] if rawBytes, which
// chunks say they hold, are more than limitBytes, a result of [ChunkLimit].
func CheckLimit(rawBytes, limitBytes int) error {
	if rawBytes > limitBytes {
		return unsupportedf("chunk: %d raw bytes exceed the limit of %d", rawBytes, limitBytes)
	}
	return nil
}
