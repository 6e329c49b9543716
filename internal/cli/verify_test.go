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
	for _, command := range []string{"verify", "inspect"} {
		for _, c := range []struct{ name, text, want string }{
			{"t.nimble", "", "not a Nimble file (it is empty)"},
			{"t.nimble", "x", "not a Nimble file (it is CSV text)"},
			{"h.csv", "a,b\n1,2\n", "not a Nimble file (it is CSV text)"},
			{"h.parquet", "PAR1....PAR1", "not a Nimble file (it is Parquet)"},
			{"h.gz", "\x1f\x8b....", "not a Nimble file (it is gzip-compressed)"},
			{"h.jsonl", "{\"a\":1}\n", "not a Nimble file (it is JSON lines)"},
			{"t.nimble", strings.Repeat("\x00", 100), ""},
			{"t.nimble", strings.Repeat("\x00", 98) + "\xfa\xa1", ""},
		} {
			path := write(t, c.name, c.text)
			_, stderr, code := run(t, command, path)
			if code != ExitFailed || !strings.HasPrefix(stderr, "decant: "+path+": "+c.want) {
				t.Errorf("%s of %.20q: code %d, %s", command, c.text, code, stderr)
			}
		}
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"verify", dir},
		{"inspect", dir},
		{"cat", dir},
		{"convert", dir, "out.csv"},
		{"convert", flights, dir},
	} {
		if _, stderr, code := run(t, args...); code != ExitFailed || stderr != "decant: "+dir+": is a directory\n" {
			t.Errorf("%q: code %d, %s", args, code, stderr)
		}
	}
	want := "decant: " + dir + ": the folder has no file named .nimble, .parquet, .csv or .jsonl\n"
	if _, stderr, code := run(t, "query", "SELECT a FROM t", "t="+dir); code != ExitFailed || stderr != want {
		t.Errorf("code %d, %s", code, stderr)
	}
}
