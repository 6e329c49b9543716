#!/usr/bin/env python3
"""Compares every value of flights.csv with what came back: compare-flights.py SOURCE.csv AGAIN.csv AGAIN.parquet

The Parquet file is read by pyarrow and by DuckDB. Rows must come in the same
order. Exits 1 at the first value that differs, and names it.
"""

import csv
import datetime
import sys

import duckdb
import pyarrow.parquet

NULL = "NA"
TIME = "time_hour"


def instant(text):
    """Returns the UTC time that text means; text without a zone is UTC."""
    when = datetime.datetime.fromisoformat(text)
    return when.replace(tzinfo=when.tzinfo or datetime.timezone.utc).astimezone(datetime.timezone.utc)


def text_of(value):
    """Returns the text that the CSV has for a value read from Parquet."""
    if value is None:
        return NULL
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return str(value)


def read_csv(path):
    with open(path, newline="") as f:
        rows = csv.reader(f)
        header = next(rows)
        return header, list(zip(*rows))


def read_arrow(path):
    table = pyarrow.parquet.read_table(path)
    return table.column_names, [[text_of(v) for v in column.to_pylist()] for column in table.columns]


def read_duckdb(path):
    db = duckdb.connect()
    db.execute("SET TimeZone = 'UTC'")
    names = [row[0] for row in db.execute("DESCRIBE SELECT * FROM read_parquet(?)", [path]).fetchall()]
    texts = ", ".join(f'CAST("{name}" AS VARCHAR)' for name in names)
    rows = db.execute(f"SELECT {texts} FROM read_parquet(?)", [path]).fetchall()
    return names, [[text_of(v) for v in column] for column in zip(*rows)]


def compare(source, other, label):
    (names, want), (other_names, got) = source, other
    if list(names) != list(other_names):
        sys.exit(f"{label}: columns {other_names}, want {names}")
    for name, a, b in zip(names, want, got):
        if len(a) != len(b):
            sys.exit(f"{label}: {name} has {len(b)} rows, want {len(a)}")
        for row, (x, y) in enumerate(zip(a, b), start=1):
            if x != y and not (name == TIME and NULL not in (x, y) and instant(x) == instant(y)):
                sys.exit(f"{label}: {name}, row {row}: {y!r}, want {x!r}")
    print(f"{label}: {len(names)} columns, {len(want[0])} rows, every value equal")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source = read_csv(sys.argv[1])
    compare(source, read_csv(sys.argv[2]), "csv")
    compare(source, read_arrow(sys.argv[3]), "parquet by pyarrow")
    compare(source, read_duckdb(sys.argv[3]), "parquet by DuckDB")


if __name__ == "__main__":
    main()
