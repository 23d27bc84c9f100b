# Only python3 (3.11 or newer), pip, venv and make are needed. `make demo` first.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test slow lint bench peers clean

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

clean:
	rm -rf .venv .venv-peers out build dist .pytest_cache .ruff_cache .mypy_cache .import_linter_cache
