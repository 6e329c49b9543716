package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/decantdb/decant/nimble"
)

func TestVerify(t *testing.T) {
	got := mustRun(t, "verify", flights)
	if !strings.Contains(got, "ok: 336,776 rows in ") {
		t.Errorf("%s", got)
	}
}

// TestVerifyFindsDamage flips a bit in the stream of one column.
func TestVerifyFindsDamage(t *testing.T) {
	raw, err := os.ReadFile(flights)
	if err != nil {
		t.Fatal(err)
	}
	f, err := openNimble(flights)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	group, err := f.nimble.Tablet().Group(0)
	if err != nil {
		t.Fatal(err)
	}
	var stream nimble.StreamInfo
	for _, s := range f.nimble.Streams() {
		if s.Path == "tailnum" {
			stream = s
		}
	}
	at := group.Stream(0, stream.ID)
	raw[at.Pos+6] ^= 0xff // in the encoding's prefix
	damaged := write(t, "damaged.nimble", string(raw))
	stdout, stderr, code := run(t, "verify", damaged)
	if code != ExitFailed || stdout != "" {
		t.Fatalf("code %d, %s", code, stdout)
	}
	for _, want := range []string{
		"2 places of damage", "checksum", "column tailnum", fmt.Sprintf("stripe 0 stream %d: ", stream.ID),
		fmt.Sprintf("at byte %d", at.Pos),
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr is %q, without %q", stderr, want)
		}
	}
}

func TestVerifyOfNoFile(t *testing.T) {
	for _, text := range []string{"", "x", strings.Repeat("x", 100)} {
		path := write(t, "t.nimble", text)
		if _, stderr, code := run(t, "verify", path); code != ExitFailed || !strings.Contains(stderr, path) {
			t.Errorf("%d bytes: code %d, %s", len(text), code, stderr)
		}
	}
}
