package endpoint_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/decantdb/decant/decanttest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
}

// reply is what a test looks at in a response.
type reply struct {
	ResultTable *struct {
		DataSchema struct{ ColumnNames, ColumnDataTypes []string }
		Rows       [][]any
	}
	Exceptions []struct {
		ErrorCode int
		Message   string
	}
	RequestID       string
	ClientRequestID *string
	BrokerID        string
	PartialResult   bool
}

func ask(t *testing.T, base, body string) (reply, string) {
	t.Helper()
	response, text := send(t, base, exchange{Method: http.MethodPost, URL: "/query/sql", RequestBody: &body})
	var r reply
	if err := json.Unmarshal([]byte(text), &r); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v: %s", body, response.StatusCode, err, text)
	}
	return r, response.Header.Get("X-Pinot-Error-Code")
}

func TestQueries(t *testing.T) {
	base := decanttest.Start(t, "trips="+flights)
	for _, c := range []struct{ body, rows string }{
		{`{"sql": "SELECT COUNT(*) FROM trips"}`, "[[336776]]"},
		{`{"sql": "SELECT flight FROM trips"}`, "[[1545] [1714] [1141] [725] [461] [1696] [507] [5708] [79] [301]]"},
		{`{"sql": "SELECT COUNT(*) FROM trips WHERE dep_time IS NULL", "queryOptions": "enableNullHandling=true"}`, "[[8255]]"},
		{`{"sql": "SET enableNullHandling=true; SELECT MAX(dep_time) FROM trips_OFFLINE WHERE dep_time < 0"}`, "[[<nil>]]"},
		{`{"sql": "SELECT MAX(dep_time) FROM TRIPS WHERE dep_time > 9999"}`, "[[-Infinity]]"},
	} {
		r, code := ask(t, base, c.body)
		if len(r.Exceptions) > 0 || code != "-1" || r.ResultTable == nil {
			t.Errorf("%s: %v, code %s", c.body, r.Exceptions, code)
			continue
		}
		if got := fmt.Sprint(r.ResultTable.Rows); got != c.rows {
			t.Errorf("%s: %s, want %s", c.body, got, c.rows)
		}
	}
	r, _ := ask(t, base, `{"sql": "SET clientQueryId='mine'; SELECT 1 FROM trips LIMIT 1"}`)
	if r.ClientRequestID == nil || *r.ClientRequestID != "mine" || r.RequestID == "" || !strings.HasPrefix(r.BrokerID, "Broker_127.0.0.1_") {
		t.Errorf("%+v", r)
	}
}

func TestQueryErrors(t *testing.T) {
	base := decanttest.Start(t, flights)
	for _, c := range []struct {
		body string
		code int
	}{
		{`{"sql": "SELEC 1"}`, 150},
		{`{"sql": "SELECT nope FROM flights"}`, 710},
		{`{"sql": "SELECT COUNT(*) FROM nope"}`, 190},
		{`{"sql": "SELECT NOSUCH(flight) FROM flights"}`, 700},
		{`{"sql": "SELECT COUNT(*) FROM flights", "queryOptions": "timeoutMs=0"}`, 150},
		{`{"sql": "SELECT tailnum, COUNT(*) FROM flights GROUP BY tailnum, flight, time_hour ORDER BY COUNT(*) LIMIT 3", "queryOptions": "timeoutMs=1"}`, 250},
	} {
		r, code := ask(t, base, c.body)
		if len(r.Exceptions) != 1 || r.Exceptions[0].ErrorCode != c.code || code != fmt.Sprint(c.code) || r.ResultTable != nil || !r.PartialResult {
			t.Errorf("%s: %+v, header %s, want %d", c.body, r, code, c.code)
		}
	}
}

// Many clients at once get whole answers.
func TestClientsAtOnce(t *testing.T) {
	base := decanttest.Start(t, flights)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				r, _ := ask(t, base, `{"sql": "SELECT carrier, COUNT(*) FROM flights GROUP BY carrier ORDER BY carrier LIMIT 100"}`)
				if r.ResultTable == nil || len(r.ResultTable.Rows) != 16 {
					t.Errorf("%+v", r)
				}
			}
		})
	}
	wg.Wait()
}

// The largest body that is read is bounded.
func TestLargeBody(t *testing.T) {
	base := decanttest.Start(t, flights)
	body := `{"sql": "` + strings.Repeat("x", 17<<20) + `"}`
	if response, _ := send(t, base, exchange{Method: http.MethodPost, URL: "/query/sql", RequestBody: &body}); response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", response.StatusCode)
	}
}
