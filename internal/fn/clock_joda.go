package fn

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones do not depend on the machine
)

// jodaClocks are the functions of moments whose text follows a pattern.
var jodaClocks = []Function{
	{Name: "todatetime", Rows: either(takes(String, rows(toDateTime), Long, String), takes(String, rows(toDateTime), Long, String, String))},
	{Name: "todatetimemv", Rows: either(takes(StringArray, rows(toDateTime), LongArray, String), takes(StringArray, rows(toDateTime), LongArray, String, String))},
	{Name: "fromdatetime", Rows: either(
		takes(Long, rows(fromDateTime), String, String),
		takes(Long, rows(fromDateTime), String, String, String),
		takes(Long, rows(fromDateTime), String, String, String, Long),
	)},
	{Name: "fromdatetimemv", Rows: either(takes(LongArray, rows(fromDateTime), StringArray, String), takes(LongArray, rows(fromDateTime), StringArray, String, String))},
	{Name: "timezonehour", Rows: offsetFunction(Int, 3600, math.MaxInt)},
	{Name: "timezonehourmv", Rows: offsetFunction(IntArray, 3600, math.MaxInt)},
	{Name: "timezoneminute", Rows: offsetFunction(Int, 60, 60)},
	{Name: "timezoneminutemv", Rows: offsetFunction(IntArray, 60, 60)},
	{Name: "datebin", Rows: takes(Timestamp, rows(dateBin), String, Timestamp, Timestamp), Fold: takes(Long, rows(dateBin), String, Timestamp, Timestamp)},
	{Name: "datetimeconvert", Rows: resolveDateTimeConvert(false)},
	{Name: "datetimeconvertwindowhop", Rows: resolveDateTimeConvert(true)},
}

// rowJoda keeps the pattern and the zone that a row named last.
type rowJoda struct {
	text, name string
	pattern    jodaPattern
	zone       *time.Location
}

// jodaOf returns the pattern that is an argument, and the zone that is the next one.
func jodaOf(r *Row, arg int) (*rowJoda, error) {
	j, ok := r.Scratch.(*rowJoda)
	if !ok {
		j = &rowJoda{zone: time.UTC}
		r.Scratch = j
	}
	if text := r.Text(arg); j.pattern == nil || string(text) != j.text {
		pattern, err := compileJoda(string(text))
		if err != nil {
			return nil, err
		}
		j.text, j.pattern = string(text), pattern
	}
	if r.Args() > arg+1 && string(r.Text(arg+1)) != j.name {
		zone, err := loadZone(string(r.Text(arg + 1)))
		if err != nil {
			return nil, err
		}
		j.name, j.zone = string(r.Text(arg+1)), zone
	}
	return j, nil
}

func toDateTime(r *Row) error {
	j, err := jodaOf(r, 1)
	if err != nil {
		return err
	}
	if r.args[0].list == nil {
		r.Out = j.pattern.append(r.Out, time.UnixMilli(r.Int(0)).In(j.zone))
		return nil
	}
	for i := range r.Len(0) {
		r.Out = j.pattern.append(r.Out[:0], time.UnixMilli(r.IntAt(0, i)).In(j.zone))
		r.AddText(r.Out)
	}
	return nil
}

func fromDateTime(r *Row) error {
	j, err := jodaOf(r, 1)
	if err != nil {
		return err
	}
	for i := range r.texts(0) {
		ms, err := j.pattern.parse(string(r.textOf(0, i)), j.zone)
		if err != nil && r.Args() == 4 {
			ms, err = r.Int(3), nil
		}
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

// offsetFunction gives a zone's offset in 1970, or at a moment or each one of an array,
// in units of so many seconds, and of it what is left of a larger unit.
func offsetFunction(result Type, seconds, rest int) Resolver {
	f := rows(func(r *Row) error {
		zone, err := zoneOf(r, 0)
		if err != nil {
			return err
		}
		offset := func(ms int64) (int64, error) {
			_, s := time.UnixMilli(ms).In(zone).Zone()
			return int64(s / seconds % rest), nil
		}
		if r.Args() == 1 {
			r.I, _ = offset(0) // as Pinot does, so that an answer does not change
			return nil
		}
		return eachInt(r, 1, offset)
	})
	if result == IntArray {
		return takes(result, f, String, LongArray)
	}
	return either(takes(result, f, String), takes(result, f, String, Long))
}

var binSpec = regexp.MustCompile(`^(-?\d+[dhms])+$`)

// dateBin counts bins of a span from an origin, and cuts toward that.
func dateBin(r *Row) error {
	spec := string(r.Text(0))
	if !binSpec.MatchString(strings.ToLower(spec)) {
		return badValue("Invalid time spec '%s' (Valid examples: '3h', '4h30m')", spec)
	}
	bin := binMillis(strings.ToLower(spec))
	if bin == 0 {
		return badValue("/ by zero")
	}
	origin := r.Int(2)
	r.I = origin + (r.Int(1)-origin)/bin*bin
	return nil
}

// binMillis adds up a span such as 4h30m.
func binMillis(spec string) int64 {
	units := map[byte]int64{'d': millisPerDay, 'h': 3_600_000, 'm': 60_000, 's': 1000}
	total, begin := int64(0), 0
	for i := range len(spec) {
		if unit, ok := units[spec[i]]; ok {
			n, _ := strconv.ParseInt(spec[begin:i], 10, 64)
			total += n * unit
			begin = i + 1
		}
	}
	return total
}
