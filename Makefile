# What a person does with takujo: run it, test it, describe it, measure it.
# Each target does the set-up that it needs.

CARGO ?= cargo
PYTHON ?= python3
# Tools of the tests that are no Rust: kept beside the build output.
TOOLS := $(or $(CARGO_TARGET_DIR),target)/tools
export SQLX_OFFLINE ?= true

.PHONY: run release setup lint deny test unit live openapi sqlx bench lexicon

run: setup ## the server with everything it needs, on http://127.0.0.1:8080
	$(CARGO) run --release -p takujo -- serve

release: setup
	$(CARGO) build --release -p takujo

setup: ## what the machine lacks: a C compiler, PostgreSQL's programs
	@tools/setup.sh

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

deny: ## licences and sources of the dependencies (advisories need the network: `cargo deny check advisories`)
	@command -v cargo-deny >/dev/null || $(CARGO) install cargo-deny --locked
	$(CARGO) deny --offline check licenses bans sources

test: setup lint deny live unit ## everything that CI runs

live: setup ## what is checked against a running server: cases, a generated client, the page's code, the exports, schemathesis, sqlx's offline data
	$(CARGO) build -p takujo
	tests/live.sh "$(TOOLS)"

unit: setup ## every test of the workspace, against a real PostgreSQL of its own
	@tools/setup.sh tests
	$(CARGO) test --workspace

openapi: ## write openapi/openapi.json again from the routes
	$(CARGO) run -q -p takujo -- openapi > openapi/openapi.json.new && mv openapi/openapi.json.new openapi/openapi.json

sqlx: setup ## write sqlx's offline data again after a query or a migration changed
	$(CARGO) build -p takujo
	tests/live.sh "$(TOOLS)" sqlx-write

bench: setup ## the benchmarks, each beside its peer or ceiling
	$(CARGO) bench -p takujo-dictionary -p takujo-rules -p takujo --benches

lexicon: ## make the lexicon's data files again from the pinned packages
	$(PYTHON) dictionary/data/make.py
