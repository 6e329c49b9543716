package fn

import "github.com/decantdb/decant/vector"

// Input is a batch of arguments for a kernel.
type Input struct {
	N int // rows
	// Args have N rows each, flat or constant, of the types that the signature
	// names: INT is int32, LONG and TIMESTAMP (milliseconds) int64, FLOAT and
	// DOUBLE floats, BOOLEAN bools, arrays lists of these, and all others views;
	// a BIG_DECIMAL is its text. A list of one row stands for all rows.
	Args []vector.Vector
	// Valid has the rows in which no argument is null, nil for all. It is nil
	// for kernels that see nulls themselves.
	Valid []uint64
	// Meter watches the kernel's work; nil for none.
	Meter *Meter
}

// Kernel works a function out for a batch. Its result is valid until the next
// call and has in.N rows; it may borrow in.Valid.
type Kernel func(in *Input) (vector.Vector, error)

// valuesOf returns the rows of a vector, which becomes flat.
func valuesOf[T vector.Value](v vector.Vector) []T {
	x := v.(*vector.Vec[T])
	x.Flatten()
	return x.Values[:x.N]
}

// outOf makes v a flat vector for the result of in and returns its values.
func outOf[T vector.Value](v *vector.Vec[T], in *Input) []T {
	v.Form, v.N, v.Valid = vector.Flat, in.N, in.Valid
	return v.ReserveValues(in.N)
}

// loop1 is a kernel of one argument.
func loop1[R, A vector.Value](loop func(dst []R, a []A)) func(Type) func() Kernel {
	return func(Type) func() Kernel {
		return func() Kernel {
			out := vector.NewVec[R](nil)
			return func(in *Input) (vector.Vector, error) {
				loop(outOf(out, in), valuesOf[A](in.Args[0])[:in.N])
				return out, nil
			}
		}
	}
}

// loop2 is a kernel of two arguments.
func loop2[R, A, B vector.Value](loop func(dst []R, a []A, b []B)) func(Type) func() Kernel {
	return func(Type) func() Kernel {
		return func() Kernel {
			out := vector.NewVec[R](nil)
			return func(in *Input) (vector.Vector, error) {
				loop(outOf(out, in), valuesOf[A](in.Args[0])[:in.N], valuesOf[B](in.Args[1])[:in.N])
				return out, nil
			}
		}
	}
}

// fold2 is a kernel of any number of arguments of one type, which are combined
// from left to right.
func fold2[T vector.Value](loop func(dst, a, b []T)) func(Type) func() Kernel {
	return func(Type) func() Kernel {
		return func() Kernel {
			out := vector.NewVec[T](nil)
			return func(in *Input) (vector.Vector, error) {
				dst := outOf(out, in)
				copy(dst, valuesOf[T](in.Args[0])[:in.N])
				for _, a := range in.Args[1:] {
					loop(dst, dst, valuesOf[T](a)[:in.N])
				}
				return out, nil
			}
		}
	}
}

// each1 is a kernel that calls f for each value: for functions beside which the
// call counts for little.
func each1[R, A vector.Value](f func(A) R) func(Type) func() Kernel {
	return loop1(func(dst []R, a []A) {
		for i, x := range a {
			dst[i] = f(x)
		}
	})
}

// each2 is each1 for two arguments.
func each2[R, A, B vector.Value](f func(A, B) R) func(Type) func() Kernel {
	return loop2(func(dst []R, a []A, b []B) {
		for i, x := range a {
			dst[i] = f(x, b[i])
		}
	})
}
