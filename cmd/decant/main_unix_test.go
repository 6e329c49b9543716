//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/decantdb/decant/internal/cli"
)

// asProgram in the environment makes the test the program itself.
const asProgram = "DECANT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestSignals ends a conversion, once its temporary file is there, by each of the
// signals that a shell or a system sends. It leaves nothing behind.
func TestSignals(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.csv")
	if err := os.WriteFile(in, []byte("n,s\n"+strings.Repeat("1,x\n", 4<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0], "convert", in, filepath.Join(dir, "out.jsonl"))
		cmd.Env = append(os.Environ(), asProgram+"=1")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		for len(entries(t, dir)) == 0 {
			select {
			case err := <-done:
				t.Fatalf("%v: it ended before: %v, %s", sig, err, stderr.String())
			case <-time.After(time.Millisecond):
			}
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := <-done; !errors.As(err, &exit) || exit.ExitCode() != cli.ExitInterrupted || stderr.String() != "decant: interrupted\n" {
			t.Errorf("%v: %v, %s", sig, err, stderr.String())
		}
		if left := entries(t, dir); len(left) > 0 {
			t.Errorf("%v: left behind: %v", sig, left)
		}
	}
}

func entries(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
