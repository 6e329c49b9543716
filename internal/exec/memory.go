package exec

import (
	"runtime"
	"sync"

	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/pool"
)

// Memory keeps workers' sessions, and with them their pools, from one query to
// the next. It may be used by several goroutines; a session it has handed out
// belongs to one worker until that gives it back. The zero Memory is empty and
// ready.
type Memory struct {
	// LimitBytes bounds what each session holds for reuse. 0 means
	// pool.DefaultLimitBytes. It must not be changed after the first query.
	LimitBytes int

	mu   sync.Mutex
	idle []*nimble.Session
}

func (m *Memory) take() *nimble.Session {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(m.idle); n > 0 {
		s := m.idle[n-1]
		m.idle = m.idle[:n-1]
		return s
	}
	return nimble.NewSession(pool.New(pool.Options{LimitBytes: m.LimitBytes}))
}

// give takes a session back, of which as many are kept as can be at work at a
// time.
func (m *Memory) give(s *nimble.Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.idle) < runtime.GOMAXPROCS(0) {
		m.idle = append(m.idle, s)
	}
}

// Trim gives the memory of idle sessions back.
func (m *Memory) Trim() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.idle = nil
}
