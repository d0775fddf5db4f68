#!/usr/bin/env bash
# Starts the built server with a database of its own and checks it from outside.
#   tests/live.sh TOOLS              the handed cases, the description under schemathesis, sqlx's offline data
#   tests/live.sh TOOLS sqlx-write   only writes sqlx's offline data again
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$1
mode=${2:-check}
target=${CARGO_TARGET_DIR:-target}
work=$(mktemp -d)
chmod 755 "$work" # the unprivileged user that runs PostgreSQL has to get through
server=
finish() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server" || true; }
    rm -rf "$work"
}
trap finish EXIT

[ "$mode" = sqlx-write ] || tools/setup.sh tests

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
base=http://127.0.0.1:$port
env -u DATABASE_URL LISTEN="127.0.0.1:$port" DATA_DIR="$work/data" RATE_LIMIT=0 \
    "$target/debug/takujo" serve 2>"$work/log" &
server=$!
for _ in $(seq 600); do
    python3 -c "import urllib.request as u; u.urlopen('$base/readyz')" 2>/dev/null && break
    kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
    sleep 0.2
done

# The query macros write their data while the crate is compiled against a real database.
write_sqlx() {
    mkdir -p "$1"
    touch api/src/lib.rs
    env -u SQLX_OFFLINE DATABASE_URL="postgres:///takujo?host=$work/data/postgres/socket&user=takujo&sslmode=disable" \
        SQLX_OFFLINE_DIR="$1" cargo check -q -p takujo --lib
}

if [ "$mode" = sqlx-write ]; then
    write_sqlx "$work/sqlx"
    rm -rf api/.sqlx && cp -r "$work/sqlx" api/.sqlx
    exit
fi

echo "== sqlx's offline data is that of the queries"
write_sqlx "$work/sqlx"
diff -r "$work/sqlx" api/.sqlx || { echo "api/.sqlx is stale: write it again with make sqlx" >&2; exit 1; }

if [ ! -e "$tools/bin/python" ] || ! cmp -s tests/requirements.txt "$tools/requirements.txt"; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q -r tests/requirements.txt
    cp tests/requirements.txt "$tools/requirements.txt"
fi

echo "== pandas, pyarrow and DuckDB read the exports"
"$tools/bin/python" tests/exports.py "$base" "$work/data/postgres/socket"

if [ -d ../shared/cases ]; then
    echo "== the handed cases"
    python3 ../shared/cases/run.py "$base" ../shared/cases
fi

echo "== a client made from the description plays"
"$tools/bin/python" tests/clients/generated.py "$base"

echo "== every block of docs/clients.md runs"
"$tools/bin/python" tests/clients/page.py docs/clients.md "$base"

echo "== schemathesis finds nothing wrong with the description"
"$tools/bin/schemathesis" --config-file tests/schemathesis.toml run --url "$base" openapi/openapi.json

if grep -q '"level":"ERROR"' "$work/log"; then
    echo "The server logged errors:" >&2
    grep '"level":"ERROR"' "$work/log" | head >&2
    exit 1
fi
