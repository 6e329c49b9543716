package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/decantdb/decant/internal/convert"
	"github.com/decantdb/decant/nimble"
	"github.com/decantdb/decant/vector"
)

// flushBytes is how much of a response is gathered before it is written.
const flushBytes = 64 << 10

// WriteResponse writes an answer as the response of a Pinot broker, row by row:
//
//	{"resultTable":{"dataSchema":{"columnNames":[…],"columnDataTypes":[…]},"rows":[[…],…]},
//	 "numRowsResultSet":…,"partialResult":false,"exceptions":[],…}
//
// Values have the forms that Jackson and Java give them: doubles as
// Double.toString, NaN and infinities as strings, TIMESTAMP as yyyy-MM-dd
// HH:mm:ss.S in UTC, BYTES in hexadecimal digits, BIG_DECIMAL as a string without
// exponent. What follows the rows are figures, of which those that only a cluster
// has are 0.
//
// An error before the first row is returned and nothing is written. One after it
// is returned as well, and the response ends with it as its exception: it is whole
// JSON, whose rows are those before the error. Only where w fails it has no end.
func WriteResponse(w io.Writer, a *Answer) error {
	r := &response{w: w, began: time.Now()}
	r.head(a)
	text := func(t *nimble.Type) bool { return convert.IsDecimal(t) || convert.IsNested(t) }
	failed := a.batches(text, func(b *vector.Batch) error { return r.addRows(b, a.Schema.Children) })
	if r.lost || failed != nil && r.rows == 0 {
		return failed
	}
	return errors.Join(failed, r.end(a, failed))
}

// response is a response being written.
type response struct {
	w     io.Writer
	began time.Time
	buf   []byte
	rows  int64
	lost  bool // w failed
}

func (r *response) flush() error {
	_, err := r.w.Write(r.buf)
	r.buf, r.lost = r.buf[:0], err != nil
	return err
}

// head makes all before the first row.
func (r *response) head(a *Answer) {
	r.buf = append(r.buf, `{"resultTable":{"dataSchema":{"columnNames":[`...)
	for i, name := range a.Schema.Names {
		if i > 0 {
			r.buf = append(r.buf, ',')
		}
		r.buf = appendString(r.buf, []byte(name))
	}
	r.buf = append(r.buf, `],"columnDataTypes":[`...)
	for i, name := range a.Types {
		if i > 0 {
			r.buf = append(r.buf, ',')
		}
		r.buf = appendString(r.buf, []byte(name))
	}
	r.buf = append(r.buf, `]},"rows":[`...)
}

func (r *response) addRows(b *vector.Batch, types []*nimble.Type) error {
	columns := make([]*values, len(b.Columns))
	for i, v := range b.Columns {
		var err error
		if columns[i], err = newValues(v, types[i]); err != nil {
			return fmt.Errorf("server: column %d: %w", i, err)
		}
	}
	for i := range b.Rows() {
		row := i
		if b.Sel != nil {
			row = int(b.Sel[i])
		}
		if r.rows > 0 {
			r.buf = append(r.buf, ',')
		}
		r.rows++
		r.buf = append(r.buf, '[')
		for col, c := range columns {
			if col > 0 {
				r.buf = append(r.buf, ',')
			}
			r.buf = c.append(r.buf, row)
		}
		r.buf = append(r.buf, ']')
		if len(r.buf) >= flushBytes {
			if err := r.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// figures are the members of a response after the rows, in Pinot's order.
type figures struct {
	NumRowsResultSet                       int64             `json:"numRowsResultSet"`
	PartialResult                          bool              `json:"partialResult"`
	Exceptions                             []exception       `json:"exceptions"`
	NumGroupsLimitReached                  bool              `json:"numGroupsLimitReached"`
	NumGroupsWarningLimitReached           bool              `json:"numGroupsWarningLimitReached"`
	TimeUsedMs                             int64             `json:"timeUsedMs"`
	RequestID                              *string           `json:"requestId"`
	ClientRequestID                        *string           `json:"clientRequestId"`
	BrokerID                               *string           `json:"brokerId"`
	NumDocsScanned                         int64             `json:"numDocsScanned"`
	TotalDocs                              int64             `json:"totalDocs"`
	NumEntriesScannedInFilter              int64             `json:"numEntriesScannedInFilter"`
	NumEntriesScannedPostFilter            int64             `json:"numEntriesScannedPostFilter"`
	NumServersQueried                      int               `json:"numServersQueried"`
	NumServersResponded                    int               `json:"numServersResponded"`
	NumSegmentsQueried                     int               `json:"numSegmentsQueried"`
	NumSegmentsProcessed                   int               `json:"numSegmentsProcessed"`
	NumSegmentsMatched                     int               `json:"numSegmentsMatched"`
	NumConsumingSegmentsQueried            int               `json:"numConsumingSegmentsQueried"`
	NumConsumingSegmentsProcessed          int               `json:"numConsumingSegmentsProcessed"`
	NumConsumingSegmentsMatched            int               `json:"numConsumingSegmentsMatched"`
	MinConsumingFreshnessTimeMs            int64             `json:"minConsumingFreshnessTimeMs"`
	NumSegmentsPrunedByBroker              int               `json:"numSegmentsPrunedByBroker"`
	NumSegmentsPrunedByServer              int               `json:"numSegmentsPrunedByServer"`
	NumSegmentsPrunedInvalid               int               `json:"numSegmentsPrunedInvalid"`
	NumSegmentsPrunedByLimit               int               `json:"numSegmentsPrunedByLimit"`
	NumSegmentsPrunedByValue               int               `json:"numSegmentsPrunedByValue"`
	BrokerReduceTimeMs                     int64             `json:"brokerReduceTimeMs"`
	OfflineThreadCPUTimeNs                 int64             `json:"offlineThreadCpuTimeNs"`
	RealtimeThreadCPUTimeNs                int64             `json:"realtimeThreadCpuTimeNs"`
	OfflineSystemActivitiesCPUTimeNs       int64             `json:"offlineSystemActivitiesCpuTimeNs"`
	RealtimeSystemActivitiesCPUTimeNs      int64             `json:"realtimeSystemActivitiesCpuTimeNs"`
	OfflineResponseSerializationCPUTimeNs  int64             `json:"offlineResponseSerializationCpuTimeNs"`
	RealtimeResponseSerializationCPUTimeNs int64             `json:"realtimeResponseSerializationCpuTimeNs"`
	OfflineTotalCPUTimeNs                  int64             `json:"offlineTotalCpuTimeNs"`
	RealtimeTotalCPUTimeNs                 int64             `json:"realtimeTotalCpuTimeNs"`
	ExplainPlanNumEmptyFilterSegments      int               `json:"explainPlanNumEmptyFilterSegments"`
	ExplainPlanNumMatchAllFilterSegments   int               `json:"explainPlanNumMatchAllFilterSegments"`
	TraceInfo                              map[string]string `json:"traceInfo"`
	TablesQueried                          []string          `json:"tablesQueried"`
	OfflineThreadMemAllocatedBytes         int64             `json:"offlineThreadMemAllocatedBytes"`
	RealtimeThreadMemAllocatedBytes        int64             `json:"realtimeThreadMemAllocatedBytes"`
	OfflineResponseSerMemAllocatedBytes    int64             `json:"offlineResponseSerMemAllocatedBytes"`
	RealtimeResponseSerMemAllocatedBytes   int64             `json:"realtimeResponseSerMemAllocatedBytes"`
	OfflineTotalMemAllocatedBytes          int64             `json:"offlineTotalMemAllocatedBytes"`
	RealtimeTotalMemAllocatedBytes         int64             `json:"realtimeTotalMemAllocatedBytes"`
	Pools                                  []int             `json:"pools"`
	RLSFiltersApplied                      bool              `json:"rlsFiltersApplied"`
	GroupsTrimmed                          bool              `json:"groupsTrimmed"`
}

// exception is an error in a response.
type exception struct {
	ErrorCode int    `json:"errorCode"`
	Message   string `json:"message"`
}

// queryExecution is Pinot's code of an error that comes up as a query runs.
const queryExecution = 200

// noPool is what Pinot gives as the pool of a server that is in none.
const noPool = -1

// end writes the members after the rows, and the end of the object. failed is what
// ended the rows early, or nil.
func (r *response) end(a *Answer, failed error) error {
	exceptions := []exception{}
	if failed != nil {
		e := &QueryError{Code: queryExecution, Message: "QueryExecutionError: " + failed.Error()}
		errors.As(failed, &e)
		exceptions = append(exceptions, exception{e.Code, e.Message})
	}
	s := a.Stats()
	raw, err := json.Marshal(figures{
		NumRowsResultSet: r.rows, PartialResult: failed != nil || s.GroupsLimitReached, Exceptions: exceptions,
		NumGroupsLimitReached: s.GroupsLimitReached,
		TimeUsedMs:            time.Since(r.began).Milliseconds(), RequestID: &a.RequestID, BrokerID: &a.BrokerID, ClientRequestID: a.ClientRequestID,
		NumDocsScanned: s.RowsMatched, TotalDocs: s.RowsRead, NumServersQueried: 1, NumServersResponded: 1,
		NumSegmentsQueried: s.Segments, NumSegmentsProcessed: s.Segments, NumSegmentsMatched: s.Segments,
		TraceInfo: map[string]string{}, TablesQueried: []string{a.Table}, Pools: []int{noPool},
	})
	if err != nil {
		return err
	}
	r.buf = append(append(append(r.buf, "]},"...), raw[1:]...), '\n')
	return r.flush()
}
