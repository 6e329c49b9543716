package tablet

import "github.com/zeebo/xxh3"

// verifyBytes is how much is read at once to compute a checksum.
const verifyBytes = 1 << 20

// VerifyChecksum reads the whole file and compares its checksum with that of the
// postscript. The error is [ErrChecksum] in a [PlaceError] if they differ.
func (t *Tablet) VerifyChecksum() error {
	const place = "postscript"
	pos := t.size - PostscriptLen
	if t.postscript.ChecksumKind != checksumXXH3 {
		return at(place, pos, unsupportedf("checksum of kind %d", t.postscript.ChecksumKind))
	}
	h := xxh3.New()
	end := pos + hashedLen
	buf := make([]byte, min(verifyBytes, end))
	for from := uint64(0); from < end; from += uint64(len(buf)) {
		buf = buf[:min(uint64(len(buf)), end-from)]
		if err := readFull(t.file, buf, from); err != nil {
			return at("data", from, err)
		}
		if _, err := h.Write(buf); err != nil {
			return err
		}
	}
	if h.Sum64() != t.postscript.Checksum {
		return at(place, pos, ErrChecksum)
	}
	return nil
}
