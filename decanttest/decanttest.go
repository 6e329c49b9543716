// Package decanttest starts endpoints that speak as Apache Pinot does, for the time
// of a test: a broker and a controller at one address, over files.
package decanttest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/decantdb/decant"
	"github.com/decantdb/decant/internal/endpoint"
	"github.com/decantdb/decant/internal/server"
)

// Start opens tables, each [NAME=]FILE as decant.Open has it, and returns the URL of
// an endpoint over them, such as http://127.0.0.1:41234, at which clients find both
// the broker and the controller. It listens on the loopback interface and stops
// with the test. Queries have Pinot's manners: ten rows unless LIMIT says otherwise,
// and no nulls unless enableNullHandling is set.
func Start(tb testing.TB, tables ...string) string {
	tb.Helper()
	db, err := decant.Open(context.Background(), decant.Options{PinotDefaults: true, ZeroKeys: true}, tables...)
	if err != nil {
		tb.Fatalf("decanttest: %v", err)
	}
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	address := s.Listener.Addr().(*net.TCPAddr)
	s.Config.Handler = endpoint.NewHandler(db, server.Options{Host: address.IP.String(), Port: address.Port})
	s.Start()
	tb.Cleanup(func() {
		s.Close()
		if err := db.Close(); err != nil {
			tb.Errorf("decanttest: %v", err)
		}
	})
	return s.URL
}
