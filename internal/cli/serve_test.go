package cli

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// shared is a buffer that one goroutine writes and another reads.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// TestServe asks a server that stops when it is interrupted.
func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stderr shared
	exited := make(chan int, 1)
	go func() { exited <- Run(ctx, []string{"serve", "--port", "0", flights}, io.Discard, &stderr) }()
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for deadline := time.Now().Add(10 * time.Second); !address.MatchString(stderr.String()); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("no address in %q", stderr.String())
		}
	}
	base := address.FindString(stderr.String())
	response, err := http.Post(base+"/query/sql", "", strings.NewReader(`{"sql": "SELECT COUNT(*) FROM flights"}`))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || !strings.Contains(string(body), `"rows":[[336776]]`) {
		t.Errorf("%v: %s", err, body)
	}
	cancel()
	select {
	case code := <-exited:
		if code != ExitOK {
			t.Errorf("exit code %d: %s", code, stderr.String())
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it does not stop")
	}
	if _, stderr, code := run(t, "serve", "--port", "0", "no-such-file"); code != ExitFailed || !strings.Contains(stderr, "no-such-file") {
		t.Errorf("code %d, %s", code, stderr)
	}
}
