package endpoint_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/decantdb/decant/decanttest"
	"github.com/decantdb/decant/internal/golden"
)

// exchange is a request that Pinot answered.
type exchange struct {
	Name            string            `json:"name"`
	Method          string            `json:"method"`
	URL             string            `json:"url"`
	RequestBody     *string           `json:"requestBody"`
	Status          int               `json:"status"`
	ResponseHeaders map[string]string `json:"responseHeaders"`
	ResponseBody    string            `json:"responseBody"`
}

// exchanges returns the cases of all roots.
func exchanges(t *testing.T) []exchange {
	t.Helper()
	var all []exchange
	for _, dir := range golden.Dirs(t, "pinot/http") {
		text, err := os.ReadFile(filepath.Join(dir, "exchanges.json"))
		if err != nil {
			t.Fatal(err)
		}
		var some []exchange
		if err := json.Unmarshal(text, &some); err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

const flights = "../../examples/flights.nimble"

// send sends a recorded request to another address.
func send(t *testing.T, base string, x exchange) (*http.Response, string) {
	t.Helper()
	u, err := url.Parse(x.URL)
	if err != nil {
		t.Fatal(err)
	}
	var body io.Reader
	if x.RequestBody != nil {
		body = strings.NewReader(*x.RequestBody)
	}
	r, err := http.NewRequestWithContext(t.Context(), x.Method, base+u.RequestURI(), body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// What does not hang on Pinot's own tables is answered as Pinot answers: the same
// status and kind of content, and texts and failures to the letter.
func TestGoldenExchanges(t *testing.T) {
	base := decanttest.Start(t, flights)
	ran := 0
	for _, x := range exchanges(t) {
		if strings.Contains(x.URL, ":8097/tables") || strings.Contains(x.ResponseBody, "airlineStats") || strings.Contains(x.URL, "esponseStore") ||
			strings.Contains(x.URL, "allTypes") || strings.Contains(x.Name, "instance") {
			continue
		}
		ran++
		response, body := send(t, base, x)
		if response.StatusCode != x.Status {
			t.Errorf("%s: status %d, want %d: %s", x.Name, response.StatusCode, x.Status, body)
		}
		if got, want := response.Header.Get("Content-Type"), x.ResponseHeaders["Content-Type"]; got != want {
			t.Errorf("%s: content type %q, want %q", x.Name, got, want)
		}
		if got, want := response.Header.Get("X-Pinot-Error-Code"), x.ResponseHeaders["X-Pinot-Error-Code"]; got != want {
			t.Errorf("%s: error code %q, want %q", x.Name, got, want)
		}
		var got, want map[string]any
		if json.Unmarshal([]byte(x.ResponseBody), &want) != nil {
			// Behind the first line is where in its own source Pinot's parser was.
			line, _, _ := strings.Cut(x.ResponseBody, "\n")
			if strings.TrimSpace(body) != line && !strings.HasPrefix(line, "[") {
				t.Errorf("%s: %q, want %q", x.Name, body, line)
			}
			continue
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Errorf("%s: %v", x.Name, err)
			continue
		}
		if keys := slices.Sorted(maps.Keys(want)); !strings.Contains(x.URL, "config") && !strings.Contains(x.URL, "version") && !slices.Equal(slices.Sorted(maps.Keys(got)), keys) {
			t.Errorf("%s: members %v, want %v", x.Name, slices.Sorted(maps.Keys(got)), keys)
		}
		if _, failure := want["code"]; failure && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", x.Name, got, want)
		}
	}
	if ran < 8 {
		t.Errorf("%d exchanges", ran)
	}
	t.Logf("%d exchanges", ran)
}
