"""Measures the analytics on a generated history, and draws what was measured.

    python3 docs/analytics-speed.py run PROGRAM DATABASE_URL GAME SIZE…  grows an empty database to each size in
                                                                         turn, and measures it there
    python3 docs/analytics-speed.py measure PROGRAM DATABASE_URL GAME    measures it as it is, into the CSV file
    python3 docs/analytics-speed.py draw                                the picture from the CSV file
"""

import csv
import http.client
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

HERE = Path(__file__).parent
MEASURED = HERE / "analytics-speed.csv"
PICTURE = HERE / "analytics-speed.svg"
REQUESTS = 300


def get(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    assert answer.status == 200, (path, answer.status, body[:300])
    return body


def paths(connection, game):
    """Each kind of request with the paths that are asked for in turn."""
    base = f"/v1/analytics/{game}"
    deep, line = [], []
    for _ in range(9):
        answer = json.loads(get(connection, f"{base}/explorer?path={urllib.parse.quote('/'.join(line))}"))
        if not answer["next"]:
            break
        line.append(answer["next"][0]["token"])
        deep.append(f"{base}/explorer?path={urllib.parse.quote('/'.join(line))}")
    board = json.loads(get(connection, f"/v1/leaderboards/{game}?limit=1"))
    player = board["players"][0]["player"] if board["players"] else None
    kinds = {
        "summary": [f"{base}/summary"],
        "summary of a time": [f"{base}/summary?from=2026-02-11&to=2026-10-20"],
        "summary of humans": [f"{base}/summary?composition=humans&seats={3 if game == 'sainokawara' else 2}"],
        "explorer, first move": [f"{base}/explorer"],
        "explorer, to six tokens": deep[:6],
        "explorer, beyond": deep[6:],
        "leaderboard": [f"/v1/leaderboards/{game}"],
    }
    if player:
        kinds["summary of a player"] = [f"{base}/summary?player={player}"]
    return {kind: asked for kind, asked in kinds.items() if asked}


def measure(program, database, game):
    environment = dict(os.environ, DATABASE_URL=database, LISTEN="127.0.0.1:0", RATE_LIMIT="0")
    server = subprocess.Popen([program, "serve"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        address = next(m[1] for line in server.stderr if (m := re.search(r"listens on http://([^ ]+)", line)))
        connection = http.client.HTTPConnection(address)
        while json.loads(get(connection, f"/v1/analytics/{game}/summary"))["fresh"]["waiting"]:
            time.sleep(0.5)
        matches = json.loads(get(connection, f"/v1/analytics/{game}/summary"))["matches"]
        rows = []
        for kind, asked in paths(connection, game).items():
            times = []
            for number in range(REQUESTS + 20):
                begun = time.perf_counter()
                get(connection, asked[number % len(asked)])
                times.append((time.perf_counter() - begun) * 1000)
            times = sorted(times[20:])
            rows.append([game, matches, kind, round(statistics.median(times), 2), round(times[-4], 2)])
            print(*rows[-1], sep="\t")
    finally:
        server.terminate()
        server.wait()
    fresh = not MEASURED.exists()
    with MEASURED.open("a", newline="") as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(["game", "matches", "request", "p50_ms", "p99_ms"])
        writer.writerows(rows)


def run(program, database, game, sizes):
    environment = dict(os.environ, DATABASE_URL=database)
    done = 0
    for seed, size in enumerate(sizes, 1):
        grow = [program, "generate", "--game", game, "--matches", str(size - done), "--seed", str(seed)]
        grow += ["--players", "1000", "--seats", "3" if game == "sainokawara" else "2"]
        for command in (grow, [program, "project"]):
            begun = time.perf_counter()
            subprocess.run([*command, "--log", "warn"], env=environment, check=True)
            print(f"{' '.join(command[1:])}: {time.perf_counter() - begun:.0f} s", flush=True)
        done = size
        subprocess.run(["psql", "-q", database, "-c", "VACUUM ANALYZE"], check=False)
        measure(program, database, game)


COLOURS = ["#1b7837", "#2166ac", "#b2182b", "#762a83", "#e08214", "#01665e", "#8c510a", "#4d4d4d"]


def draw(game="twenty_one"):
    with MEASURED.open() as file:
        rows = [row for row in csv.DictReader(file) if row["game"] == game]
    kinds = list(dict.fromkeys(row["request"] for row in rows))
    width, height, left, right, top, bottom = 760, 420, 60, 200, 30, 50
    sizes = sorted({int(row["matches"]) for row in rows})
    low_x, high_x = math.log10(sizes[0]), math.log10(max(sizes[-1], sizes[0] * 10))
    times = [float(row[key]) for row in rows for key in ("p50_ms", "p99_ms")]
    low_y, high_y = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    x = lambda n: left + (math.log10(n) - low_x) / (high_x - low_x) * (width - left - right)
    y = lambda ms: height - bottom - (math.log10(ms) - low_y) / (high_y - low_y) * (height - top - bottom)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="18">{game}: time of an answer by the size of the history; solid p50, dashed p99</text>']
    for power in range(low_y, high_y + 1):
        at = y(10**power)
        out.append(f'<line x1="{left}" y1="{at:.1f}" x2="{width - right}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{10**power:g} ms</text>')
    for size in sizes:
        out.append(f'<text x="{x(size):.1f}" y="{height - bottom + 18}" text-anchor="middle">{size:,}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 12}" text-anchor="middle">matches</text>')
    for at, (kind, colour) in enumerate(zip(kinds, COLOURS)):
        own = sorted((int(row["matches"]), row) for row in rows if row["request"] == kind)
        for key, dash in (("p50_ms", ""), ("p99_ms", ' stroke-dasharray="4 3"')):
            points = " ".join(f"{x(n):.1f},{y(float(row[key])):.1f}" for n, row in own)
            out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>')
        legend = top + 14 + at * 20
        out.append(f'<line x1="{width - right + 14}" y1="{legend}" x2="{width - right + 38}" y2="{legend}" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{width - right + 44}" y="{legend + 4}">{kind}</text>')
    PICTURE.write_text("\n".join(out + ["</svg>", ""]))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["measure", program, database, game]:
            measure(program, database, game)
        case ["run", program, database, game, *sizes]:
            run(program, database, game, [int(size) for size in sizes])
        case ["draw"]:
            draw()
        case _:
            sys.exit(__doc__)
