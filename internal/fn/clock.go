package fn

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// clocks is the family of functions of moments. They are milliseconds since 1970
// in the proleptic Gregorian calendar, in UTC unless a zone is given.
var clocks = slices.Concat(
	fieldFunctions("year", nil, func(t time.Time) int { return t.Year() }),
	fieldFunctions("quarter", nil, func(t time.Time) int { return (int(t.Month()) + 2) / 3 }),
	fieldFunctions("monthofyear", []string{"month"}, func(t time.Time) int { return int(t.Month()) }),
	fieldFunctions("weekofyear", []string{"week"}, isoWeek),
	fieldFunctions("yearofweek", []string{"yow"}, func(t time.Time) int { y, _ := t.ISOWeek(); return y }),
	fieldFunctions("dayofyear", []string{"doy"}, func(t time.Time) int { return t.YearDay() }),
	fieldFunctions("dayofmonth", []string{"day"}, func(t time.Time) int { return t.Day() }),
	fieldFunctions("dayofweek", []string{"dow"}, isoWeekday),
	fieldFunctions("hour", nil, func(t time.Time) int { return t.Hour() }),
	fieldFunctions("minute", nil, func(t time.Time) int { return t.Minute() }),
	fieldFunctions("second", nil, func(t time.Time) int { return t.Second() }),
	fieldFunctions("millisecond", nil, func(t time.Time) int { return t.Nanosecond() / 1e6 }),
	epochFunctions("seconds", 1000), epochFunctions("minutes", 60_000),
	epochFunctions("hours", 3_600_000), epochFunctions("days", millisPerDay),
	jodaClocks,
	[]Function{
		{Name: "extract", Rows: resolveExtract},
		{Name: "timestampadd", Alias: []string{"dateadd"}, Rows: takes(Long, rows(timestampAdd), String, Long, Long)},
		{Name: "timestampaddmv", Alias: []string{"dateaddmv"}, Rows: takes(LongArray, rows(timestampAdd), String, Long, LongArray)},
		{Name: "timestampdiff", Alias: []string{"datediff"}, Rows: takes(Long, rows(timestampDiff), String, Long, Long)},
		{Name: "timestampdiffmv", Alias: []string{"datediffmv"}, Rows: takes(LongArray, rows(timestampDiff), String, LongArray, Long)},
		{Name: "timestampdiffmvreverse", Alias: []string{"datediffmvreverse"}, Rows: takes(LongArray, rows(timestampDiff), String, Long, LongArray)},
		{Name: "datetrunc", Rows: resolveTrunc(Long)},
		{Name: "datetruncmv", Rows: resolveTrunc(LongArray)},
		{Name: "timeconvert", Rows: resolveConvert},
		{Name: "totimestamp", Rows: takes(Timestamp, rows(passLong), Long)},
		{Name: "totimestampmv", Rows: takes(TimestampArray, rows(passLong), LongArray)},
		{Name: "fromtimestamp", Rows: takes(Long, rows(passLong), Timestamp)},
		{Name: "fromtimestampmv", Rows: takes(LongArray, rows(passLong), TimestampArray)},
		{Name: "toiso8601", Rows: takes(String, rows(toISO), Long)},
		{Name: "toiso8601mv", Rows: takes(StringArray, rows(toISO), LongArray)},
		{Name: "fromiso8601", Rows: takes(Long, rows(fromISO), String)},
		{Name: "fromiso8601mv", Rows: takes(LongArray, rows(fromISO), StringArray)},
		{Name: "round", Rows: takes(Long, rows(roundDown), Long, Long)},
		{Name: "roundmv", Rows: takes(LongArray, rows(roundDown), LongArray, Long)},
	},
)

func isoWeek(t time.Time) int { _, w := t.ISOWeek(); return w }

func isoWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

// eachInt gives f an argument that is one integer, or each one of an array.
func eachInt(r *Row, arg int, f func(x int64) (int64, error)) (err error) {
	if r.args[arg].list == nil {
		r.I, err = f(r.Int(arg))
		return err
	}
	for i := range r.Len(arg) {
		x, err := f(r.IntAt(arg, i))
		if err != nil {
			return err
		}
		r.AddInt(x)
	}
	return nil
}

// fieldFunctions take a field out of a moment, or of each one of an array.
func fieldFunctions(name string, alias []string, field func(time.Time) int) []Function {
	f := rows(func(r *Row) error {
		zone := time.UTC
		if r.Args() == 2 {
			var err error
			if zone, err = zoneOf(r, 1); err != nil {
				return err
			}
		}
		return eachInt(r, 0, func(ms int64) (int64, error) { return int64(field(time.UnixMilli(ms).In(zone))), nil })
	})
	several := Function{Name: name + "mv", Rows: zoned(1, either(takes(IntArray, f, LongArray), takes(IntArray, f, LongArray, String)))}
	for _, a := range alias {
		several.Alias = append(several.Alias, a+"mv")
	}
	return []Function{
		{Name: name, Alias: alias, Rows: single(zoned(1, either(takes(Int, f, Long), takes(Int, f, Long, String))))},
		several,
	}
}

// zoned refuses a zone that is no literal or no zone.
func zoned(arg int, r Resolver) Resolver {
	return func(args []Arg) (Signature, error) {
		if len(args) > arg {
			if args[arg].Literal == nil {
				return Signature{}, wrongNumber(args)
			}
			if _, err := loadZone(args[arg].Literal.Text()); err != nil && !args[arg].Literal.Null {
				return Signature{}, err
			}
		}
		return r(args)
	}
}

// rowZone keeps the zone that a row named last.
type rowZone struct {
	name string
	zone *time.Location
}

func zoneOf(r *Row, arg int) (*time.Location, error) {
	z, ok := r.Scratch.(*rowZone)
	if !ok {
		z = &rowZone{}
		r.Scratch = z
	}
	if name := r.Text(arg); z.zone == nil || string(name) != z.name {
		zone, err := loadZone(string(name))
		if err != nil {
			return nil, err
		}
		z.name, z.zone = string(name), zone
	}
	return z.zone, nil
}

// loadZone reads the name of a zone or its offset.
func loadZone(name string) (*time.Location, error) {
	if at, err := time.Parse("-07:00", name); err == nil {
		_, seconds := at.Zone()
		return time.FixedZone(name, seconds), nil
	}
	if name == "" || name == "Local" {
		return nil, badValue("the zone %q is not known", name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, badValue("the zone %q is not known", name)
	}
	return zone, nil
}

// epochFunctions count units since 1970. Divisions are cut toward zero.
func epochFunctions(unit string, ms int64) []Function {
	var out []Function
	add := func(name string, f func(x, n int64) int64, counted bool) {
		kernel := rows(func(r *Row) error {
			n := int64(1)
			if counted {
				if n = r.Int(1); n == 0 {
					return badValue("/ by zero")
				}
			}
			return eachInt(r, 0, func(x int64) (int64, error) { return f(x, n), nil })
		})
		one, several := []Type{Long}, []Type{LongArray}
		if counted {
			one, several = append(one, Long), append(several, Long)
		}
		out = append(out, Function{Name: name, Rows: takes(Long, kernel, one...)}, Function{Name: name + "mv", Rows: takes(LongArray, kernel, several...)})
	}
	add("toepoch"+unit, func(x, _ int64) int64 { return x / ms }, false)
	add("toepoch"+unit+"bucket", func(x, n int64) int64 { return x / ms / n }, true)
	add("toepoch"+unit+"rounded", func(x, n int64) int64 { return x / ms / n * n }, true)
	add("fromepoch"+unit, func(x, _ int64) int64 { return saturated(x, ms) }, false)
	add("fromepoch"+unit+"bucket", func(x, n int64) int64 { return saturated(x*n, ms) }, true)
	return out
}

// saturated multiplies as Java's TimeUnit does.
func saturated(x, by int64) int64 {
	switch {
	case x > math.MaxInt64/by:
		return math.MaxInt64
	case x < math.MinInt64/by:
		return math.MinInt64
	}
	return x * by
}

// extractFields are the units of EXTRACT.
var extractFields = map[string]func(time.Time) int{
	"YEAR": func(t time.Time) int { return t.Year() }, "QUARTER": func(t time.Time) int { return (int(t.Month()) + 2) / 3 },
	"MONTH": func(t time.Time) int { return int(t.Month()) }, "WEEK": isoWeek, "DAY": func(t time.Time) int { return t.Day() },
	"DOY": func(t time.Time) int { return t.YearDay() }, "DOW": isoWeekday, "HOUR": func(t time.Time) int { return t.Hour() },
	"MINUTE": func(t time.Time) int { return t.Minute() }, "SECOND": func(t time.Time) int { return t.Second() },
}

func resolveExtract(args []Arg) (Signature, error) {
	if len(args) != 2 || args[0].Literal == nil {
		return Signature{}, wrongNumber(args)
	}
	field := extractFields[strings.ToUpper(args[0].Literal.S)]
	if field == nil {
		return Signature{}, badValue("no field %q", args[0].Literal.S)
	}
	return single(takes(Int, rows(func(r *Row) error {
		r.I = int64(field(time.UnixMilli(r.Int(1)).UTC()))
		return nil
	}), String, Long))(args)
}

func passLong(r *Row) error {
	return eachInt(r, 0, func(x int64) (int64, error) { return x, nil })
}

func roundDown(r *Row) error {
	unit := r.Int(1)
	if unit == 0 {
		return badValue("/ by zero")
	}
	return eachInt(r, 0, func(x int64) (int64, error) { return x / unit * unit, nil })
}

func toISO(r *Row) error {
	if r.args[0].list == nil {
		r.Out = appendInstant(r.Out, r.Int(0))
		return nil
	}
	for i := range r.Len(0) {
		r.Out = appendInstant(r.Out[:0], r.IntAt(0, i))
		r.AddText(r.Out)
	}
	return nil
}

// appendInstant writes a moment with milliseconds where there are any.
func appendInstant(dst []byte, ms int64) []byte {
	layout := "2006-01-02T15:04:05Z"
	if ms%1000 != 0 {
		layout = "2006-01-02T15:04:05.000Z"
	}
	return time.UnixMilli(ms).UTC().AppendFormat(dst, layout)
}

func fromISO(r *Row) error {
	parse := func(text string) (int64, error) {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return 0, badValue("%s could not be parsed", strconv.Quote(text))
		}
		return at.UnixMilli(), nil
	}
	for i := range r.texts(0) {
		ms, err := parse(string(r.textOf(0, i)))
		if err != nil {
			return err
		}
		if r.list != nil {
			r.AddInt(ms)
		}
		r.I = ms
	}
	return nil
}
