#!/usr/bin/env python3
"""Writes the table as DuckDB does, zstd, rows in the order of the CSV: make_parquet.py FLIGHTS.csv OUT.parquet"""

import sys

import duckdb


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    db = duckdb.connect(config={"threads": 1})
    db.execute("SET TimeZone = 'UTC'")
    db.execute(
        f"COPY (SELECT * FROM read_csv('{sys.argv[1]}', nullstr = 'NA', sample_size = -1)) "
        f"TO '{sys.argv[2]}' (FORMAT parquet, COMPRESSION zstd)"
    )


if __name__ == "__main__":
    main()
