package fn

import (
	"encoding/hex"
	"strings"
	"testing"
)

// call works a call of literals out.
func call(t *testing.T, name string, args ...Value) Value {
	t.Helper()
	v, err := Lookup(name).Evaluate(nil, args)
	if err != nil {
		t.Fatalf("%s(%v): %v", name, args, err)
	}
	return v
}

func bytesOf(s string) Value { return Value{Type: Bytes, S: s} }

// TestDigests has what Pinot gave.
func TestDigests(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"md2", "", "8350e5a3e24c153df2275c9f80692773"},
		{"md2", "hello", "a9046c73e00331af68917d3804f70655"},
		{"sha224", "hello", "b87f88c72702fff1748e58b87e9141a42c0dbedc29a78cb0d4a5cd81"},
		{"cityhash128", "", "3df09dfc64c09a2b3cb540c392e51e29"},
		{"cityhash128", "hello", "6f72e4abb491a74a65148f580b45f347"},
	} {
		got := call(t, c.name, bytesOf(c.text))
		text := got.S
		if got.Type == Bytes {
			text = hex.EncodeToString([]byte(text))
		}
		if text != c.want {
			t.Errorf("%s(%q) = %s, want %s", c.name, c.text, text, c.want)
		}
	}
	if got := call(t, "murmurhash3x64bit64", bytesOf("hello"), Value{Type: Int}); got.I != -438922741 {
		t.Errorf("murmurhash3x64bit64 is %d", got.I)
	}
}

// TestCity has a text of each length that the algorithm treats in its own way,
// and what the reference implementation (PyPI cityhash) gave.
func TestCity(t *testing.T) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 8)
	for _, c := range []struct {
		size  int
		short int32
		wide  uint64
		both  string
	}{
		{3, 132453154, 0x85887769ddcc73fd, "6aaef3af21eba0575d54e39f175e0223"},
		{7, -1076471610, 0xfb3b4353192e2b87, "970cd9f6e524d429c7a10ab5917e05e2"},
		{12, -1284729160, 0xdeb1ca71b4dcc987, "d46e5c5551e59a7c414127c63e366842"},
		{13, 957735728, 0x87488205dd06de61, "10ad20865160860e95e72e8450100dc9"},
		{16, -950555686, 0x3bf6bd3bebd31655, "23d3631f91332e5fe171f2b961d9f4fa"},
		{24, 1272637283, 0x5d038073ebd56935, "23c1bf090926f52931407d26d4ba82fd"},
		{25, 191877861, 0x14dd52721d1c6db7, "1d06313ad4ac90450033466b8b9214f2"},
		{32, 1564522634, 0xb65964dee7761262, "8a4d91c31962c8b2e34f5f2cd5292e8e"},
		{33, 1154644040, 0xb5c7155822e04c23, "154dbd8d046e1a014a3f9fd627757c62"},
		{60, -1540845015, 0xa1f9dada4c950b6f, "679ede2376704dc46127e8ab558a26c1"},
		{64, -943332772, 0xfe0f9abc60b3b73b, "57ab35954a851d168894b59cde28a644"},
		{65, -412054181, 0xd8cabc8da9bf3925, "056a9a5f37f37d242f9a29f3bdfa5dba"},
		{127, -1359262766, 0x3c95a494e5037329, "6b70e14fb469959c997a23a9d3de95c3"},
		{128, 1508514728, 0x23e5fc66a4d66b98, "233dc381be74c02e93d36108e7970a31"},
		{143, 125056931, 0xd0569444f6e1764f, "4aa34b5033306cb67e694a38398272fe"},
		{144, -1952881422, 0xe8bf08d6de262086, "df780003a8ddc9d583b3dd4e204cda0a"},
		{150, -1655031409, 0x2cd570eff32b020c, "6bccb649c987831843359e2afe92fe63"},
		{300, -1615594779, 0xc3d418d5bd8f20a9, "09657599873f0e1f248a8455c2224c79"},
		{360, 1166857053, 0x3339e007b93c3f87, "f9c3c136365e2367dd211591344bc1d0"},
	} {
		b := bytesOf(text[:c.size])
		if got := call(t, "cityhash32", b); int32(got.I) != c.short {
			t.Errorf("cityhash32 of %d bytes is %d, want %d", c.size, got.I, c.short)
		}
		if got := call(t, "cityhash64", b); uint64(got.I) != c.wide {
			t.Errorf("cityhash64 of %d bytes is %x, want %x", c.size, got.I, c.wide)
		}
		if got := hex.EncodeToString([]byte(call(t, "cityhash128", b).S)); got != c.both {
			t.Errorf("cityhash128 of %d bytes is %s, want %s", c.size, got, c.both)
		}
	}
}
