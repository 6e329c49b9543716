//go:build armbe || arm64be || m68k || mips || mips64 || mips64p32 || ppc || ppc64 || s390 || s390x || shbe || sparc || sparc64

package vector

// Views and encoded values are read as the host's own numbers, so that a
// big-endian host would read others. It is told here, by an identifier that does
// not exist, instead of by wrong results.
var _ = bigEndianHostsAreNotSupported
