package nimble

import (
	"fmt"
	"strconv"
	"strings"
)

// LogicalKind is the family of a logical type.
type LogicalKind uint8

// The families.
const (
	LogicalNone      LogicalKind = iota
	LogicalDate                  // INTEGER: days since 1970
	LogicalDecimal               // unscaled: BIGINT up to 18 digits, else VARBINARY, big-endian two's complement
	LogicalTime                  // BIGINT: time of day in Unit
	LogicalTimestamp             // TIMESTAMP whose source counted in Unit
	LogicalUnsigned              // Bits in the next wider signed kind; 64 bits as the bits of BIGINT
	LogicalJSON                  // VARCHAR
	LogicalUUID                  // VARBINARY of 16 bytes
)

// Unit is a unit of time.
type Unit uint8

// The units.
const (
	Second Unit = iota + 1
	Millisecond
	Microsecond
	Nanosecond
)

var unitNames = [...]string{Second: "s", Millisecond: "ms", Microsecond: "us", Nanosecond: "ns"}

// String returns the unit's symbol, such as "ms".
func (u Unit) String() string {
	if u >= Second && int(u) < len(unitNames) {
		return unitNames[u]
	}
	return "?"
}

const (
	// MaxDecimalDigits is the largest precision of a decimal, that of 256 bits.
	MaxDecimalDigits = 76
	// MaxShortDecimalDigits is the largest precision that BIGINT holds.
	MaxShortDecimalDigits = 18
)

// Logical is a logical type: what the values of a column stand for.
type Logical struct {
	Kind             LogicalKind
	Precision, Scale int  // LogicalDecimal
	Unit             Unit // LogicalTime, LogicalTimestamp
	Bits             int  // LogicalUnsigned: 8, 16, 32 or 64
}

// String returns the form that [ParseLogical] reads, "" for the zero Logical.
func (l Logical) String() string {
	switch l.Kind {
	case LogicalDate:
		return "date"
	case LogicalDecimal:
		return fmt.Sprintf("decimal(%d,%d)", l.Precision, l.Scale)
	case LogicalTime:
		return fmt.Sprintf("time(%v)", l.Unit)
	case LogicalTimestamp:
		return fmt.Sprintf("timestamp(%v)", l.Unit)
	case LogicalUnsigned:
		return fmt.Sprintf("uint%d", l.Bits)
	case LogicalJSON:
		return "json"
	case LogicalUUID:
		return "uuid"
	default:
		return ""
	}
}

// Storage returns the kind that holds the values, 0 for the zero Logical.
func (l Logical) Storage() Kind {
	switch l.Kind {
	case LogicalDate:
		return Integer
	case LogicalDecimal:
		if l.Precision <= MaxShortDecimalDigits {
			return BigInt
		}
		return Varbinary
	case LogicalTime:
		return BigInt
	case LogicalTimestamp:
		return Timestamp
	case LogicalUnsigned:
		return map[int]Kind{8: SmallInt, 16: Integer, 32: BigInt, 64: BigInt}[l.Bits]
	case LogicalJSON:
		return Varchar
	case LogicalUUID:
		return Varbinary
	default:
		return 0
	}
}

// Type returns a type of this logical type.
func (l Logical) Type() *Type { return &Type{Kind: l.Storage(), Logical: l.String()} }

// ParseLogical reads a logical type as the attribute [LogicalKey] has it:
//
//	date · decimal(P,S) · time(UNIT) · timestamp(UNIT) · uint8|16|32|64 · json · uuid
//
// with 1 <= P <= 76, 0 <= S <= P and UNIT one of s, ms, us, ns. An empty text
// is no logical type. Errors wrap [ErrSchema].
func ParseLogical(s string) (Logical, error) {
	name, args, ok := strings.Cut(s, "(")
	if ok {
		args, ok = strings.CutSuffix(args, ")")
		if !ok {
			return Logical{}, fmt.Errorf("%w: logical type %q", ErrSchema, s)
		}
		return parseParametric(s, name, args)
	}
	switch s {
	case "":
		return Logical{}, nil
	case "date":
		return Logical{Kind: LogicalDate}, nil
	case "json":
		return Logical{Kind: LogicalJSON}, nil
	case "uuid":
		return Logical{Kind: LogicalUUID}, nil
	case "uint8", "uint16", "uint32", "uint64":
		bits, err := strconv.Atoi(s[len("uint"):])
		return Logical{Kind: LogicalUnsigned, Bits: bits}, err
	}
	return Logical{}, fmt.Errorf("%w: unknown logical type %q", ErrSchema, s)
}

// parseParametric reads the logical types that have arguments; text is the
// whole.
func parseParametric(text, name, args string) (Logical, error) {
	switch name {
	case "decimal":
		p, s, ok := strings.Cut(args, ",")
		precision, err := strconv.Atoi(p)
		scale, err2 := strconv.Atoi(strings.TrimSpace(s))
		if !ok || err != nil || err2 != nil || precision < 1 || precision > MaxDecimalDigits ||
			scale < 0 || scale > precision {
			return Logical{}, fmt.Errorf("%w: %q is not decimal(P,S) with 1 <= P <= %d and 0 <= S <= P",
				ErrSchema, text, MaxDecimalDigits)
		}
		return Logical{Kind: LogicalDecimal, Precision: precision, Scale: scale}, nil
	case "time", "timestamp":
		l := Logical{Kind: LogicalTime}
		if name == "timestamp" {
			l.Kind = LogicalTimestamp
		}
		for u := Second; u <= Nanosecond; u++ {
			if u.String() == args {
				l.Unit = u
				return l, nil
			}
		}
		return Logical{}, fmt.Errorf("%w: unit %q of %q is none of s, ms, us, ns", ErrSchema, args, text)
	}
	return Logical{}, fmt.Errorf("%w: unknown logical type %q", ErrSchema, text)
}
