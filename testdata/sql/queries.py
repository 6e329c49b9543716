"""The queries of the SQL logic tests: ours, and DuckDB's where it must be asked otherwise."""

import dataclasses
import textwrap


@dataclasses.dataclass
class Case:
    """One query. types has a letter for each column: T text, I integer, R double."""

    name: str
    types: str
    sql: str
    oracle: str = ""

    def __post_init__(self):
        self.sql = textwrap.dedent(self.sql).strip()


AGGREGATES = [
    Case("count-all", "I", "SELECT COUNT(*) FROM flights"),
    Case("count-skips-nulls", "IIII", "SELECT COUNT(*), COUNT(dep_time), COUNT(arr_delay), COUNT(tailnum) FROM flights"),
    Case("sum-min-max-avg", "RRRR", "SELECT SUM(arr_delay), MIN(arr_delay), MAX(arr_delay), AVG(arr_delay) FROM flights"),
    Case("aggregates-of-no-rows", "IIRRRR", """
        SELECT COUNT(*), COUNT(arr_delay), SUM(arr_delay), MIN(arr_delay), MAX(arr_delay), AVG(arr_delay)
        FROM flights WHERE month = 13"""),
    Case("aggregates-of-nulls-only", "IIRRRR", """
        SELECT COUNT(*), COUNT(air_time), SUM(air_time), MIN(air_time), MAX(air_time), AVG(air_time)
        FROM flights WHERE dep_time IS NULL"""),
    Case("aggregate-of-expression", "RRR", """
        SELECT SUM(arr_delay - dep_delay), MAX(distance / air_time * 60), AVG(hour * 60 + minute)
        FROM flights"""),
    Case("expression-over-aggregates", "RRR", """
        SELECT SUM(distance) / SUM(air_time) * 60 AS mph, MAX(arr_delay) - MIN(arr_delay) AS spread,
          (COUNT(*) - COUNT(arr_delay)) / COUNT(*) AS lost
        FROM flights"""),
    Case("many-aggregates", "IRRRRRRRRRR", """
        SELECT COUNT(*), SUM(dep_delay), SUM(arr_delay), SUM(air_time), SUM(distance),
          AVG(dep_delay), AVG(arr_delay), AVG(air_time), AVG(distance), MIN(distance), MAX(distance)
        FROM flights WHERE origin = 'JFK'"""),
    Case("same-aggregate-twice", "RRI", "SELECT SUM(distance), SUM(distance) AS again, COUNT(*) FROM flights WHERE carrier = 'HA'"),
]

MORE_AGGREGATES = [
    Case("distinct-counts", "III", """
        SELECT DISTINCTCOUNT(tailnum), COUNT(DISTINCT dest), DISTINCTCOUNT(distance) FROM flights""",
         "SELECT COUNT(DISTINCT tailnum), COUNT(DISTINCT dest), COUNT(DISTINCT distance) FROM flights"),
    Case("distinct-count-by-group", "TIR", """
        SELECT origin, COUNT(DISTINCT tailnum), SUM(DISTINCT distance) FROM flights GROUP BY origin ORDER BY origin"""),
    Case("distinct-average", "RR", "SELECT DISTINCTAVG(distance), AVG(DISTINCT hour) FROM flights",
         "SELECT AVG(DISTINCT distance), AVG(DISTINCT hour) FROM flights"),
    Case("variances", "TRRRR", """
        SELECT origin, VAR_POP(distance), VAR_SAMP(arr_delay), STDDEV_POP(air_time), STDDEV_SAMP(dep_delay)
        FROM flights GROUP BY origin ORDER BY origin"""),
    Case("covariances", "RR", """
        SELECT COVAR_POP(distance, hour), COVAR_SAMP(month, distance) FROM flights"""),
    Case("skewness", "R", "SELECT SKEWNESS(distance) FROM flights"),
    Case("variance-of-nothing", "RR", "SELECT VAR_POP(distance), STDDEV_SAMP(distance) FROM flights WHERE month = 13"),
    Case("range", "TR", """
        SELECT carrier, MINMAXRANGE(distance) FROM flights GROUP BY carrier ORDER BY carrier""",
         "SELECT carrier, MAX(distance) - MIN(distance) FROM flights GROUP BY carrier ORDER BY carrier"),
    Case("percentiles", "RRRR", """
        SELECT PERCENTILE(distance, 50), PERCENTILE95(air_time), PERCENTILE(arr_delay, 0), PERCENTILE(hour, 100)
        FROM flights""", """
        SELECT list_sort(LIST(distance) FILTER (WHERE distance IS NOT NULL))[1 + CAST(FLOOR(COUNT(distance) * 0.5) AS BIGINT)],
          list_sort(LIST(air_time) FILTER (WHERE air_time IS NOT NULL))[1 + CAST(FLOOR(COUNT(air_time) * 0.95) AS BIGINT)],
          MIN(arr_delay), MAX(hour) FROM flights"""),
    Case("mode", "TR", "SELECT origin, MODE(distance) FROM flights GROUP BY origin ORDER BY origin", """
        SELECT origin, arg_max(distance, (n, -distance)) FROM
          (SELECT origin, distance, COUNT(*) AS n FROM flights GROUP BY origin, distance)
        GROUP BY origin ORDER BY origin"""),
    Case("filtered-aggregates", "IIRRI", """
        SELECT COUNT(*) FILTER (WHERE origin = 'JFK'), COUNT(arr_delay) FILTER (WHERE month < 4),
          SUM(distance) FILTER (WHERE carrier IN ('UA', 'DL')), MAX(arr_delay) FILTER (WHERE dep_delay < 0),
          COUNT(DISTINCT dest) FILTER (WHERE origin = 'LGA')
        FROM flights"""),
    Case("filtered-by-group", "IIR", """
        SELECT month, COUNT(*) FILTER (WHERE arr_delay > 60), AVG(distance) FILTER (WHERE carrier = 'HA')
        FROM flights GROUP BY month ORDER BY month"""),
    Case("filter-of-no-rows", "IRR", """
        SELECT COUNT(*) FILTER (WHERE month = 13), SUM(distance) FILTER (WHERE month = 13), AVG(distance) FROM flights"""),
    Case("filter-in-having", "TI", """
        SELECT dest, COUNT(*) FROM flights GROUP BY dest
        HAVING COUNT(*) FILTER (WHERE origin = 'LGA') > 5000 ORDER BY dest"""),
    Case("whole-numbers", "III", "SELECT SUMLONG(distance), MINLONG(arr_delay), MAXLONG(dep_delay) FROM flights",
         "SELECT SUM(distance), MIN(arr_delay), MAX(dep_delay) FROM flights"),
    Case("texts", "TTT", """
        SELECT origin, MINSTRING(dest), MAXSTRING(tailnum) FROM flights GROUP BY origin ORDER BY origin""",
         "SELECT origin, MIN(dest), MAX(tailnum) FROM flights GROUP BY origin ORDER BY origin"),
    Case("arithmetic-in-aggregates", "RRRR", """
        SELECT SUM(distance + 2), AVG(arr_delay * 3), MIN(distance - 1), MAX(arr_delay * -1) FROM flights"""),
]

FILTERS = [
    Case("string-equality", "I", "SELECT COUNT(*) FROM flights WHERE carrier = 'UA'"),
    Case("string-inequality", "I", "SELECT COUNT(*) FROM flights WHERE origin <> 'EWR'"),
    Case("string-absent", "I", "SELECT COUNT(*) FROM flights WHERE dest = 'O''X'"),
    Case("string-range", "TI", """
        SELECT dest, COUNT(*) FROM flights WHERE dest > 'SEA' AND dest <= 'STL'
        GROUP BY dest ORDER BY dest"""),
    Case("integer-comparisons", "I", """
        SELECT COUNT(*) FROM flights
        WHERE month >= 3 AND month < 6 AND day <> 15 AND hour > 5 AND hour <= 20"""),
    Case("integer-against-fraction", "I", "SELECT COUNT(*) FROM flights WHERE distance > 199.5 AND distance < 200.5"),
    Case("integer-never-a-fraction", "I", "SELECT COUNT(*) FROM flights WHERE month = 2.5"),
    Case("integer-against-text", "I", "SELECT COUNT(*) FROM flights WHERE month = '12'"),
    Case("literal-on-the-left", "I", "SELECT COUNT(*) FROM flights WHERE 1000 < distance"),
    Case("column-against-column", "I", "SELECT COUNT(*) FROM flights WHERE dep_time < sched_dep_time"),
    Case("expression-against-literal", "I", "SELECT COUNT(*) FROM flights WHERE arr_delay - dep_delay > 60"),
    Case("or-of-ands", "I", """
        SELECT COUNT(*) FROM flights
        WHERE (origin = 'JFK' AND dest = 'LAX') OR (origin = 'EWR' AND dest = 'SFO') OR distance > 4900"""),
    Case("not-of-or", "I", "SELECT COUNT(*) FROM flights WHERE NOT (carrier = 'UA' OR month < 11)"),
    Case("in-strings", "TI", """
        SELECT carrier, COUNT(*) FROM flights WHERE carrier IN ('AA', 'DL', 'ZZ', 'HA')
        GROUP BY carrier ORDER BY carrier"""),
    Case("not-in-integers", "I", "SELECT COUNT(*) FROM flights WHERE month NOT IN (1, 2, 3, 4, 5, 6)"),
    Case("between", "I", "SELECT COUNT(*) FROM flights WHERE distance BETWEEN 700 AND 800"),
    Case("not-between", "I", "SELECT COUNT(*) FROM flights WHERE distance NOT BETWEEN 100 AND 2500"),
    Case("like-prefix", "I", "SELECT COUNT(*) FROM flights WHERE tailnum LIKE 'N1%'"),
    Case("like-folds-case", "I", "SELECT COUNT(*) FROM flights WHERE tailnum LIKE 'n3%aa'"),
    Case("like-one-character", "TI", """
        SELECT dest, COUNT(*) FROM flights WHERE dest LIKE 'S_A' GROUP BY dest ORDER BY dest"""),
    Case("like-inside", "I", "SELECT COUNT(*) FROM flights WHERE tailnum LIKE '%99%'"),
    Case("like-exact", "I", "SELECT COUNT(*) FROM flights WHERE dest LIKE 'LAX'"),
    Case("not-like", "I", "SELECT COUNT(*) FROM flights WHERE tailnum NOT LIKE 'N%'"),
    Case("contradiction", "I", "SELECT COUNT(*) FROM flights WHERE month = 1 AND month = 2"),
]

NULLS = [
    Case("is-null", "I", "SELECT COUNT(*) FROM flights WHERE dep_time IS NULL"),
    Case("is-not-null", "I", "SELECT COUNT(*) FROM flights WHERE arr_delay IS NOT NULL"),
    Case("null-in-one-column-only", "I", "SELECT COUNT(*) FROM flights WHERE arr_delay IS NULL AND arr_time IS NOT NULL"),
    Case("comparison-drops-nulls", "III", """
        SELECT COUNT(*), COUNT(arr_delay), COUNT(tailnum) FROM flights WHERE arr_delay <= 0"""),
    Case("not-keeps-unknown-out", "I", "SELECT COUNT(*) FROM flights WHERE NOT (arr_delay > 0)"),
    Case("inequality-keeps-unknown-out", "I", "SELECT COUNT(*) FROM flights WHERE tailnum <> 'N725MQ'"),
    Case("not-in-keeps-unknown-out", "I", "SELECT COUNT(*) FROM flights WHERE tailnum NOT IN ('N725MQ', 'N722MQ')"),
    Case("unknown-or-true", "I", "SELECT COUNT(*) FROM flights WHERE arr_delay > 100 OR month = 7"),
    Case("unknown-and-false", "I", "SELECT COUNT(*) FROM flights WHERE NOT (arr_delay > 100 AND month = 7)"),
    Case("null-through-arithmetic", "II", """
        SELECT COUNT(dep_delay + arr_delay), COUNT(dep_delay * 0) FROM flights"""),
    Case("null-is-a-group", "TI", """
        SELECT tailnum, COUNT(*) FROM flights WHERE month = 1 AND day = 21 AND dep_time IS NULL
        GROUP BY tailnum ORDER BY tailnum NULLS FIRST"""),
    Case("null-in-each-key", "ITI", """
        SELECT arr_time, tailnum, COUNT(*) AS n FROM flights
        WHERE month = 1 AND day = 21 AND arr_delay IS NULL AND origin = 'EWR'
        GROUP BY arr_time, tailnum ORDER BY arr_time NULLS FIRST, tailnum NULLS FIRST, n"""),
    Case("group-without-values", "TIRRRR", """
        SELECT origin, COUNT(air_time), SUM(air_time), MIN(air_time), MAX(air_time), AVG(air_time)
        FROM flights WHERE dest = 'LGA' OR (dest = 'HNL' AND day = 1)
        GROUP BY origin ORDER BY origin"""),
]

GROUPS = [
    Case("by-carrier", "TIR", """
        SELECT carrier, COUNT(*) AS flights, AVG(arr_delay) AS delay FROM flights
        GROUP BY carrier ORDER BY flights DESC"""),
    Case("by-two-keys", "TIIR", """
        SELECT origin, month, COUNT(*), AVG(dep_delay) FROM flights
        GROUP BY origin, month ORDER BY origin, month"""),
    Case("by-three-keys", "TTTIR", """
        SELECT carrier, origin, dest, COUNT(*) AS n, SUM(distance) FROM flights
        GROUP BY carrier, origin, dest ORDER BY n DESC, carrier, origin, dest LIMIT 12"""),
    Case("by-seven-keys", "IIITTTII", """
        SELECT year, month, day, carrier, origin, dest, hour, COUNT(*) AS n FROM flights
        GROUP BY year, month, day, carrier, origin, dest, hour
        ORDER BY n DESC, month, day, carrier, origin, dest, hour LIMIT 8"""),
    Case("by-many-values", "TIR", """
        SELECT tailnum, COUNT(*) AS n, SUM(air_time) FROM flights
        GROUP BY tailnum ORDER BY n DESC, tailnum LIMIT 10"""),
    Case("by-integer", "IIRR", """
        SELECT hour, COUNT(*), MIN(dep_delay), MAX(dep_delay) FROM flights
        GROUP BY hour ORDER BY hour"""),
    Case("by-expression", "RI", """
        SELECT month % 4, COUNT(*) FROM flights GROUP BY month % 4 ORDER BY month % 4"""),
    Case("by-expression-alias", "RIR", """
        SELECT hour * 60 + minute AS planned, COUNT(*) AS n, AVG(dep_delay) AS delay FROM flights
        WHERE minute IN (0, 30) GROUP BY planned ORDER BY planned LIMIT 10"""),
    Case("by-ordinal", "TI", "SELECT origin, COUNT(*) FROM flights GROUP BY 1 ORDER BY 2 DESC"),
    Case("key-not-selected", "I", "SELECT COUNT(*) FROM flights GROUP BY origin ORDER BY origin"),
    Case("expression-of-key-and-aggregate", "IRR", """
        SELECT month, SUM(distance) / COUNT(*), MAX(arr_delay) + month FROM flights
        GROUP BY month ORDER BY month"""),
    Case("keys-without-aggregates", "TT", """
        SELECT carrier, origin FROM flights WHERE carrier IN ('HA', 'OO', 'AS', 'F9')
        GROUP BY carrier, origin ORDER BY carrier, origin"""),
    Case("filtered-groups", "TIRR", """
        SELECT dest, COUNT(*) AS n, AVG(arr_delay), MAX(dep_delay) FROM flights
        WHERE carrier = 'B6' AND origin = 'JFK' AND month BETWEEN 6 AND 8
        GROUP BY dest ORDER BY n DESC, dest LIMIT 15"""),
    Case("no-groups", "TIR", "SELECT carrier, COUNT(*), SUM(distance) FROM flights WHERE year = 1999 GROUP BY carrier"),
    Case("order-by-aggregate-not-selected", "T", """
        SELECT carrier FROM flights GROUP BY carrier ORDER BY AVG(arr_delay) DESC LIMIT 5"""),
    Case("order-by-expression-over-aggregates", "TR", """
        SELECT dest, SUM(arr_delay) / COUNT(*) AS delay FROM flights WHERE distance > 2000
        GROUP BY dest ORDER BY SUM(arr_delay) / COUNT(*) DESC NULLS LAST, dest LIMIT 6"""),
    Case("groups-paged", "TI", """
        SELECT dest, COUNT(*) AS n FROM flights GROUP BY dest ORDER BY n DESC, dest LIMIT 5 OFFSET 10"""),
]

ORDERS = [
    Case("top-delays", "IIITIR", """
        SELECT month, day, flight, carrier, arr_delay, arr_delay - dep_delay AS caught_up FROM flights
        WHERE arr_delay IS NOT NULL ORDER BY arr_delay DESC, flight LIMIT 10"""),
    Case("several-directions", "TIIT", """
        SELECT dest, distance, flight, carrier FROM flights WHERE month = 12 AND day = 25 AND hour = 6
        ORDER BY distance DESC, dest ASC, carrier DESC, flight LIMIT 12"""),
    Case("nulls-first", "III", """
        SELECT arr_delay, flight, sched_dep_time FROM flights
        WHERE month = 1 AND day = 15 AND origin = 'EWR' AND dest IN ('ORD', 'DFW', 'MIA')
        ORDER BY arr_delay NULLS FIRST, flight, sched_dep_time LIMIT 8"""),
    Case("nulls-last-descending", "II", """
        SELECT dep_delay, flight FROM flights
        WHERE month = 3 AND day = 5 AND dest = 'ORD' AND origin = 'LGA' AND hour > 14
        ORDER BY dep_delay DESC NULLS LAST, flight"""),
    Case("nulls-by-default-ascending", "TI", """
        SELECT tailnum, flight FROM flights WHERE month = 1 AND day = 21 AND dep_time IS NULL
        ORDER BY tailnum, flight"""),
    Case("nulls-by-default-descending", "TI", """
        SELECT tailnum, flight FROM flights WHERE month = 1 AND day = 21 AND dep_time IS NULL
        ORDER BY tailnum DESC, flight"""),
    Case("order-by-expression", "IIR", """
        SELECT dep_delay, flight, dep_delay * -1 AS early FROM flights
        WHERE carrier = 'OO' AND dep_delay IS NOT NULL
        ORDER BY dep_delay * -1, flight, month, day LIMIT 8"""),
    Case("order-by-column-not-selected", "TI", """
        SELECT dest, flight FROM flights WHERE carrier = 'AS' AND month = 3 AND arr_delay > 30
        ORDER BY arr_delay, day, flight"""),
    Case("order-by-ordinals", "TII", """
        SELECT carrier, flight, day FROM flights WHERE dest = 'HNL' AND month = 2 AND day < 5
        ORDER BY 3 DESC, 1, 2"""),
    Case("order-strings-by-bytes", "T", "SELECT dest FROM flights WHERE distance < 100 GROUP BY dest ORDER BY dest DESC"),
    Case("order-everything", "III", """
        SELECT sched_dep_time, flight, day FROM flights WHERE carrier = 'YV' AND month = 10
        ORDER BY sched_dep_time, flight, day LIMIT 6 OFFSET 20"""),
]

LIMITS = [
    Case("limit-zero", "TI", "SELECT carrier, flight FROM flights ORDER BY carrier LIMIT 0"),
    Case("limit-beyond-the-end", "TI", """
        SELECT dest, COUNT(*) FROM flights WHERE carrier = 'F9' GROUP BY dest ORDER BY dest LIMIT 1000"""),
    Case("offset-beyond-the-end", "I", "SELECT flight FROM flights WHERE carrier = 'OO' ORDER BY flight LIMIT 10 OFFSET 100"),
    Case("offset-across-batches", "IIIT", """
        SELECT month, day, flight, dest FROM flights WHERE origin = 'JFK'
        ORDER BY month, day, flight, dest, sched_dep_time LIMIT 3 OFFSET 65534"""),
    Case("offset-before-limit", "II", """
        SELECT day, flight FROM flights WHERE carrier = 'HA' AND month = 5 ORDER BY day LIMIT 2, 3""",
        "SELECT day, flight FROM flights WHERE carrier = 'HA' AND month = 5 ORDER BY day LIMIT 3 OFFSET 2"),
    Case("no-limit-gives-all-rows", "III", """
        SELECT day, flight, arr_delay FROM flights WHERE carrier = 'HA' AND month = 11 ORDER BY day, flight"""),
]

EXPRESSIONS = [
    Case("arithmetic-gives-double", "IRRRRR", """
        SELECT flight, distance + 1, distance - air_time, distance * 2, distance / 8, distance % 7
        FROM flights WHERE month = 4 AND day = 1 AND carrier = 'VX' ORDER BY flight, sched_dep_time LIMIT 5"""),
    Case("precedence", "RRRR", """
        SELECT MIN(hour + minute * 2), MIN((hour + minute) * 2), MAX(hour - minute - 1), MAX(hour / 2 / 2)
        FROM flights"""),
    Case("negative-remainder", "RI", """
        SELECT dep_delay % 5, COUNT(*) FROM flights WHERE dep_delay < 0
        GROUP BY dep_delay % 5 ORDER BY dep_delay % 5"""),
    Case("division-by-zero", "IRRR", """
        SELECT hour, distance / (hour - 1), (0 - distance) / (hour - 1), (hour - 1) / (hour - 1)
        FROM flights WHERE hour = 1"""),
    Case("unary-minus-literal", "I", "SELECT COUNT(*) FROM flights WHERE arr_delay < -40 AND dep_delay >= -10"),
    Case("decimal-literals", "RR", "SELECT SUM(distance * 1.609344), AVG(air_time / 60.0) FROM flights"),
    Case("exponent-literal", "I", "SELECT COUNT(*) FROM flights WHERE distance >= 2.5e3"),
    Case("expression-on-both-sides", "I", """
        SELECT COUNT(*) FROM flights WHERE sched_dep_time - minute = hour * 100 AND air_time * 10 > distance"""),
    Case("between-expressions", "I", "SELECT COUNT(*) FROM flights WHERE distance / air_time * 60 BETWEEN 400 AND 450"),
    Case("quoted-names", "IR", """
        SELECT "month" AS "the month", AVG("arr_delay") FROM "flights" GROUP BY "month" ORDER BY "month" LIMIT 3"""),
    Case("names-and-keywords-in-any-case", "TI", """
        select Origin, count(*) From flights where CARRIER = 'UA' group by ORIGIN order by Origin"""),
    Case("comments", "I", """
        SELECT COUNT(*) -- of all rows
        FROM flights /* the table */ WHERE month = 1"""),
]

FILES = {
    "aggregates": ("Aggregates without groups", AGGREGATES),
    "statistics": ("Distinct values, statistics, percentiles and FILTER", MORE_AGGREGATES),
    "filters": ("WHERE", FILTERS),
    "nulls": ("Nulls in filters, arithmetic, groups and aggregates", NULLS),
    "groups": ("GROUP BY", GROUPS),
    "orders": ("ORDER BY", ORDERS),
    "limits": ("LIMIT and OFFSET", LIMITS),
    "expressions": ("Arithmetic, literals and names", EXPRESSIONS),
}
