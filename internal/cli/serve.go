package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/internal/endpoint"
	"github.com/decantdb/decant/internal/server"
)

type serveCommand struct {
	Host             string   `default:"127.0.0.1" help:"Address to listen at. Other than loopback addresses let everybody in who reaches them: there is no login."`
	Port             int      `default:"8099" help:"Port to listen at; 0 means any that is free."`
	TimeoutMs        int64    `placeholder:"MS" default:"10000" help:"When a query ends that does not set timeoutMs."`
	QueryMemoryBytes int64    `placeholder:"N" help:"Memory that one query may hold for groups, rows to be sorted and results of functions. 1 GiB by default; negative is no bound."`
	MemoryBytes      int64    `placeholder:"N" help:"The same for all queries together. 4 GiB by default."`
	Queries          int      `placeholder:"N" help:"Queries that run at a time; others wait. Twice the processors by default, at least 8."`
	Workers          int      `placeholder:"N" help:"Goroutines that read for one query. As many as there are processors by default."`
	Nulls            bool     `help:"Handle nulls as SQL does, unless a query says otherwise. Pinot does not by default."`
	NullKeys         bool     `help:"Show a null group key as null. Pinot shows an empty text or zero, nulls being handled or not."`
	Null             []string `placeholder:"TEXT" sep:"none" help:"Text that stands for null in CSV."`
	Files            []string `arg:"" name:"[name=]file" help:"Nimble, Parquet, Arrow, CSV or JSON lines file, as for query."`
}

// Help says more about the command.
func (serveCommand) Help() string {
	return `Listens at one port for what clients send to a Pinot broker (POST and GET /query/sql,
/health) and to its controller (/tables, /tables/NAME/schema, /brokers/tables and
others). Queries have Pinot's manners: ten rows unless LIMIT says otherwise, and
default values in the place of nulls unless enableNullHandling is set.

A query that takes too long or holds too much ends with Pinot's error for that, and
no other query is harmed. The server stops when it is interrupted, once the answers
that it is writing are out, and ends queries that take another five seconds.

Example:

    decant serve flights.nimble &
    curl -s http://127.0.0.1:8099/query/sql -d '{"sql": "SELECT COUNT(*) FROM flights"}'`
}

const (
	// shutdownTime is how long answers may take once the command is interrupted.
	shutdownTime = 5 * time.Second
	// endTime is how long queries may take to notice that they have ended.
	endTime = 2 * time.Second
)

// Run answers until it is interrupted.
func (cmd *serveCommand) Run(c *console) (err error) {
	switch {
	case cmd.Port < 0 || cmd.Port > 1<<16-1:
		return usagef("--port %d: want 0 to 65535", cmd.Port)
	case cmd.TimeoutMs < 0:
		return usagef("--timeout-ms %d: want a number of milliseconds", cmd.TimeoutMs)
	case cmd.Workers < 0:
		return usagef("--workers %d: want a positive number", cmd.Workers)
	case cmd.Queries < 0:
		return usagef("--queries %d: want a positive number", cmd.Queries)
	}
	o := decant.Options{
		Workers: cmd.Workers, Nulls: cmd.Null, PinotDefaults: true, HandleNulls: cmd.Nulls, ZeroKeys: !cmd.NullKeys,
		QueryMemoryBytes: cmd.QueryMemoryBytes, MemoryBytes: cmd.MemoryBytes,
	}
	db, err := decant.Open(c.ctx, o, cmd.Files...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	listener, err := net.Listen("tcp", net.JoinHostPort(cmd.Host, strconv.Itoa(cmd.Port)))
	if err != nil {
		return err
	}
	address := listener.Addr().(*net.TCPAddr)
	queries, end := context.WithCancelCause(context.Background())
	defer end(nil)
	s := &http.Server{
		Handler: endpoint.NewHandler(db, server.Options{
			Host: cmd.Host, Port: address.Port, TimeoutMs: cmd.TimeoutMs, Queries: cmd.Queries,
		}),
		BaseContext:       func(net.Listener) context.Context { return queries },
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	fmt.Fprintf(c.stderr, "serving %s at http://%s\n", counted(int64(len(db.Tables())), "table"), net.JoinHostPort(cmd.Host, strconv.Itoa(address.Port)))
	stopped := make(chan error, 1)
	go func() {
		<-c.ctx.Done()
		err := shutdown(s, shutdownTime)
		if errors.Is(err, context.DeadlineExceeded) {
			end(server.ErrShuttingDown)
			err = shutdown(s, endTime)
		}
		stopped <- err
	}()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

// shutdown waits for the answers that are being written, no longer than the given
// time.
func shutdown(s *http.Server, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return s.Shutdown(ctx)
}
