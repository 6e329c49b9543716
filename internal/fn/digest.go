package fn

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"hash/adler32"
	"hash/crc32"
	"slices"
)

// digests is the family of checksums and digests of bytes.
var digests = slices.Concat(cities, []Function{
	{Name: "md2", Rows: digest(appendMD2)},
	{Name: "md5", Rows: digest(func(dst, b []byte) []byte { s := md5.Sum(b); return append(dst, s[:]...) })},
	{Name: "sha", Rows: digest(func(dst, b []byte) []byte { s := sha1.Sum(b); return append(dst, s[:]...) })},
	// Pinot's sha224 is of the third family.
	{Name: "sha224", Rows: digest(func(dst, b []byte) []byte { s := sha3.Sum224(b); return append(dst, s[:]...) })},
	{Name: "sha256", Rows: digest(func(dst, b []byte) []byte { s := sha256.Sum256(b); return append(dst, s[:]...) })},
	{Name: "sha512", Rows: digest(func(dst, b []byte) []byte { s := sha512.Sum512(b); return append(dst, s[:]...) })},
	{Name: "adler32", Rows: checksum(adler32.Checksum)},
	{Name: "crc32", Rows: checksum(crc32.ChecksumIEEE)},
	{Name: "crc32c", Rows: checksum(func(b []byte) uint32 { return crc32.Checksum(b, castagnoli) })},
})

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// digest is shown in hexadecimal digits.
func digest(sum func(dst, b []byte) []byte) Resolver {
	return takes(String, rows(func(r *Row) error {
		var raw [sha512.Size]byte
		r.Out = hex.AppendEncode(r.Out, sum(raw[:0], r.Text(0)))
		return nil
	}), Bytes)
}

func checksum(sum func([]byte) uint32) Resolver {
	return takes(Int, rows(func(r *Row) error { r.I = int64(int32(sum(r.Text(0)))); return nil }), Bytes)
}
