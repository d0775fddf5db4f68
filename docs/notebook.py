#!/usr/bin/env python3
"""Runs the queries of docs/notebook.md, writes their results below them and draws its pictures.

notebook.py DATABASE_URL: needs psql, and nothing but Python's own library. A picture draws the first
column of the query above it against the second; columns named low and high are whiskers.
"""

import csv
import io
import math
import re
import subprocess
import sys
from html import escape
from pathlib import Path

PAGE = Path(__file__).with_name("notebook.md")
BLOCK = re.compile(r"```sql\n(?P<sql>.*?)```\n(?:\n(?:\|[^\n]*\n)+)?", re.DOTALL)
PICTURE = re.compile(r"!\[(?P<title>[^\]]*)\]\((?P<file>notebook-\w+\.svg)\)")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 300, 56, 64, 36


def ask(url, query):
    """The names of the columns, and the rows, as text."""
    command = ["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", f"COPY ({query}) TO STDOUT (FORMAT csv, HEADER)", url]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{answer.stderr}The query was:\n{query}")
    names, *rows = csv.reader(io.StringIO(answer.stdout))
    return names, rows


def table(names, rows):
    """The result as a table of Markdown."""
    lines = [names, ["---"] * len(names), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def round_up(value):
    """The next number of one digit above, or one and a half, times a power of ten."""
    power = 10 ** math.floor(math.log10(value))
    return next(power * digit for digit in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if power * digit >= value)


def picture(title, names, rows):
    """Bars of the second column, one a row."""
    values = [float(row[1]) for row in rows]
    whiskers = [names.index(name) for name in ("low", "high") if name in names]
    highest = max(float(row[whiskers[-1]]) if whiskers else value for row, value in zip(rows, values))
    ceiling = round_up(highest)
    span, plot = (WIDTH - LEFT - 16) / len(rows), HEIGHT - BOTTOM - TOP

    def y(value):
        return TOP + plot * (1 - value / ceiling)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<title>{escape(title)}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="20" font-size="14" fill="#222">{escape(title)}</text>',
    ]
    for part in range(5):
        value = ceiling * part / 4
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 16}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end" fill="#555">{value:g}</text>')
    for place, (row, value) in enumerate(zip(rows, values)):
        x = LEFT + span * place
        parts.append(
            f'<rect x="{x + span * 0.15:.1f}" y="{y(value):.1f}" width="{span * 0.7:.1f}"'
            f' height="{y(0) - y(value):.1f}" fill="#4a7a9d"/>'
        )
        middle = x + span / 2
        if whiskers:
            bottom, top = (y(float(row[column])) for column in whiskers)
            parts.append(f'<path d="M{middle:.1f} {top:.1f}V{bottom:.1f}" stroke="#222" stroke-width="1.5"/>')
            for end in (top, bottom):
                parts.append(f'<path d="M{middle - 5:.1f} {end:.1f}h10" stroke="#222" stroke-width="1.5"/>')
        lines = row[0].split(", ")
        for number, text in enumerate(lines):
            where = HEIGHT - BOTTOM + 18 + 14 * number
            parts.append(f'<text x="{middle:.1f}" y="{where}" text-anchor="middle" fill="#222">{escape(text)}</text>')
    label = f"{names[1].replace('_', ' ')} by {names[0].replace('_', ' ')}"
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle" fill="#555">{escape(label)}</text></svg>')
    return "\n".join(parts) + "\n"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    url, page = sys.argv[1], PAGE.read_text()
    results = []

    def answered(block):
        names, rows = ask(url, block["sql"])
        results.append((names, rows))
        return f"```sql\n{block['sql']}```\n\n{table(names, rows)}"

    fresh = BLOCK.sub(answered, page)
    PAGE.write_text(fresh)
    for shown in PICTURE.finditer(fresh):
        before = len(BLOCK.findall(fresh[: shown.start()]))
        names, rows = results[before - 1]
        PAGE.with_name(shown["file"]).write_text(picture(shown["title"], names, rows))


main()
