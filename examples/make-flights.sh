#!/usr/bin/env bash
# Makes examples/flights.nimble again from its source.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

examples/flights-csv.sh "$work/flights.csv"
go run ./cmd/decant convert --null NA "$work/flights.csv" examples/flights.nimble
