package server

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// Pinot's codes of queries that are not run.
const (
	serverShuttingDown  = 210
	serverOutOfCapacity = 211
	schedulingTimeout   = 240
	queryCancelled      = 503
)

// ErrShuttingDown ends queries that run when the server stops, as the cause of their
// context.
var ErrShuttingDown = &QueryError{serverShuttingDown, "ServerShuttingDown: the server is being stopped"}

// queue lets a number of queries run at a time, and a number of others wait. It is
// used by several goroutines.
type queue struct {
	running chan struct{} // has an element for each
	waiting atomic.Int64
	most    int64 // that may wait
}

func newQueue(running, waiting int) *queue {
	return &queue{running: make(chan struct{}, running), most: int64(waiting)}
}

// enter waits until a query may run, which calls leave when it has ended. Its error
// is a *QueryError.
func (q *queue) enter(ctx context.Context) error {
	select {
	case q.running <- struct{}{}:
		return nil
	default:
	}
	defer q.waiting.Add(-1)
	if q.waiting.Add(1) > q.most {
		return &QueryError{serverOutOfCapacity, fmt.Sprintf("ServerOutOfCapacity: %d queries are waiting already", q.most)}
	}
	select {
	case q.running <- struct{}{}:
		return nil
	case <-ctx.Done():
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &QueryError{schedulingTimeout, fmt.Sprintf("QuerySchedulingTimeoutError: %d other queries did not end in time", cap(q.running))}
	}
	return &QueryError{queryCancelled, "QueryCancellationError: " + context.Cause(ctx).Error()}
}

func (q *queue) leave() { <-q.running }
