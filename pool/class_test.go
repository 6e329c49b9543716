package pool

import (
	"testing"

	"pgregory.net/rapid"
)

// naiveClassBytes is the definition: the least of 64, 80, 96, 112, 128, 160, …
// that is at least n.
func naiveClassBytes(n int) int {
	for size := 64; ; size *= 2 {
		for quarter := 4; quarter < 8; quarter++ {
			if c := size / 4 * quarter; c >= n {
				return c
			}
		}
	}
}

func TestClassBytesAscend(t *testing.T) {
	if classBytes(0) != minClassBytes {
		t.Errorf("the smallest class has %d bytes", classBytes(0))
	}
	for c := 1; c < numClasses; c++ {
		small, large := classBytes(c-1), classBytes(c)
		if large <= small || large*4 > small*5 {
			t.Errorf("class %d of %d bytes follows %d", c, large, small)
		}
		if large%8 != 0 {
			t.Errorf("class %d of %d bytes is not made of words", c, large)
		}
	}
}

func TestLoanStepsAreLoanFactor(t *testing.T) {
	for c := range numClasses - loanSteps {
		if classBytes(c+loanSteps) != LoanFactor*classBytes(c) {
			t.Fatalf("class %d lends to class %d", c+loanSteps, c)
		}
	}
}

func TestClassOfSmallSizes(t *testing.T) {
	for n := range 1 << 16 {
		if got, want := classBytes(classOf(n)), naiveClassBytes(n); got != want {
			t.Fatalf("%d bytes are served by %d, not by %d", n, got, want)
		}
	}
}

func TestClassOfIsTightAndMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(minClassBytes+1, 1<<47).Draw(t, "n")
		c := classOf(n)
		size := classBytes(c)
		if size < n {
			t.Fatalf("class %d of %d bytes is too small for %d", c, size, n)
		}
		if waste := size - n; waste*5 >= size {
			t.Fatalf("%d of %d bytes are beyond %d", waste, size, n)
		}
		if classBytes(c-1) >= n {
			t.Fatalf("class %d would do for %d as well", c-1, n)
		}
		if more := rapid.IntRange(n, 1<<47).Draw(t, "more"); classOf(more) < c {
			t.Fatalf("%d bytes go to class %d, %d to %d", n, c, more, classOf(more))
		}
	})
}

func TestGroupsArePowersOfTwo(t *testing.T) {
	for c := range numClasses {
		size, top := classBytes(c), classBytes(groupOf(c)*steps)
		if size > top || size*2 <= top && c > 0 {
			t.Errorf("class %d of %d bytes is in the group up to %d", c, size, top)
		}
	}
	if got := groupOf(numClasses-1) + 1; got != numGroups {
		t.Errorf("%d groups", got)
	}
}
