"""Asks `decant serve` through Python's Pinot client, as DB-API and as SQLAlchemy.

usage: clients.py DECANT FLIGHTS.nimble
"""

import re
import subprocess
import sys

import pinotdb
from sqlalchemy import create_engine, inspect, text


def check(what, got, want):
    if got != want:
        sys.exit(f"{what}: {got}, want {want}")


def dbapi(port):
    cursor = pinotdb.connect(host="127.0.0.1", port=port, path="/query/sql", scheme="http").cursor()
    cursor.execute(
        "SELECT carrier, COUNT(*) AS n FROM flights WHERE origin = %(origin)s GROUP BY carrier ORDER BY carrier LIMIT 2",
        {"origin": "JFK"},
    )
    check("columns", [c[0] for c in cursor.description], ["carrier", "n"])
    check("rows", cursor.fetchall(), [["9E", 14651], ["AA", 13783]])
    try:
        cursor.execute("SELECT nope FROM flights")
    except pinotdb.exceptions.DatabaseError as e:
        check("error", "710" in str(e), True)
    else:
        sys.exit("an unknown column is no error")


def reflection(port):
    engine = create_engine(f"pinot://127.0.0.1:{port}/query/sql?controller=http://127.0.0.1:{port}/")
    inspector = inspect(engine)
    check("tables", inspector.get_table_names(), ["flights"])
    columns = {c["name"]: str(c["type"]) for c in inspector.get_columns("flights")}
    check("columns", (len(columns), columns["carrier"], columns["flight"]), (19, "VARCHAR", "BIGINT"))
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT dest, COUNT(*) FROM flights GROUP BY dest ORDER BY dest LIMIT 2"))
        check("rows", rows.fetchall(), [("ABQ", 254), ("ACK", 265)])


def main(decant, flights):
    server = subprocess.Popen([decant, "serve", "--port", "0", flights], stderr=subprocess.PIPE, text=True)
    try:
        line = server.stderr.readline()
        port = int(re.search(r":(\d+)$", line.strip())[1])
        dbapi(port)
        reflection(port)
    finally:
        server.terminate()
        server.wait(timeout=10)
    print("pinotdb and SQLAlchemy agree")


main(*sys.argv[1:])
