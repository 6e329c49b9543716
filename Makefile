# The everyday commands. .ci/run is the gate.

GOFUMPT     = mvdan.cc/gofumpt@v0.12.0
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

# For bench: a Python with the packages of .ci/requirements.txt.
PYTHON      = python3
REPEATS     = 9
FLIGHTS_CSV = dist/flights.csv

# For bench-datatable, which needs a JDK 17 and Maven: twenty minutes as it is.
PAIRS       = 5
ITERATION   = 1s
RESULTS     = bench/results

.PHONY: test lint fuzz bench bench-datatable bench-nimble examples

test:
	go test ./...

lint:
	go run $(GOFUMPT) -l -w .
	go vet ./...
	go run $(STATICCHECK) ./...

# Fuzz targets, then a hundred thousand damaged copies of golden files, the smallest
# bit by bit.
fuzz:
	.ci/fuzz 30
	DECANT_DAMAGE=100000 go test -v -timeout 2h -run FilesDamaged ./nimble

bench: $(FLIGHTS_CSV)
	bench/run $(PYTHON) $(FLIGHTS_CSV) $(REPEATS)

bench-datatable:
	interop/pinot/build 1.5.0
	cd interop/pinot && go run ./bench -pairs $(PAIRS) -iteration $(ITERATION) -out "$(abspath $(RESULTS))"

# Beside the recorded figures of C++: two minutes. Linux.
bench-nimble:
	mkdir -p "$(RESULTS)"
	cd bench && go run ./nimble -out "$(abspath $(RESULTS))/nimble.md"

examples:
	examples/make-flights.sh

dist/flights.csv:
	mkdir -p dist
	examples/flights-csv.sh $@
