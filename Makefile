# The first command that needs .venv sets it up. It is only set up again after its sources have changed.

HOST ?= 0.0.0.0
PORT ?= 8040

# What to measure or to fuzz (names of tests/bench/__main__.py or tests/fuzz/targets.py; default: everything).
ONLY ?=

# For a release: whether to ask for known faults of what it needs, and the key that signs it.
AUDIT ?= yes
SIGN ?=

# For how many seconds to fuzz each group of targets.
SECONDS ?= 60

# The first Python on PATH that is new enough, unless PYTHON= names one.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)

# `make unit PYTHON=...` sets up an environment for each version of Python, such as .venv-3.13.
version_of = $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
ifeq ($(MAKECMDGOALS) $(origin PYTHON),unit command line)
VENV := .venv-$(version_of)
# Building the package also depends on the version of Python.
ALSO := tests/test_packaging.py
else
VENV := .venv
endif

BIN := $(VENV)/bin
# -qq hides everything except errors.
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
# Build requirements are locked, too. --build-constraint needs pip 25.3; $(VENV)/made installs the newest pip.
INSTALL := $(PIP) install --build-constraint locks/build.txt

# With LATEST=1, `make lock` takes the latest versions. Otherwise it keeps locked versions that pyproject.toml still allows.
LATEST ?=
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(if $(LATEST),--upgrade)

# The sources of the installed package: after a change of any of them, the next command installs it again. The build hook
# (hatch_build.py) decides whether to rebuild the web client.
PACKAGING := pyproject.toml hatch_build.py $(wildcard locks/*.txt)
WEB := shared/fortythieves/rules/games.json $(wildcard shared/fortythieves/words/*.json shared/fortythieves/words/*/*.json) \
	$(shell find client/web -mindepth 1 -name node_modules -prune -o -name test -prune -o -name words -prune -o -print) \
	$(wildcard client/web/src/words/*.js*)

# The tests that start no server and no program, and play no complete games: of the pure modules and of common/.
UNIT := tests/shared tests/server/common tests/server/core tests/test_architecture.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run setup lock test pytest browser unit pythons soak web lint types docs site bench fuzz release clean

help: ## show this list
	@sed -nE 's/^([a-z]+):.*## /make \1	/p' $(MAKEFILE_LIST) | expand -t 14

run: $(VENV)/client ## start a server and print its address (PORT=8040 HOST=0.0.0.0; SHARE=1: for friends elsewhere, too)
	$(BIN)/forty-thieves serve --host $(HOST) --port $(PORT) $(if $(SHARE),--share)

setup: ## set up .venv: the package, editable, and all development tools
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/dev
	@$(MAKE) --no-print-directory $(VENV)/client

lock: $(VENV)/made ## write locks/ from pyproject.toml (LATEST=1: with the latest versions)
	@$(PIP) install --group lock
	$(COMPILE) pyproject.toml --output-file locks/server.txt
	$(COMPILE) pyproject.toml --group dev --constraint locks/server.txt --output-file locks/dev.txt
	$(COMPILE) --group build --constraint locks/dev.txt --output-file locks/build.txt
	$(COMPILE) --group release --constraint locks/dev.txt --output-file locks/release.txt
	@for python in 3.11 3.12 3.13 3.14; do \
	for platform in x86_64-manylinux_2_28 aarch64-manylinux_2_28 x86_64-apple-darwin aarch64-apple-darwin; do \
	$(BIN)/uv pip install --quiet --dry-run --target build/none --requirement locks/server.txt --only-binary :all: \
	--python-version $$python --python-platform $$platform || exit; done; done

test: setup browser ## run all tests: Python, JavaScript, real browsers
	@$(MAKE) --no-print-directory --keep-going --jobs 2 web pytest

# Seven tests at a time, as browsers and servers wait a lot: on two fast cores, five took 352 s, and eight 301 s
# (measured).
# Bytecode is kept even if the environment says otherwise: otherwise each worker and each server would compile everything
# again.
pytest: $(VENV)/dev ## run the Python tests, including those in browsers
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses 7 --dist worksteal

browser: $(VENV)/dev ## find a Chromium for the tests, or download one
	@$(BIN)/python tests/e2e/browser.py

unit: $(VENV)/dev ## run the fast tests, without servers and browsers (PYTHON=python3.13: on that Python, with the packaging tests)
	$(BIN)/python -m pytest $(UNIT) $(ALSO)

# A pyenv shim may be on PATH and not work, so each Python is tried first.
pythons: ## run `make unit` on each supported Python that is on PATH or installed by pyenv
	@for version in 3.11 3.12 3.13 3.14; do for python in python$$version ~/.pyenv/versions/$$version.*/bin/python; do \
	$$python -c pass 2>/dev/null || continue; $(MAKE) --no-print-directory unit PYTHON=$$python || exit; continue 2; done; \
	echo "Python $$version is not here, so it is not tested." >&2; done

soak: setup browser ## kill processes for ten minutes, let Redis fail for ten, play at random for ten, and try many more examples of each property
	$(BIN)/python -m pytest --soak tests/faults/test_chaos.py
	$(BIN)/python -m tests.faults.soak
	$(BIN)/python -m tests.sim $$(date +%s) --seconds 3600
	$(BIN)/python -m pytest --soak tests/e2e/test_random_hands.py
	$(BIN)/python -m pytest --soak --numprocesses 2 $(UNIT)

sim: $(VENV)/dev ## simulate servers, their Redis and all that can fail with one seed (SEED=17), or for some time (SECONDS=600)
	$(BIN)/python -m tests.sim '$(or $(SEED),1)' $(if $(filter command line,$(origin SECONDS)),--seconds $(SECONDS))

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

docs: $(VENV)/client $(VENV)/dev ## write the generated parts of the documents
	@$(BIN)/python -m tests.tools.docs

site: $(VENV)/dev ## write the website of the documents to build/site, and check its links
	@$(INSTALL) --requirement locks/release.txt
	@$(BIN)/python -m tests.tools.site

bench: setup browser ## run all benchmarks, in half an hour (ONLY=moves)
	@$(BIN)/python -m tests.bench $(ONLY)

fuzz: $(VENV)/client $(VENV)/dev ## fuzz everything that reads foreign input, for 60 s a group (ONLY=records SECONDS=600)
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(ONLY)

release: setup ## build and check a release in dist/, up to the upload (SIGN=KEY signs with GnuPG; AUDIT=no asks no list of faults)
	@test -z "$$(git status --porcelain)" || { echo "Commit all changes first: a release has what git has." >&2; exit 1; }
	@$(INSTALL) --requirement locks/release.txt
	@$(BIN)/python -m tests.tools.release '$(AUDIT)' '$(SIGN)'

clean: ## remove everything that make has created
	rm -rf .venv .venv-3.* dist build server/fortythieves_server/client client/web/node_modules
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/made:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed, and none is on PATH. Name one with PYTHON=/path/to/python." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or later is needed: $(PYTHON) is $$($(PYTHON) --version 2>&1)." >&2; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@said=$$($(PYTHON) -m venv --upgrade-deps $(VENV)) || { echo "$$said" >&2; exit 1; }
	@touch $@

$(VENV)/server: locks/server.txt locks/build.txt | $(VENV)/made
	@echo "Installing Forty Thieves Race into $(VENV)"
	@$(INSTALL) --requirement $<
	@touch $@

$(VENV)/client: $(PACKAGING) $(WEB) | $(VENV)/server
	@$(INSTALL) --no-deps --editable .
	@touch $@

# The tools need the package, but not its newest web client. In a fresh clone both are installed at the same time.
$(VENV)/package: $(PACKAGING) | $(VENV)/server
	@$(MAKE) --no-print-directory $(VENV)/client
	@touch $@

$(VENV)/tools: $(PACKAGING) | $(VENV)/server
	@echo "Installing the tools for tests into $(VENV)"
	@$(INSTALL) --no-warn-conflicts --requirement locks/dev.txt
	@$(BIN)/python hatch_build.py requirements | xargs $(if $(filter Darwin,$(shell uname)),,-r) $(INSTALL) --constraint locks/build.txt
	@touch $@

$(VENV)/dev: $(VENV)/tools $(VENV)/package
	@touch $@
