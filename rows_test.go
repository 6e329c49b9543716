package decant_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/decantdb/decant"
)

// ended tells what a Rows must do once it has no row any more.
func ended(t *testing.T, name string, rows *decant.Rows, want error) {
	t.Helper()
	var place any
	for range 3 {
		if err := rows.Scan(&place, nil); !errors.Is(err, decant.ErrClosed) || place != nil {
			t.Errorf("%s: Scan stores %v, %v", name, place, err)
		}
		if rows.Next() {
			t.Errorf("%s: Next goes on", name)
		}
		if b, err := rows.NextBatch(); b != nil || !errors.Is(err, want) {
			t.Errorf("%s: NextBatch returns %v, %v", name, b, err)
		}
		if err := rows.Close(); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
	}
}

func TestUseAfterClose(t *testing.T) {
	db := open(t, flights)
	for _, query := range []string{
		"SELECT carrier, dest FROM flights",                    // lent by the scan, several batches
		"SELECT carrier, dep_delay FROM flights LIMIT 3",       // one batch
		"SELECT carrier, COUNT(*) FROM flights GROUP BY 1",     // groups
		"SELECT month, dest FROM flights ORDER BY 1 LIMIT 100", // sorted
		"SELECT month, dest FROM flights WHERE month > 12",     // nothing
	} {
		for _, read := range []int{0, 1, 2, 1 << 20} { // rows before Close
			rows, err := db.Query(context.Background(), query)
			if err != nil {
				t.Fatal(err)
			}
			want := decant.ErrClosed
			for range read {
				if !rows.Next() {
					want = io.EOF // which sticks
					break
				}
			}
			if err := rows.Close(); err != nil {
				t.Error(err)
			}
			ended(t, query, rows, want)
		}
	}
}

// TestBatchEndsRow takes a batch while a row is current.
func TestBatchEndsRow(t *testing.T) {
	rows, err := open(t, flights).Query(context.Background(), "SELECT carrier, dest FROM flights")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if _, err := rows.NextBatch(); err != nil {
		t.Fatal(err)
	}
	if err := rows.Scan(nil, nil); !errors.Is(err, decant.ErrClosed) {
		t.Errorf("Scan after NextBatch: %v", err)
	}
	var carrier any
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	if err := rows.Scan(&carrier, nil); err != nil || carrier == nil {
		t.Errorf("Scan of a row of the next batch: %v, %v", carrier, err)
	}
}

// TestErrorEndsRow has the query fail while a row is current.
func TestErrorEndsRow(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rows, err := open(t, flights).Query(ctx, "SELECT carrier, dest FROM flights")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	cancel()
	for rows.Next() {
		if err := rows.Scan(nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if !errors.Is(rows.Err(), context.Canceled) {
		t.Errorf("%v", rows.Err())
	}
	ended(t, "canceled", rows, context.Canceled)
}

// TestNestedColumnsAreText scans lists that SQL has no type for.
func TestNestedColumnsAreText(t *testing.T) {
	path := writeTyped(t, "ints ARRAY<ARRAY<INTEGER>>, tiny ARRAY<ARRAY<TINYINT>>, docs ARRAY<JSON>,"+
		" prices ARRAY<DECIMAL(10,2)>, wide ARRAY<UINT64>, pairs ARRAY<ROW<x BIGINT>>, m MAP<VARCHAR, ARRAY<INTEGER>>")
	db := open(t, path)
	for column, want := range map[string]string{
		"ints": "[[40000]]", "tiny": "[[-8]]", "docs": `["a text that is not held inline"]`, "prices": "[0.00]",
		"wide": "[0]", "pairs": `[{"x":0}]`, "m": `{"a text that is not held inline":[40000]}`,
	} {
		rows, err := db.Query(context.Background(), "SELECT "+column+" FROM t")
		if err != nil {
			t.Errorf("%s: %v", column, err)
			continue
		}
		var first string
		var second any = "not stored"
		if rows.Columns()[0].Type != "JSON" || !rows.Next() {
			t.Errorf("%s is %s: %v", column, rows.Columns()[0].Type, rows.Err())
		} else if err := rows.Scan(&first); err != nil || first != want {
			t.Errorf("%s: %q, %v, want %q", column, first, err, want)
		}
		if !rows.Next() {
			t.Error(rows.Err())
		} else if err := rows.Scan(&second); err != nil || second != nil {
			t.Errorf("%s of a null: %v, %v", column, second, err)
		}
		if err := rows.Close(); err != nil {
			t.Error(err)
		}
	}
}
