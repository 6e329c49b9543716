package fn

import (
	"strings"
	"time"
)

// fixedUnits are the units of time of a fixed length, in milliseconds.
var fixedUnits = map[string]int64{
	"MILLISECOND": 1, "SECOND": 1000, "MINUTE": 60_000, "HOUR": 3_600_000, "DAY": millisPerDay, "WEEK": 7 * millisPerDay,
}

// monthUnits are the units of time that are months.
var monthUnits = map[string]int64{"MONTH": 1, "QUARTER": 3, "YEAR": 12}

// countingUnits are Java's units of counts since 1970, in milliseconds; those
// that are shorter, how many make one.
var (
	countingUnits = map[string]int64{"MILLISECONDS": 1, "SECONDS": 1000, "MINUTES": 60_000, "HOURS": 3_600_000, "DAYS": millisPerDay}
	shortUnits    = map[string]int64{"MICROSECONDS": 1000, "NANOSECONDS": 1_000_000}
)

func toMillis(x int64, unit string) (int64, error) {
	unit = strings.ToUpper(unit)
	if ms, ok := countingUnits[unit]; ok {
		return x * ms, nil
	}
	if n, ok := shortUnits[unit]; ok {
		return x / n, nil
	}
	return 0, badValue("no unit of time %q", unit)
}

func fromMillis(x int64, unit string) (int64, error) {
	unit = strings.ToUpper(unit)
	if ms, ok := countingUnits[unit]; ok {
		return x / ms, nil
	}
	if n, ok := shortUnits[unit]; ok {
		return x * n, nil
	}
	return 0, badValue("no unit of time %q", unit)
}

func resolveConvert(args []Arg) (Signature, error) {
	for _, unit := range args[min(1, len(args)):] {
		if unit.Literal == nil {
			return Signature{}, wrongNumber(args)
		}
		if _, err := fromMillis(0, unit.Literal.S); err != nil {
			return Signature{}, err
		}
	}
	return single(takes(Long, rows(timeConvert), Long, String, String))(args)
}

func timeConvert(r *Row) error {
	ms, err := toMillis(r.Int(0), string(r.Text(1)))
	if err != nil {
		return err
	}
	r.I, err = fromMillis(ms, string(r.Text(2)))
	return err
}

// addMonths holds the day within the month that it comes to.
func addMonths(ms, months int64) int64 {
	t := time.UnixMilli(ms).UTC()
	first := time.Date(t.Year(), t.Month()+time.Month(months), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1).UnixMilli()
}

func timestampAdd(r *Row) error {
	unit, n := strings.ToUpper(string(r.Text(0))), r.Int(1)
	return eachInt(r, 2, func(ms int64) (int64, error) {
		if length, ok := fixedUnits[unit]; ok {
			return ms + n*length, nil
		}
		if months, ok := monthUnits[unit]; ok {
			return addMonths(ms, n*months), nil
		}
		return 0, badValue("%q is not a field of a moment", unit)
	})
}

// timestampDiff counts whole units from the second argument to the third, of
// which one may be an array.
func timestampDiff(r *Row) error {
	unit := strings.ToUpper(string(r.Text(0)))
	if r.args[1].list != nil {
		to := r.Int(2)
		return eachInt(r, 1, func(from int64) (int64, error) { return unitsBetween(unit, from, to) })
	}
	from := r.Int(1)
	return eachInt(r, 2, func(to int64) (int64, error) { return unitsBetween(unit, from, to) })
}

func unitsBetween(unit string, from, to int64) (int64, error) {
	if length, ok := fixedUnits[unit]; ok {
		return (to - from) / length, nil
	}
	length, ok := monthUnits[unit]
	if !ok {
		return 0, badValue("%q is not a field of a moment", unit)
	}
	if to < from {
		n, err := unitsBetween(unit, to, from)
		return -n, err
	}
	a, b := time.UnixMilli(from).UTC(), time.UnixMilli(to).UTC()
	months := int64(b.Year()-a.Year())*12 + int64(b.Month()-a.Month())
	if addMonths(from, months) > to {
		months--
	}
	return months / length, nil
}

// resolveTrunc takes a unit, a count, the count's unit, a zone and the unit of
// the result.
func resolveTrunc(result Type) Resolver {
	f := rows(dateTrunc)
	return func(args []Arg) (Signature, error) {
		if len(args) < 2 || len(args) > 5 || args[0].Literal == nil {
			return Signature{}, wrongNumber(args)
		}
		unit := strings.ToUpper(args[0].Literal.S)
		if fixedUnits[unit] == 0 && monthUnits[unit] == 0 {
			return Signature{}, badValue("%q is not a field of a moment", args[0].Literal.S)
		}
		for i := 2; i < len(args); i++ {
			if args[i].Literal == nil {
				return Signature{}, wrongNumber(args)
			}
			if i == 3 {
				if _, err := loadZone(args[i].Literal.S); err != nil {
					return Signature{}, err
				}
			} else if _, err := toMillis(0, args[i].Literal.S); err != nil {
				return Signature{}, err
			}
		}
		if result == Long && args[1].Type.Array() {
			return Signature{}, wrongNumber(args)
		}
		return takes(result, f, []Type{String, result, String, String, String}[:len(args)]...)(args)
	}
}

func dateTrunc(r *Row) (err error) {
	in, zone := "MILLISECONDS", time.UTC
	if r.Args() > 2 {
		in = string(r.Text(2))
	}
	if r.Args() > 3 {
		if zone, err = zoneOf(r, 3); err != nil {
			return err
		}
	}
	out := in
	if r.Args() > 4 {
		out = string(r.Text(4))
	}
	unit := strings.ToUpper(string(r.Text(0)))
	return eachInt(r, 1, func(x int64) (int64, error) {
		ms, err := toMillis(x, in)
		if err != nil {
			return 0, err
		}
		return fromMillis(startOf(unit, ms, zone), out)
	})
}

// startOf returns the start of the unit in which a moment lies.
func startOf(unit string, ms int64, zone *time.Location) int64 {
	t := time.UnixMilli(ms).In(zone)
	y, m, d := t.Date()
	switch unit {
	case "DAY":
	case "WEEK":
		d -= isoWeekday(t) - 1
	case "MONTH":
		d = 1
	case "QUARTER":
		m, d = (m-1)/3*3+1, 1
	case "YEAR":
		m, d = 1, 1
	default:
		_, seconds := t.Zone()
		local, length := ms+int64(seconds)*1000, fixedUnits[unit]
		rest := local % length
		if rest < 0 {
			rest += length
		}
		return ms - rest
	}
	return time.Date(y, m, d, 0, 0, 0, 0, zone).UnixMilli()
}
