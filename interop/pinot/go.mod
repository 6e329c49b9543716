module github.com/decantdb/decant/interop/pinot

go 1.26.7

require (
	github.com/decantdb/decant v0.0.0
	github.com/google/go-cmp v0.7.0
	pgregory.net/rapid v1.3.0
)

replace github.com/decantdb/decant => ../..
