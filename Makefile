# Every target makes the environment it needs: a machine with python3 and make is enough.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN    := $(VENV)/.run
DEV    := $(VENV)/.dev
PIP    := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input
# The releases to install; `make CONSTRAINTS= VENV=build/newest test` takes the newest ones.
CONSTRAINTS := constraints.txt
INSTALL := $(PIP) install $(CONSTRAINTS:%=-c %) $(CONSTRAINTS:%=--build-constraint %)
# Pytest rewrites and compiles the tests, which takes longer than to load them: keep the bytecode.
PYTEST := env PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q
# A process for each core runs its share of the files in order, then takes tests from another one.
ALL_CORES := -n logical --dist worksteal
PUPPETDB := $(PYTEST) tests/fleet/test_real_puppetdb.py
LOOP   := sample_catalogs/require_loop/catalog.json

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-puppetdb check bench bench-short oracle record docs playground stills constraints clean
MAKEFLAGS += --no-print-directory

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1 /p' $(MAKEFILE_LIST) | \
	  while read -r name text; do printf '  make %-11s %s\n' "$$name" "$$text"; done

demo: $(RUN) ## explain a dependency cycle, and draw it into build/
	@mkdir -p build
	@echo '$$ catgraph cycles $(LOOP)'
	@$(BIN)/catgraph cycles $(LOOP); code=$$?; \
	  if [ $$code -ne 1 ]; then echo "expected exit code 1, got $$code" >&2; exit 1; fi
	@echo; echo 'Exit code 1: a pipeline with this step stops here, before any machine is touched.'; echo
	@echo '$$ catgraph graph $(LOOP) --format html -o build/demo.html'
	@$(BIN)/catgraph graph $(LOOP) --format html -o build/demo.html
	@echo '$$ catgraph graph $(LOOP) --format dot -o build/demo.dot'
	@$(BIN)/catgraph graph $(LOOP) --format dot -o build/demo.dot
	@echo; echo 'The graph, for a browser: $(CURDIR)/build/demo.html'
	@echo 'The graph, for Graphviz:  $(CURDIR)/build/demo.dot'

test: $(DEV) ## run the tests, with few examples of each law
	@$(PYTEST) $(ALL_CORES)

test-all: $(DEV) ## run all tests with all examples
	@CATGRAPH_TESTS=all $(PYTEST) $(ALL_CORES)

test-puppetdb: $(DEV) ## test against the PuppetDB of CATGRAPH_PUPPETDB, else start one (as root)
	@if [ -n "$$CATGRAPH_PUPPETDB" ]; then $(PUPPETDB); else tests/puppetdb/server.sh $(PUPPETDB); fi

check: $(DEV) ## format, lint, types, layers
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo --no-cache

bench: $(DEV) ## measure against Puppet, networkx and rustworkx
	@$(BIN)/python -m tests.bench

bench-short: $(DEV) ## measure in seconds; fail at twice a recorded ratio
	@$(BIN)/python -m tests.bench.short

oracle: $(DEV) ## compare with the installed Puppet
	@$(BIN)/python -m tests.oracle live

record: $(DEV) ## record anew what the installed Puppet says
	@$(BIN)/python -m tests.oracle record

docs: $(DEV) ## build the site into build/site, and check its links; with the playground if it was built
	@$(BIN)/python -m docs.site.build

playground: $(DEV) ## build the page that runs catgraph in a browser, into build/playground
	@$(BIN)/python -m docs.playground.build

stills: $(DEV) ## draw the pictures of docs/
	@$(BIN)/python -m tests.tui.stills
	@$(BIN)/python -m tests.browser.picture

constraints: $(RUN) ## write constraints.txt anew, with the newest releases
	@mkdir -p build
	@$(BIN)/python .ci/constraints.py > build/constraints.txt
	@mv build/constraints.txt constraints.txt

clean: ## remove the environment and everything built
	@rm -rf $(VENV) build dist grammars/*.table .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find analyzer tui grammars tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Debian ships ensurepip apart from python3. A recent pip writes a console script without `re`,
# and the .pth file of setuptools runs at every start: both would be paid by each call of catgraph.
$(RUN): pyproject.toml $(CONSTRAINTS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'catgraph needs Python 3.11 or newer: make PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo 'The venv module of Python is missing: apt-get install python3-venv' >&2; exit 1; }
	@echo 'Setting up $(VENV) ...'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade $(CONSTRAINTS:%=-c %) pip
	@$(PIP) uninstall -y setuptools
	@$(INSTALL) -e .
	@# Even where the environment forbids Python to write bytecode, no start compiles it anew.
	@$(BIN)/python -m compileall -q analyzer tui grammars
	@touch $@

$(DEV): $(RUN)
	@$(INSTALL) -e '.[dev]'
	@touch $@
