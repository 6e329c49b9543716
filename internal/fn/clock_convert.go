package fn

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// clockFormat is how a column has moments, as DATETIMECONVERT writes it:
//
//	1:HOURS:EPOCH                            EPOCH|HOURS|1    numbers of units since 1970
//	1:DAYS:SIMPLE_DATE_FORMAT:yyyy-MM-dd     SIMPLE_DATE_FORMAT|yyyy-MM-dd|UTC
//	TIMESTAMP                                1:MILLISECONDS:TIMESTAMP
//
// A pattern in the first form may end with tz(ZONE).
type clockFormat struct {
	kind    string // EPOCH, SIMPLE_DATE_FORMAT or TIMESTAMP
	unit    int64  // milliseconds, of EPOCH
	pattern jodaPattern
	zone    *time.Location
}

const (
	epochFormat     = "EPOCH"
	patternFormat   = "SIMPLE_DATE_FORMAT"
	timestampFormat = "TIMESTAMP"
)

var clockUnits = map[string]int64{
	"MILLISECONDS": 1, "SECONDS": 1000, "MINUTES": 60_000, "HOURS": 3_600_000, "DAYS": millisPerDay,
}

var zoneSuffix = regexp.MustCompile(`^(.*?) ?tz\(\s*([^)]+?)\s*\)\s*$`)

// parseClockFormat reads a format. Its error wraps ErrArguments, as that of what
// does not fit a function.
func parseClockFormat(text string) (clockFormat, error) {
	f := clockFormat{unit: 1, zone: time.UTC}
	var size, unit, pattern, zone string
	if parts := strings.Split(text, "|"); len(parts) > 1 || !strings.Contains(text, ":") {
		f.kind = parts[0]
		parts = append(parts, "", "")
		if f.kind == patternFormat {
			pattern, zone = parts[1], parts[2]
		} else {
			unit, size = parts[1], parts[2]
		}
	} else {
		parts := append(strings.SplitN(text, ":", 4), "", "")
		size, unit, f.kind, pattern = parts[0], parts[1], parts[2], parts[3]
		if m := zoneSuffix.FindStringSubmatch(pattern); m != nil {
			pattern, zone = m[1], m[2]
		}
	}
	return f, f.fill(text, size, unit, pattern, zone)
}

func (f *clockFormat) fill(text, size, unit, pattern, zone string) (err error) {
	switch f.kind {
	case timestampFormat:
		return nil
	case epochFormat:
		f.unit, err = spanOf(size, unit)
		return err
	case patternFormat:
		if zone != "" {
			if f.zone, err = loadZone(zone); err != nil {
				return err
			}
		}
		f.pattern, err = compileJoda(pattern)
		return err
	}
	return wrongFormat("Invalid time format: %s in format: %s", f.kind, text)
}

func wrongFormat(format string, args ...any) error { return &formatError{badValue(format, args...)} }

// formatError is a literal that does not fit a function: for a query that is found
// while it is compiled it is as wrong as the number of arguments.
type formatError struct{ error }

func (e *formatError) Is(target error) bool { return target == ErrArguments }

// spanOf returns so many units in milliseconds; 1 and milliseconds may be left out.
func spanOf(size, unit string) (int64, error) {
	n := int64(1)
	if size != "" {
		var err error
		if n, err = strconv.ParseInt(size, 10, 64); err != nil || n <= 0 {
			return 0, wrongFormat("Invalid size: %s", size)
		}
	}
	if unit == "" {
		unit = "MILLISECONDS"
	}
	ms, ok := clockUnits[unit]
	if !ok || n > math.MaxInt64/ms {
		return 0, wrongFormat("Invalid time unit: %s", unit)
	}
	return n * ms, nil
}

// granularityOf reads 15:MINUTES or MINUTES|15.
func granularityOf(text string) (int64, error) {
	if unit, size, ok := strings.Cut(text, "|"); ok || !strings.Contains(text, ":") {
		return spanOf(size, unit)
	}
	size, unit, _ := strings.Cut(text, ":")
	return spanOf(size, unit)
}

// clockConvert is a call of DATETIMECONVERT, or of its kin that gives windows.
type clockConvert struct {
	in, out     clockFormat
	granularity int64
	window      int64          // 0 if there are none
	bucketZone  *time.Location // nil: the zone of out
}

// resolveDateTimeConvert resolves calls whose formats are literals.
func resolveDateTimeConvert(windows bool) Resolver {
	fixed := 4
	if windows {
		fixed = 5
	}
	return func(args []Arg) (Signature, error) {
		if len(args) != fixed && len(args) != fixed+1 || args[0].Type.Array() {
			return Signature{}, wrongNumber(args)
		}
		texts := make([]string, len(args))
		for i, a := range args[1:] {
			if a.Literal == nil || a.Type != String {
				return Signature{}, wrongNumber(args)
			}
			texts[i+1] = a.Literal.S
		}
		c, err := newClockConvert(texts, fixed)
		if err != nil {
			return Signature{}, err
		}
		return c.signature(args, windows), nil
	}
}

func newClockConvert(texts []string, fixed int) (c *clockConvert, err error) {
	c = &clockConvert{}
	if c.in, err = parseClockFormat(texts[1]); err != nil {
		return nil, err
	}
	if c.out, err = parseClockFormat(texts[2]); err != nil {
		return nil, err
	}
	if c.granularity, err = granularityOf(texts[3]); err != nil {
		return nil, err
	}
	if fixed == 5 {
		if c.window, err = granularityOf(texts[4]); err != nil {
			return nil, err
		}
	}
	if len(texts) > fixed {
		c.bucketZone, err = loadZone(texts[fixed])
	}
	return c, err
}

func (c *clockConvert) signature(args []Arg, windows bool) Signature {
	params := []Type{Long}
	if c.in.kind == patternFormat {
		params[0] = String
	}
	for range args[1:] {
		params = append(params, String)
	}
	result := map[string]Type{epochFormat: Long, patternFormat: String, timestampFormat: Timestamp}[c.out.kind]
	kernel := c.convert
	if windows {
		kernel = c.convertWindows
		result = map[Type]Type{Long: LongArray, String: StringArray, Timestamp: TimestampArray}[result]
	}
	return Signature{Args: params, Type: result, New: rows(kernel)(result)}
}

// moment returns the first argument in milliseconds.
func (c *clockConvert) moment(r *Row) (int64, error) {
	if c.in.kind == patternFormat {
		return c.in.pattern.parse(string(r.Text(0)), c.in.zone)
	}
	return saturated(r.Int(0), c.in.unit), nil
}

func (c *clockConvert) convert(r *Row) error {
	ms, err := c.moment(r)
	if err != nil {
		return err
	}
	if c.out.kind == patternFormat || c.bucketZone != nil {
		zone := c.out.zone
		if c.bucketZone != nil {
			zone = c.bucketZone
		}
		ms = floorIn(ms, c.granularity, zone)
	} else {
		ms = ms / c.granularity * c.granularity
	}
	c.emit(r, ms)
	return nil
}

// emit gives a moment in the output's form.
func (c *clockConvert) emit(r *Row, ms int64) {
	if c.out.kind == patternFormat {
		r.Out = c.out.pattern.append(r.Out[:0], time.UnixMilli(ms).In(c.out.zone))
		if r.list != nil {
			r.AddText(r.Out)
		}
		return
	}
	r.I = ms / c.out.unit
	if r.list != nil {
		r.AddInt(r.I)
	}
}

// maxWindows bounds the windows of one moment.
const maxWindows = 100_000

// convertWindows gives the start of each window that a moment lies in, the last
// first: windows begin at every granularity.
func (c *clockConvert) convertWindows(r *Row) error {
	ms, err := c.moment(r)
	if err != nil {
		return err
	}
	if c.window/c.granularity > maxWindows {
		return badValue("more than %d windows", maxWindows)
	}
	for start := ms / c.granularity * c.granularity; start+c.window > ms; start -= c.granularity {
		c.emit(r, start)
	}
	return nil
}

// floorIn returns the start of a moment's span on the clocks of a zone.
func floorIn(ms, span int64, zone *time.Location) int64 {
	_, seconds := time.UnixMilli(ms).In(zone).Zone()
	local := ms + int64(seconds)*1000
	start := local - ((local%span)+span)%span
	at := start - int64(seconds)*1000
	if _, there := time.UnixMilli(at).In(zone).Zone(); there == seconds {
		return at
	}
	if other, ok := localMillis(time.UnixMilli(start).UTC(), zone); ok {
		return other
	}
	return at
}
