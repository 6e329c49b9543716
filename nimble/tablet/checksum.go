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
	sum, err := t.hash(pos+hashedLen, verifyBytes)
	if err == nil && sum != t.postscript.Checksum {
		err = at(place, pos, ErrChecksum)
	}
	return err
}

// hash returns the checksum of the file's bytes up to end, of which readBytes are
// read at once.
func (t *Tablet) hash(end, readBytes uint64) (uint64, error) {
	h := xxh3.New()
	buf := make([]byte, min(readBytes, end))
	for from := uint64(0); from < end; from += uint64(len(buf)) {
		buf = buf[:min(uint64(len(buf)), end-from)]
		if err := readFull(t.file, buf, from); err != nil {
			return 0, at("data", from, err)
		}
		if _, err := h.Write(buf); err != nil {
			return 0, err
		}
	}
	return h.Sum64(), nil
}
