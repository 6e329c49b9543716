package sql

import (
	"math"
	"testing"
)

func TestFilterNames(t *testing.T) {
	tests := []struct{ condition, want string }{
		{"a = 1", "a = '1'"},
		{"a <> 'x'", "a != 'x'"},
		{"a >= 1 AND NOT b < 2", "(a >= '1' AND (NOT b < '2'))"},
		{"a IN (1, 2) OR b NOT IN ('x')", "(a IN ('1','2') OR b NOT IN ('x'))"},
		{"a BETWEEN 1 AND 2", "a BETWEEN '1' AND '2'"},
		{"a IS NULL", "a IS NULL"},
		{"a IS NOT NULL", "a IS NOT NULL"},
		{"regexp_like(a, 'x')", "regexp_like(a,'x')"},
		{"a", "a = 'true'"},
		{"a > b", "greater_than(a,b) = 'true'"},
	}
	for _, test := range tests {
		e, err := ParseExpr("sum(x) FILTER (WHERE " + test.condition + ")")
		if err != nil {
			t.Error(err)
			continue
		}
		if got, want := ColumnName(e), "sum(x) FILTER(WHERE "+test.want+")"; got != want {
			t.Errorf("%s\ngot  %s\nwant %s", test.condition, got, want)
		}
	}
}

func TestLiteralColumnName(t *testing.T) {
	tests := []struct {
		literal Literal
		want    string
		printed string
	}{
		{Literal{Type: Int, Value: int32(1)}, "1", "1"},
		{Literal{Type: Long, Value: int64(-1)}, "-1", "-1"},
		{Literal{Type: Double, Value: 1e-10}, "1.0E-10", "1.0E-10"},
		{Literal{Type: Double, Value: math.NaN()}, "NaN", "CAST('NaN' AS DOUBLE)"},
		{Literal{Type: Double, Value: math.Copysign(0, -1)}, "-0.0", "CAST('-0.0' AS DOUBLE)"},
		{Literal{Type: Float, Value: float32(0.1)}, "0.1", "CAST('0.1' AS FLOAT)"},
		{Literal{Type: BigDecimal, Value: "1000"}, "1000", "CAST('1000' AS DECIMAL)"},
		{Literal{Type: String, Value: "it's"}, "'it's'", "'it''s'"},
		{Literal{Type: Bytes, Value: []byte{0xde, 0xad}}, "X'dead'", "hextobytes('dead')"},
		{Literal{Type: Boolean, Value: true}, "true", "TRUE"},
		{Literal{}, "null", "NULL"},
		{Literal{Type: IntArray, Value: []int32{1, 2}}, "[1, 2]", "ARRAY[1, 2]"},
		{Literal{Type: LongArray, Value: []int64{1}}, "[1]", "ARRAY[1]"},
		{Literal{Type: FloatArray, Value: []float32{0.5}}, "[0.5]", "ARRAY[CAST('0.5' AS FLOAT)]"},
		{Literal{Type: DoubleArray, Value: []float64{1.5, 2}}, "[1.5, 2.0]", "ARRAY[1.5, 2.0]"},
		{Literal{Type: StringArray, Value: []string{"a", "b-c"}}, "['a', 'b-c']", "ARRAY['a', 'b-c']"},
	}
	for _, test := range tests {
		if got := LiteralColumnName(&test.literal); got != test.want {
			t.Errorf("%v: name %s, want %s", test.literal, got, test.want)
		}
		if got := test.literal.String(); got != test.printed {
			t.Errorf("%v: printed %s, want %s", test.literal, got, test.printed)
		}
		same := test.literal
		if !Equal(&test.literal, &same) {
			t.Errorf("%v: does not equal itself", test.literal)
		}
		if other := (&Literal{Type: Int, Value: int32(7)}); Equal(&test.literal, other) {
			t.Errorf("%v: equals 7", test.literal)
		}
		if _, err := ParseExpr(test.literal.String()); err != nil {
			t.Errorf("%v: %v", test.literal, err)
		}
	}
}

func TestAppendJavaFloat(t *testing.T) {
	tests := []struct {
		value   float64
		bitSize int
		want    string
	}{
		{0, 64, "0.0"},
		{100, 64, "100.0"},
		{0.001, 64, "0.001"},
		{0.00099, 64, "9.9E-4"},
		{9999999, 64, "9999999.0"},
		{1e7, 64, "1.0E7"},
		{-123456789.123, 64, "-1.23456789123E8"},
		{math.MaxFloat64, 64, "1.7976931348623157E308"},
		{math.SmallestNonzeroFloat64, 64, "4.9E-324"},
		{math.SmallestNonzeroFloat32, 32, "1.4E-45"},
		{float64(float32(0.1)), 32, "0.1"},
		{math.Inf(-1), 64, "-Infinity"},
	}
	for _, test := range tests {
		if got := string(AppendJavaFloat(nil, test.value, test.bitSize)); got != test.want {
			t.Errorf("%v: got %s, want %s", test.value, got, test.want)
		}
	}
}
