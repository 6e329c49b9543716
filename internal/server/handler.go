package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Backend is what a Handler answers from. It is used by several goroutines.
type Backend interface {
	// Query starts a query. Options are those that came beside its text. What is
	// wrong with the query is a *QueryError. The answer is closed by the function
	// that is returned with it.
	Query(ctx context.Context, text string, options map[string]string) (*Answer, func() error, error)
	// Option returns the value of an option that the text of a query sets, in any
	// case of its name.
	Option(text, name string) (value string, ok bool)
	// Tables describes the tables that there are.
	Tables() []Table
}

// QueryError is an error of a query with Pinot's number for it.
type QueryError struct {
	Code    int
	Message string
}

func (e *QueryError) Error() string { return e.Message }

// Options say how a Handler works. The zero value is the default.
type Options struct {
	// Host and Port are where clients reach the handler; it tells them as the
	// broker's.
	Host string
	Port int
	// TimeoutMs ends queries that do not say otherwise. 0 is 10,000.
	TimeoutMs int64
	// LimitBytes is the largest body of a request. 0 is 16 MiB.
	LimitBytes int64
	// Queries is how many queries run at a time; further ones wait until their
	// timeout. 0 is twice as many as there are processors that may be used, and at
	// least 8.
	Queries int
	// Waiting is how many queries may wait; what comes then is refused. 0 is 1,000.
	Waiting int
}

// Handler answers as a broker and a controller of Pinot do, of one cluster with one
// server. It may be used by several goroutines.
type Handler struct {
	backend  Backend
	options  Options
	mux      *http.ServeMux
	requests atomic.Int64
	first    int64 // request id
	queue    *queue
}

// NewHandler returns a handler over a backend.
func NewHandler(b Backend, o Options) *Handler {
	if o.TimeoutMs == 0 {
		o.TimeoutMs = 10_000
	}
	if o.LimitBytes == 0 {
		o.LimitBytes = 16 << 20
	}
	if o.Queries == 0 {
		o.Queries = max(8, 2*runtime.GOMAXPROCS(0))
	}
	if o.Waiting == 0 {
		o.Waiting = 1000
	}
	h := &Handler{backend: b, options: o, queue: newQueue(o.Queries, o.Waiting), mux: http.NewServeMux(), first: time.Now().UnixMilli() * 1000}
	for _, path := range []string{"/query/sql", "/query", "/sql"} {
		h.mux.HandleFunc("POST "+path, h.post)
		h.mux.HandleFunc("GET "+path, h.get)
	}
	h.mux.HandleFunc("GET /queries", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, struct{}{}) })
	h.mux.HandleFunc("DELETE /query/{id}", func(w http.ResponseWriter, r *http.Request) {
		writeText(w, http.StatusNotFound, fmt.Sprintf("Query: %s not found on the broker", r.PathValue("id")))
	})
	h.controller()
	return h
}

// ServeHTTP answers a request. Paths that there are not, and methods that they do
// not have, are answered as Pinot does.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, pattern := h.mux.Handler(r); pattern == "" {
		code := http.StatusNotFound
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			other := r.Clone(r.Context())
			other.Method = method
			if _, pattern := h.mux.Handler(other); pattern != "" {
				code = http.StatusMethodNotAllowed
			}
		}
		writeFailure(w, code, fmt.Sprintf("HTTP %d %s", code, http.StatusText(code)))
		return
	}
	h.mux.ServeHTTP(w, r)
}

// payload is the body of a query.
type payload struct {
	SQL          *string `json:"sql"`
	Trace        any     `json:"trace"` // true or "true"
	QueryOptions string  `json:"queryOptions"`
}

func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.options.LimitBytes))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		writeFailure(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a body of more than %d bytes", h.options.LimitBytes))
		return
	}
	if err != nil {
		return // nobody is there any more
	}
	var p payload
	if err := json.Unmarshal(body, &p); err != nil {
		writeText(w, http.StatusInternalServerError, notJSON(body, err))
		return
	}
	if p.SQL == nil {
		writeText(w, http.StatusInternalServerError, "Payload is missing the query string field 'sql'")
		return
	}
	h.query(w, r, *p.SQL, parseOptions(p.QueryOptions))
}

// notJSON says what is wrong with a body in Pinot's words where they are known.
func notJSON(body []byte, err error) string {
	word, _, _ := strings.Cut(strings.TrimSpace(string(body)), " ")
	if word == "" {
		return "Payload is missing the query string field 'sql'"
	}
	if c := word[0]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		return fmt.Sprintf("Unrecognized token '%s': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')", word)
	}
	return err.Error()
}

// parseOptions parses "k1=v1;k2=v2".
func parseOptions(text string) map[string]string {
	options := map[string]string{}
	for pair := range strings.SplitSeq(text, ";") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			options[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return options
}

func (h *Handler) get(w http.ResponseWriter, r *http.Request) {
	text := r.URL.Query().Get("sql")
	if text == "" {
		h.fail(w, nil, &QueryError{150, "SQLParsingError: Caught exception while parsing query: null: From line 1, column 1 to line 1, column 4: Non-query expression encountered in illegal context"})
		return
	}
	h.query(w, r, text, parseOptions(r.URL.Query().Get("queryOptions")))
}

// option returns an option of a request: of those beside the text, or in it.
func (h *Handler) option(text string, options map[string]string, name string) (string, bool) {
	for key, value := range options {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return h.backend.Option(text, name)
}

func (h *Handler) query(w http.ResponseWriter, r *http.Request, text string, options map[string]string) {
	timeoutMs := h.options.TimeoutMs
	if value, ok := h.option(text, options, "timeoutMs"); ok {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n <= 0 {
			h.fail(w, nil, &QueryError{150, fmt.Sprintf("SQLParsingError: timeoutMs must be a number between 1 and 9223372036854775807, got: %s", value)})
			return
		}
		timeoutMs = min(n, int64(time.Duration(1<<63-1)/time.Millisecond))
	}
	ctx, cancel := context.WithTimeout(r.Context(), time.Duration(timeoutMs)*time.Millisecond)
	defer cancel()
	id := strconv.FormatInt(h.first+h.requests.Add(1), 10)
	if err := h.queue.enter(ctx); err != nil {
		h.fail(w, &id, err)
		return
	}
	defer h.queue.leave()
	a, done, err := h.backend.Query(ctx, text, options)
	if err != nil {
		h.fail(w, &id, err)
		return
	}
	a.RequestID, a.BrokerID = id, h.broker()
	if client, ok := h.option(text, options, "clientQueryId"); ok {
		a.ClientRequestID = &client
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set(errorCodeHeader, "-1")
	out := &counted{w: w}
	err = WriteResponse(out, a)
	if closed := done(); err == nil {
		err = closed
	}
	if err != nil && out.n == 0 {
		h.fail(w, &id, err)
	}
}

const errorCodeHeader = "X-Pinot-Error-Code"

// counted notes whether anything was written.
type counted struct {
	w io.Writer
	n int
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += n
	return n, err
}

// fail answers with an error of a query, which is no failure of HTTP.
func (h *Handler) fail(w http.ResponseWriter, id *string, err error) {
	e := &QueryError{Code: queryExecution, Message: "QueryExecutionError: " + err.Error()}
	errors.As(err, &e)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set(errorCodeHeader, strconv.Itoa(e.Code))
	f := figures{
		PartialResult: true, Exceptions: []exception{{e.Code, e.Message}}, RequestID: id,
		TraceInfo: map[string]string{}, TablesQueried: []string{}, Pools: []int{},
	}
	if id != nil {
		broker := h.broker()
		f.BrokerID = &broker
	}
	writeJSON(w, f)
}

// writeJSON writes an answer. That the client has gone is nobody's fault.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json") // as Pinot says of its texts
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

// writeFailure is a failure in the form that Pinot gives it.
func writeFailure(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct {
		Code  int    `json:"code"`
		Error string `json:"error"`
	}{status, message})
}
