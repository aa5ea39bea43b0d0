# Everything is set up in .venv by the first command that needs it, and again only when what it is made from has changed.

HOST ?= 0.0.0.0
PORT ?= 8040

# What to measure or to fuzz, unless it is everything (names of tests/bench/__main__.py, of tests/fuzz/targets.py), and whether to say where the time goes.
ONLY ?=
PROFILE ?=

# How long to fuzz each group of targets.
SECONDS ?= 60

# The first Python on PATH that is new enough, unless PYTHON= says which.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

# `make unit PYTHON=...` sets up an environment of its own for each version of Python, such as .venv-3.13.
version_of = $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
ifeq ($(MAKECMDGOALS) $(origin PYTHON),unit command line)
VENV := .venv-$(version_of)
# What depends on the version of Python beyond the unit part: building the package.
ALSO := tests/test_packaging.py
else
VENV := .venv
endif

BIN := $(VENV)/bin
# -qq leaves out warnings, too: errors are said.
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
# From a lock file, also what packages are built with. pip has known --build-constraint since 25.3; $(VENV)/made brought the
# newest.
INSTALL := $(PIP) install --build-constraint locks/build.txt

# What `make lock` keeps, unless LATEST=1: the versions that are locked now, where pyproject.toml still allows them.
LATEST ?=
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(if $(LATEST),--upgrade)

# What the installed package was made from: changing any of it makes the next command install again. The build hook
# (hatch_build.py) decides whether the web client has to be built anew.
PACKAGING := pyproject.toml hatch_build.py $(wildcard locks/*.txt)
WEB := shared/fortythieves/rules/games.json $(shell find client/web -mindepth 1 -name node_modules -prune -o -name test -prune -o -print)

# The tests that start no server and no program, and play no whole games: of what is pure, and of what is used everywhere.
UNIT := tests/shared tests/server/common tests/server/core tests/test_architecture.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run setup lock test pytest browser unit pythons soak web lint types bench fuzz clean

help: ## show this
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /make \1|/' | column -t -s '|'

run: $(VENV)/client ## start a server and say its address (PORT=8040 HOST=0.0.0.0)
	$(BIN)/forty-thieves serve --host $(HOST) --port $(PORT)

setup: $(VENV)/client $(VENV)/dev ## make .venv: the package, editable, and all that developing it needs

lock: $(VENV)/made ## write locks/ anew from pyproject.toml (LATEST=1: with the latest versions)
	@$(PIP) install --group lock
	$(COMPILE) pyproject.toml --output-file locks/server.txt
	$(COMPILE) pyproject.toml --group dev --constraint locks/server.txt --output-file locks/dev.txt
	$(COMPILE) --group build --constraint locks/dev.txt --output-file locks/build.txt
	@for python in 3.11 3.12 3.13 3.14; do \
	for platform in x86_64-manylinux_2_28 aarch64-manylinux_2_28 x86_64-apple-darwin aarch64-apple-darwin; do \
	$(BIN)/uv pip install --quiet --dry-run --target build/none --requirement locks/server.txt --only-binary :all: \
	--python-version $$python --python-platform $$platform || exit; done; done

test: setup browser ## run all tests, in Python, JavaScript and real browsers
	@$(MAKE) --no-print-directory --keep-going web pytest

pytest: $(VENV)/dev ## run the Python tests, those in browsers among them
	$(BIN)/python -m pytest --numprocesses 4 --dist worksteal

browser: $(VENV)/dev ## find a Chromium for the tests, or fetch one
	@$(BIN)/python tests/e2e/browser.py

unit: $(VENV)/dev ## run the tests that need no server, no browser and no patience (PYTHON=python3.13: on that one, and its packaging)
	$(BIN)/python -m pytest $(UNIT) $(ALSO)

# A shim of pyenv may be on PATH and not run, so each is tried.
pythons: ## run `make unit` on each supported Python that is on PATH or installed by pyenv
	@for version in 3.11 3.12 3.13 3.14; do for python in python$$version ~/.pyenv/versions/$$version.*/bin/python; do \
	$$python -c pass 2>/dev/null || continue; $(MAKE) --no-print-directory unit PYTHON=$$python || exit; break; done; done

soak: $(VENV)/dev ## kill processes for ten minutes, and try many more examples of each property, chosen by chance
	$(BIN)/python -m pytest --soak tests/faults/test_chaos.py
	$(BIN)/python -m pytest --soak --numprocesses 2 $(UNIT)

web: $(VENV)/dev ## run the JavaScript tests and the type check of the web client
	$(BIN)/python hatch_build.py npm test
	$(BIN)/python hatch_build.py npm run check

lint: $(VENV)/dev ## check style and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/python hatch_build.py npm run lint

types: $(VENV)/dev ## check types
	$(BIN)/mypy

bench: setup browser ## measure all there is a bar for, in ten minutes (ONLY=moves PROFILE=1)
	@$(BIN)/python -m tests.bench $(ONLY) $(if $(PROFILE),--profile)

fuzz: $(VENV)/client $(VENV)/dev ## give odd things to all that reads what others wrote, for 60 s a group (ONLY=records SECONDS=600)
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(ONLY)

clean: ## remove whatever was made here
	rm -rf .venv .venv-3.* dist build server/fortythieves_server/client client/web/node_modules
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed, and none is on PATH; PYTHON=/path/to/python says where one is." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: $(PYTHON) is $$($(PYTHON) --version 2>&1)." >&2; exit 1; }
	@echo "Making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv --upgrade-deps $(VENV) >/dev/null
	@touch $@

$(VENV)/client: $(PACKAGING) $(WEB) | $(VENV)/made
	@echo "Installing Forty Thieves Race into $(VENV)"
	@$(INSTALL) --requirement locks/server.txt
	@$(INSTALL) --no-deps --editable .
	@touch $@

$(VENV)/dev: $(PACKAGING) | $(VENV)/made
	@echo "Installing the tools for tests into $(VENV)"
	@$(INSTALL) --requirement locks/dev.txt
	@$(INSTALL) --no-deps --editable .
	@$(BIN)/python hatch_build.py requirements | xargs $(if $(filter Darwin,$(shell uname)),,-r) $(INSTALL) --constraint locks/build.txt
	@touch $@
