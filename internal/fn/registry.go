package fn

import (
	"errors"
	"fmt"
	"strings"
)

// ErrArguments means that a function does not take arguments of that number or
// of these types.
var ErrArguments = errors.New("unsupported arguments")

// ErrValue means that a function cannot work with a value it was given, such as
// text that is no number.
var ErrValue = errors.New("invalid value")

func badValue(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrValue, fmt.Sprintf(format, args...))
}

// Function is a scalar function: one value for each row.
type Function struct {
	Name  string // canonical
	Alias []string
	// Rows resolves a call over columns.
	Rows Resolver
	// Fold resolves a call of literals only, to be worked out when a query is
	// compiled. With nil it is as Rows.
	Fold Resolver
}

// Arg is what is known of an argument before anything is run.
type Arg struct {
	Type Type
	// Literal is the value of a literal, nil for others.
	Literal *Value
	// Column says that the argument is a column as it is stored.
	Column bool
}

// Resolver tells how a function is called with such arguments. Its error wraps
// ErrArguments or, for literals that mean nothing, ErrValue.
type Resolver func(args []Arg) (Signature, error)

// Signature is how a function is called.
type Signature struct {
	// Args are the types that the arguments are converted to. Unknown leaves an
	// argument as it is.
	Args []Type
	// Type is that of the result.
	Type Type
	// New makes a kernel for one goroutine.
	New func() Kernel
	// SeesNull says that the kernel is told of null arguments.
	SeesNull bool
	// SeesStored says that it is told of columns' nulls also while null handling
	// is off.
	SeesStored bool
}

// takes resolves calls of arguments that can be converted to the given types.
func takes(result Type, kernel func(result Type) func() Kernel, params ...Type) Resolver {
	return func(args []Arg) (Signature, error) {
		if len(args) != len(params) {
			return Signature{}, wrongNumber(args)
		}
		return Signature{Args: params, Type: result, New: kernel(result)}, nil
	}
}

// takesAny is takes with any number of further arguments of the last type.
func takesAny(result Type, kernel func(result Type) func() Kernel, params ...Type) Resolver {
	return func(args []Arg) (Signature, error) {
		if len(args) < len(params)-1 {
			return Signature{}, wrongNumber(args)
		}
		types := append([]Type(nil), params[:len(params)-1]...)
		for len(types) < len(args) {
			types = append(types, params[len(params)-1])
		}
		return Signature{Args: types, Type: result, New: kernel(result)}, nil
	}
}

// either tries one resolver after the other.
func either(resolvers ...Resolver) Resolver {
	return func(args []Arg) (s Signature, err error) {
		for _, r := range resolvers {
			if s, err = r(args); !errors.Is(err, ErrArguments) {
				return s, err
			}
		}
		return s, err
	}
}

// neverFolds is for functions that are not worked out when a query is compiled.
func neverFolds(args []Arg) (Signature, error) { return Signature{}, wrongNumber(args) }

func wrongNumber(args []Arg) error {
	types := make([]string, len(args))
	for i, a := range args {
		types[i] = a.Type.String()
	}
	return fmt.Errorf("%w of type: [%s]", ErrArguments, strings.Join(types, ", "))
}

// families are all scalar functions, by the family's name.
var families = []struct {
	Name      string
	Functions []Function
}{
	{"arithmetic", arithmetic},
	{"arithmetic", mathematics},
	{"logical", logic},
	{"null", nulls},
	{"type", casts},
	{"type", binaries},
	{"array", arrays},
	{"string", texts},
	{"string", searches},
	{"regex", regexps},
	{"json", documents},
	{"url", links},
	{"ip", addresses},
	{"hash", digests},
	{"hash", murmurs},
	{"datetime", clocks},
}

var functionByName = func() map[string]*Function {
	index := map[string]*Function{}
	for _, family := range families {
		for i := range family.Functions {
			f := &family.Functions[i]
			index[f.Name] = f
			for _, a := range f.Alias {
				index[a] = f
			}
		}
	}
	return index
}()

// Canonical returns a function's name as the registry spells it: in lower case
// without underscores.
func Canonical(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "_", "")
}

// Lookup returns the scalar function of that name, nil if there is none.
func Lookup(name string) *Function { return functionByName[Canonical(name)] }
