//go:build unix

package convert

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const oneRow = "a,b\n1,x\n"

// convertTo converts a row to CSV, and returns the error.
func convertTo(t *testing.T, out string) error {
	t.Helper()
	_, err := Convert(t.Context(), writeFile(t, "in.csv", oneRow), out, Options{To: FormatCSV}, nil)
	return err
}

// wantFile checks what is in a file, and that it is alone in its folder.
func wantFile(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s is %q %v, want %q", path, got, err, want)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q %v", left, err)
	}
}

func TestOutputLinks(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"links", "deep/er"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, target, file string }{
		{"to a file", "../there", "there"},
		{"dangling", "../deep/er/new", "deep/er/new"},
		{"absolute", filepath.Join(dir, "absolute"), "absolute"},
		{"to a link", "dangling", "deep/er/new"},
		{"folder", "../deep/er", ""},
		{"up from a folder", "folder/../up", "deep/up"},
	} {
		link, file := filepath.Join(dir, "links", c.name), filepath.Join(dir, c.file)
		if err := os.Symlink(c.target, link); err != nil {
			t.Fatal(err)
		}
		if c.file == "" {
			continue
		}
		if c.name == "to a file" {
			if err := os.WriteFile(file, []byte("before"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := convertTo(t, link); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		wantFile(t, file, oneRow)
		if target, err := os.Readlink(link); err != nil || target != c.target {
			t.Errorf("%s: the link leads to %q %v", c.name, target, err)
		}
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if err := convertTo(t, loop); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a loop: %v", err)
	}
}

func TestOutputMode(t *testing.T) {
	before := syscall.Umask(0o027)
	defer syscall.Umask(before)
	path := filepath.Join(t.TempDir(), "out")
	check := func(want fs.FileMode) {
		t.Helper()
		if err := convertTo(t, path); err != nil {
			t.Fatal(err)
		}
		wantFile(t, path, oneRow)
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("mode %v %v, want %v", info.Mode(), err, want)
		}
	}
	check(0o640)
	for _, mode := range []fs.FileMode{0o600, 0o444, 0o666, 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		check(mode)
	}
}

// TestOutputThrough writes to what is there and no regular file, which stays what
// it is. The device is reached by a link, which stays too.
func TestOutputThrough(t *testing.T) {
	dir := t.TempDir()
	null, full, pipe := filepath.Join(dir, "null"), filepath.Join(dir, "full"), filepath.Join(dir, "pipe")
	for link, device := range map[string]string{null: "/dev/null", full: "/dev/full"} {
		if err := os.Symlink(device, link); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		raw, err := os.ReadFile(pipe)
		if err != nil {
			raw = []byte(err.Error())
		}
		read <- string(raw)
	}()
	for _, path := range []string{null, pipe} {
		if err := convertTo(t, path); err != nil {
			t.Error(err)
		}
	}
	if got := <-read; got != oneRow {
		t.Errorf("through the pipe came %q", got)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if err := convertTo(t, full); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), full) {
			t.Errorf("a full device: %v", err)
		}
	}
	for path, want := range map[string]fs.FileMode{null: fs.ModeSymlink, full: fs.ModeSymlink, pipe: fs.ModeNamedPipe} {
		if info, err := os.Lstat(path); err != nil || info.Mode().Type() != want {
			t.Errorf("%s is %v now, %v", path, info.Mode(), err)
		}
	}
}

// TestOutputRedirected converts to the file that is open as standard output,
// where it goes behind what was written before.
func TestOutputRedirected(t *testing.T) {
	stdout := os.Stdout
	defer func() { os.Stdout = stdout }()
	file, err := os.Create(filepath.Join(t.TempDir(), "redirected"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	os.Stdout = file
	if _, err := file.WriteString("before\n"); err != nil {
		t.Fatal(err)
	}
	if err := convertTo(t, file.Name()); err != nil {
		t.Error(err)
	}
	if _, err := file.WriteString("after\n"); err != nil {
		t.Fatal(err)
	}
	wantFile(t, file.Name(), "before\n"+oneRow+"after\n")
}

func TestOutputStandard(t *testing.T) {
	var buf bytes.Buffer
	in := writeFile(t, "in.csv", oneRow)
	stats, err := Convert(t.Context(), in, "-", Options{To: FormatCSV, Stdout: &buf}, nil)
	if err != nil || buf.String() != oneRow || stats.BytesOut != int64(len(oneRow)) {
		t.Errorf("%q, %+v %v", buf.String(), stats, err)
	}
	for out, want := range map[string]string{
		"-": "-: the name does not tell the format; use --to ", "out.xyz": "out.xyz: the name does not tell the format; use --to ",
	} {
		if _, err := Convert(t.Context(), in, out, Options{}, nil); !errors.Is(err, ErrFormat) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", out, err)
		}
	}
}

// TestOutputErrors wants errors to name the output, and a folder to be one before
// the input is looked at.
func TestOutputErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := Convert(t.Context(), "no such input", dir, Options{}, nil); err == nil || err.Error() != dir+": is a directory" {
		t.Errorf("a folder: %v", err)
	}
	missing := filepath.Join(dir, "none", "out.csv")
	if err := convertTo(t, missing); err == nil || err.Error() != "open "+missing+": no such file or directory" {
		t.Errorf("no folder: %v", err)
	}
	long := filepath.Join(dir, strings.Repeat("x", 250))
	if err := convertTo(t, long); err != nil {
		t.Errorf("a long name: %v", err)
	}
	wantFile(t, long, oneRow)
	o := output{name: "link.csv", path: "folder/out.csv"}
	temporary := temporaryPrefix(o.path) + "0" + temporarySuffix
	for _, err := range []error{
		&fs.PathError{Op: "write", Path: temporary, Err: syscall.ENOSPC},
		&os.LinkError{Op: "write", Old: temporary, New: o.path, Err: syscall.ENOSPC},
	} {
		if got := o.named(err).Error(); got != "write link.csv: no space left on device" {
			t.Errorf("%T: %s", err, got)
		}
	}
}

func TestInputs(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin := os.Stdin
	defer func() { os.Stdin = stdin }()
	os.Stdin = read
	go func() {
		_, _ = write.WriteString(oneRow)
		_ = write.Close()
	}()
	var buf bytes.Buffer
	stats, err := Convert(t.Context(), "-", "-", Options{To: FormatJSONL, Stdout: &buf}, nil)
	if want := "{\"a\":1,\"b\":\"x\"}\n"; err != nil || buf.String() != want || stats.BytesIn != int64(len(oneRow)) {
		t.Errorf("%q, %+v %v", buf.String(), stats, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		pipe: pipe + ": is a pipe, which cannot be read twice", dir: dir + ": is a directory", "/dev/null": "/dev/null: is no regular file",
	} {
		if _, err := OpenSource(t.Context(), path, Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
