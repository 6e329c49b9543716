#!/usr/bin/env python3
"""DuckDB's half of the benchmark: run_duckdb.py FLIGHTS.parquet THREADS REPEATS

Prints one JSON object a line for each query of queries.json, in the form of the
Go type answer.Answer. Each query runs warm: REPEATS // 2 + 1 runs are not counted.
"""

import json
import pathlib
import statistics
import sys
import time

import duckdb


def measure(db, sql, repeats):
    """Returns the median time in milliseconds, and the rows."""
    for _ in range(repeats // 2 + 1):
        rows = db.execute(sql).fetchall()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        db.execute(sql).fetchall()
        times.append((time.perf_counter() - began) * 1e3)
    return statistics.median(times), rows


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    parquet, threads, repeats = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    queries = json.loads((pathlib.Path(__file__).parent / "queries.json").read_text())
    db = duckdb.connect(config={"threads": threads})
    db.execute("SET parquet_metadata_cache = true")
    db.execute(f"CREATE VIEW flights AS SELECT * FROM read_parquet('{parquet}')")
    for query in queries:
        median_ms, rows = measure(db, query["sql"], repeats)
        answer = {
            "engine": f"DuckDB {duckdb.__version__}",
            "query": query["name"],
            "threads": threads,
            "medianMs": median_ms,
            "fileBytes": parquet.stat().st_size,
            "rows": rows,
        }
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
