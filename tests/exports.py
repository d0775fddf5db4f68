#!/usr/bin/env python3
"""The exports as analysts open them: CSV with pandas, Parquet with pyarrow and DuckDB.

exports.py BASE SOCKET: the server at BASE has its PostgreSQL on the unix socket in SOCKET. Bots play
matches of every game; then all three formats must carry the same rows, and a summary recomputed from
the files must equal the one of the SQL views (and of /v1/analytics, where the server has it).
"""

import io
import json
import shutil
import subprocess
import sys
import time
import urllib.request
from glob import glob

import duckdb
import pandas
import pyarrow.parquet

BASE, SOCKET = sys.argv[1:3]
GAMES = {"hachiku": 2, "twenty_one": 3, "kamudakara": 2, "salamander": 3, "sainokawara": 3}
MATCHES = 4
JSON_COLUMNS = {"options", "names", "kinds", "players", "ranks", "winners", "action", "readings"}
TIME_COLUMNS = {"created_at", "started_at", "finished_at", "at"}


def call(path, body=None, token=None):
    request = urllib.request.Request(BASE + path, data=None if body is None else json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def post(path, body, token=None):
    return json.loads(call(path, body, token))


def play():
    """Matches between bots, and one of each game that a human resigns; all finished when it returns."""
    ids = []
    for game, seats in GAMES.items():
        for _ in range(MATCHES):
            ids.append(post("/v1/matches", {"game": game, "seats": [{"bot": "easy"}] * seats})["match"]["id"])
        humans = [{"name": f"弟子 \"{seat}\", o'k"} for seat in range(2)] + [{"bot": "easy"}] * (seats - 2)
        created = post("/v1/matches", {"game": game, "seats": humans})
        ids.append(created["match"]["id"])
        for seat in created["seats"][:seats]:
            if seat.get("token") and json.loads(call(f"/v1/matches/{ids[-1]}"))["status"] != "finished":
                post(f"/v1/matches/{ids[-1]}/actions", {"action": {"type": "resign"}}, seat["token"])
    for match in ids:
        for _ in range(1200):
            if json.loads(call(f"/v1/matches/{match}"))["status"] == "finished":
                break
            time.sleep(0.1)
        else:
            sys.exit(f"{match} does not end")


def plain(name, value):
    """A value in one spelling, whatever format it came in."""
    if value is None or (not isinstance(value, (list, dict)) and pandas.isna(value)):
        return None
    if name in JSON_COLUMNS:
        return json.dumps(json.loads(value) if isinstance(value, str) else value, sort_keys=True)
    if name in TIME_COLUMNS:
        return pandas.Timestamp(value).tz_convert("UTC").isoformat(timespec="milliseconds")
    if isinstance(value, float):
        value = int(value)
    return str(value)


def rows(frame):
    """The rows of a list of records, every value in one spelling."""
    return [{name: plain(name, value) for name, value in row.items()} for row in frame]


def read(dataset):
    """The data set as NDJSON, as a data frame of its CSV, and as Parquet; equal, or the test ends."""
    lines = [json.loads(line) for line in call(f"/v1/exports/{dataset}").decode().splitlines()]
    frame = pandas.read_csv(io.BytesIO(call(f"/v1/exports/{dataset}?format=csv")), keep_default_na=False, na_values=[""])
    parquet = call(f"/v1/exports/{dataset}?format=parquet")
    table = pyarrow.parquet.read_table(io.BytesIO(parquet))
    expected = rows(lines)
    assert expected, dataset
    assert rows(frame.to_dict("records")) == expected, f"{dataset}: CSV differs"
    assert rows(table.to_pylist()) == expected, f"{dataset}: Parquet differs"
    kinds = {field.name: str(field.type) for field in table.schema}
    assert all(kinds[name] == "timestamp[ms, tz=UTC]" for name in TIME_COLUMNS & kinds.keys()), kinds
    return frame, table


def sql(query):
    """What the views answer."""
    found = shutil.which("psql") or sorted(glob("/usr/lib/postgresql/*/bin/psql"))[-1]
    query = f"SELECT coalesce(jsonb_agg(q), '[]') FROM ({query}) q"
    address = f"postgres:///takujo?host={SOCKET}&user=takujo"
    return json.loads(subprocess.run([found, "-AtXq", "-c", query, address], check=True, capture_output=True).stdout)


def summaries():
    """Matches, mean length and win rate by seat of each game: from the views, and from the files."""
    matches, parquet_matches = read("matches")
    actions, parquet_actions = read("actions")
    read("words")
    length = "SELECT game, count(DISTINCT match_id) AS matches, count(*)::float8 / count(DISTINCT match_id) AS length FROM {} GROUP BY game"
    seats = "SELECT game, seat, avg((rank = 1)::int)::float8 AS rate FROM {} GROUP BY game, seat"
    ours = {row["game"]: (row["matches"], row["length"], {}) for row in sql(length.format("analytics.actions"))}
    for row in sql(seats.format("analytics.seats")):
        ours[row["game"]][2][row["seat"]] = row["rate"]

    by_pandas = {}
    for game, decisions in actions.groupby("game"):
        ranks = matches[matches.game == game].ranks.map(json.loads)
        count = len(ranks.iloc[0])
        rates = {seat: sum(row[seat] == 1 for row in ranks) / len(ranks) for seat in range(count)}
        by_pandas[game] = (len(ranks), len(decisions) / len(ranks), rates)

    database = duckdb.connect()
    database.register("matches", parquet_matches)
    database.register("actions", parquet_actions)
    by_duckdb = {game: (count, mean, {}) for game, count, mean in database.execute(
        "SELECT game, count(DISTINCT match_id), count(*)::double / count(DISTINCT match_id) FROM actions GROUP BY game"
    ).fetchall()}
    for game, seat, rate in database.execute(
        "SELECT game, seat, avg((rank = 1)::int) FROM (SELECT game, unnest(from_json(ranks, '[\"INT\"]')) AS rank,"
        " generate_subscripts(from_json(ranks, '[\"INT\"]'), 1) - 1 AS seat FROM matches) GROUP BY game, seat"
    ).fetchall():
        by_duckdb[game][2][seat] = rate
    return ours, by_pandas, by_duckdb


def by_the_server(games):
    """The same from /v1/analytics, once everything is counted; nothing where the server has none."""
    if "/v1/analytics/{game}/summary" not in json.loads(call("/openapi.json"))["paths"]:
        return None
    found = {}
    for game in games:
        for _ in range(300):
            summary = json.loads(call(f"/v1/analytics/{game}/summary"))
            if summary["fresh"]["waiting"] == 0:
                break
            time.sleep(0.1)
        rates = {int(seat["key"]): seat["rate"] for seat in summary["seats"]}
        found[game] = (summary["matches"], summary["length"]["mean"], rates)
    return found


def close(one, other):
    return abs(one - other) < 1e-9


def equal(one, other):
    return one.keys() == other.keys() and all(
        one[game][0] == other[game][0]
        and close(one[game][1], other[game][1])
        and one[game][2].keys() == other[game][2].keys()
        and all(close(rate, other[game][2][seat]) for seat, rate in one[game][2].items())
        for game in one
    )


def main():
    play()
    ours, by_pandas, by_duckdb = summaries()
    assert set(ours) == set(GAMES), ours
    assert equal(ours, by_pandas), (ours, by_pandas)
    assert equal(ours, by_duckdb), (ours, by_duckdb)
    server = by_the_server(GAMES)
    assert server is None or equal(ours, server), (ours, server)
    print(f"{sum(count for count, _, _ in ours.values())} matches: NDJSON, CSV, Parquet and the views agree")


main()
