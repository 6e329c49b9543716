package decant

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"
)

// ErrScan means that a value does not fit what [Rows.Scan] is to store it in.
var ErrScan = errors.New("value does not fit")

// Scan stores the values of the current row, one for each column:
//
//	*any             as listed below; nil for null
//	*bool, *int, *int32, *int64, *float32, *float64, *string, *[]byte, *time.Time
//	                 if no digit is lost; not for null
//	**T of these     nil for null
//	sql.Scanner      such as sql.NullString or sql.Null[int64]
//	nil              nothing is stored
//
// As any a BOOLEAN is a bool, an INT an int32, a LONG an int64, a FLOAT a float32,
// a DOUBLE a float64, a TIMESTAMP a time.Time in UTC, BYTES a []byte, an array of
// these a []any, and everything else a string. Values are copies, the caller's to
// keep. What does not fit is an error that wraps [ErrScan].
func (r *Rows) Scan(dest ...any) error {
	if r.scan.row >= r.scan.rows {
		return fmt.Errorf("decant: Scan without a row: %w", ErrClosed)
	}
	if len(dest) != len(r.columns) {
		return fmt.Errorf("decant: %d places for %d columns: %w", len(dest), len(r.columns), ErrScan)
	}
	for i, d := range dest {
		value, err := r.scan.value(i)
		if err == nil {
			err = assign(d, value)
		}
		if err != nil {
			return fmt.Errorf("decant: column %s: %w", r.columns[i].Name, err)
		}
	}
	return nil
}

// assign stores value in what dest points to.
func assign(dest, value any) error {
	ok := false
	switch d := dest.(type) {
	case nil:
		return nil
	case *any:
		*d = value
		return nil
	case sql.Scanner:
		return d.Scan(driverValue(value))
	case *bool:
		ok = set(d, value)
	case *string:
		ok = set(d, value)
	case *[]byte:
		ok = set(d, value)
	case *time.Time:
		ok = set(d, value)
	case *int:
		ok = setInteger(d, value)
	case *int32:
		ok = setInteger(d, value)
	case *int64:
		ok = setInteger(d, value)
	case *float32:
		ok = setFloat(d, value)
	case *float64:
		ok = setFloat(d, value)
	default:
		return assignPointer(dest, value)
	}
	switch {
	case ok:
		return nil
	case value == nil:
		return fmt.Errorf("%w: null in %T; use *%T", ErrScan, dest, dest)
	}
	return fmt.Errorf("%w: %T %v in %T", ErrScan, value, value, dest)
}

// assignPointer stores in a pointer that is nil for null.
func assignPointer(dest, value any) error {
	switch d := dest.(type) {
	case **bool:
		return optional(d, value)
	case **string:
		return optional(d, value)
	case **[]byte:
		return optional(d, value)
	case **time.Time:
		return optional(d, value)
	case **int:
		return optional(d, value)
	case **int32:
		return optional(d, value)
	case **int64:
		return optional(d, value)
	case **float32:
		return optional(d, value)
	case **float64:
		return optional(d, value)
	}
	return fmt.Errorf("%w: nothing is stored in %T", ErrScan, dest)
}

func optional[T any](d **T, value any) error {
	if value == nil {
		*d = nil
		return nil
	}
	*d = new(T)
	return assign(*d, value)
}

func set[T any](d *T, value any) bool {
	x, ok := value.(T)
	if ok {
		*d = x
	}
	return ok
}

func setInteger[T int | int32 | int64](d *T, value any) bool {
	var x int64
	switch value := value.(type) {
	case int32:
		x = int64(value)
	case int64:
		x = value
	case float64: // of aggregates, which are DOUBLE
		if value != math.Trunc(value) || math.Abs(value) > 1<<53 {
			return false
		}
		x = int64(value)
	default:
		return false
	}
	*d = T(x)
	return int64(*d) == x
}

func setFloat[T float32 | float64](d *T, value any) bool {
	switch value := value.(type) {
	case int32:
		*d = T(value)
		return int64(*d) == int64(value)
	case int64:
		*d = T(value)
		return math.Abs(float64(*d)) < 1<<63 && int64(*d) == value
	case float32:
		*d = T(value)
		return true
	case float64:
		*d = T(value)
		return float64(*d) == value || value != value
	}
	return false
}

// driverValue returns a value in one of the types that a sql.Scanner gets.
func driverValue(value any) any {
	switch value := value.(type) {
	case int32:
		return int64(value)
	case float32:
		return float64(value)
	}
	return value
}
