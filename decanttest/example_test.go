package decanttest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/decantdb/decant/decanttest"
)

// flightsOf is code as an application of Pinot has it: it knows a broker's address.
func flightsOf(broker, carrier string) (float64, error) {
	query, err := json.Marshal(map[string]string{"sql": "SELECT COUNT(*) FROM flights WHERE carrier = '" + carrier + "'"})
	if err != nil {
		return 0, err
	}
	response, err := http.Post(broker+"/query/sql", "application/json", strings.NewReader(string(query)))
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	var answer struct {
		ResultTable struct{ Rows [][]float64 }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return 0, err
	}
	return answer.ResultTable.Rows[0][0], nil
}

// A test of such an application: no cluster, no JVM, an endpoint for the test alone.
func TestFlightsOf(t *testing.T) {
	broker := decanttest.Start(t, "../examples/flights.nimble")
	n, err := flightsOf(broker, "UA")
	if err != nil || n != 58_665 {
		t.Errorf("%v flights, %v", n, err)
	}
}
