package convert

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"
)

// TestExampleData exports examples/flights.nimble. It must be the text of the
// file that it was made of, whose hash examples/flights-csv.sh has.
func TestExampleData(t *testing.T) {
	script, err := os.ReadFile("../../examples/flights-csv.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := bytes.Cut(script, []byte("sha256="))
	if !found || len(rest) < 2*sha256.Size {
		t.Fatal("the script has no hash")
	}
	src, err := OpenSource(t.Context(), "../../examples/flights.nimble", Options{})
	if err != nil {
		t.Fatal(err)
	}
	hash := sha256.New()
	sink, err := NewSink(hash, FormatCSV, src.Schema(), Options{Nulls: []string{"NA"}})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := copyRows(sink, src)
	if err != nil {
		t.Fatal(err)
	}
	if err := sink.Close(); err != nil {
		t.Fatal(err)
	}
	if err := src.Close(); err != nil {
		t.Fatal(err)
	}
	want := string(rest[:2*sha256.Size])
	if got := hex.EncodeToString(hash.Sum(nil)); got != want || rows != 336_776 {
		t.Errorf("%d rows with the hash %s, want %s", rows, got, want)
	}
}
