# Only python3 (3.11 or newer), pip, venv and make are needed. `make demo` first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test slow lint bench peers docs reference docs-table clean

.venv: requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q -r requirements.txt
	$(BIN)/pip install -q -e . --no-deps --no-build-isolation
	touch .venv

demo: .venv
	$(BIN)/tapespring run examples/pendulum.yaml --report out/pendulum.html
	$(BIN)/tapespring bench a01 a03
	$(BIN)/tapespring bench jpl_pendulum --report out/flexible_pendulum.html

test: .venv
	$(BIN)/pytest -n 2 -m "not slow"

slow: .venv
	$(BIN)/pytest -n 2 -m slow

lint: .venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv
	$(BIN)/tapespring bench all

peers: .venv-peers

.venv-peers: benchmarks/requirements-peers.txt
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip install -q -r benchmarks/requirements-peers.txt
	touch .venv-peers

docs: reference .venv-docs
	.venv-docs/bin/mkdocs build -q
	@echo "look at out/docs/index.html"

reference: .venv
	$(BIN)/python docs/tools/kinds_pages.py

docs-table: .venv
	$(BIN)/python docs/tools/bench_table.py $(CASES)

.venv-docs: requirements-docs.txt
	$(PYTHON) -m venv .venv-docs
	.venv-docs/bin/pip install -q -r requirements-docs.txt
	touch .venv-docs

clean:
	rm -rf .venv .venv-peers .venv-docs out build dist .pytest_cache .ruff_cache .mypy_cache .import_linter_cache
