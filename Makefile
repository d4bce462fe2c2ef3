# Each target does its own set-up; a second run is quick, as an extra is only reinstalled when pyproject.toml changes.

VENV := .venv
OLDEST := .venv-oldest
BIN := $(VENV)/bin
JOBS ?= auto
HOURS ?= 0.1
PIP_FLAGS := -qq --disable-pip-version-check --no-input
PYTEST := -m pytest -q -n $(JOBS) --maxprocesses 8
# One thread of BLAS per process: the tests already run in as many processes as there are cores.
ONE_THREAD := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1
# Without what prints, draws, stores or counts, and is the same on every CPU. The kernels are compiled first, in one process.
NUMERICAL_TESTS := $(BIN)/python tools/compile_kernels.py && $(BIN)/python $(PYTEST) \
	$(addprefix --ignore=tests/,benchmarks commands comparison datasets fuzz papers report study test_cli.py test_docs.py test_examples.py \
	audit/test_audit_browser.py audit/test_audit_page.py $(addprefix persistence/test_,bad_files.py hostile.py mutated.py)) tests
CODE = $(wildcard src tests benchmarks tools packages examples docs/conf.py docs/_ext docs/tutorials)
# Of the extra `papers`. Named in each installation, so that it comes from here and not from a registry (an sdist lacks it).
GPL_DATA := $(addprefix --editable ,$(wildcard packages/emphatic-data-gpl))
AXE := .venv-node/node_modules/axe-core

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-all test-oldest test-cpus coverage mutate fuzz check format bench docs docs-serve docs-check release-check clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.stamp-cli $(VENV)/.stamp-papers ## rerun a few rows of each paper, published beside measured, with a page (a minute or two)
	@$(BIN)/emphatic reproduce --quick --jobs -1 --report emphatic-demo.html

test: $(VENV)/.stamp-test ## the quick tests and the examples in the docstrings
	@$(ONE_THREAD) $(BIN)/python tools/compile_kernels.py
	@$(ONE_THREAD) $(BIN)/python $(PYTEST)

test-all: $(VENV)/.stamp-test ## every test, also the slow ones, then test-oldest
	@$(ONE_THREAD) $(BIN)/python tools/compile_kernels.py
	@$(ONE_THREAD) $(BIN)/python $(PYTEST) -m ""
	@$(MAKE) --no-print-directory test-oldest

test-oldest: $(OLDEST)/.stamp ## the contract tests on the lowest versions that pyproject.toml allows
	@$(ONE_THREAD) $(OLDEST)/bin/python tools/compile_kernels.py
	@$(ONE_THREAD) $(OLDEST)/bin/python $(PYTEST) -m "contract and not slow"

test-cpus: $(VENV)/.stamp-test ## the numerical tests as an older CPU (AVX2), and as a plainer one (SSE4.2), would run them
	@$(ONE_THREAD) $(BIN)/python tools/as_cpu.py haswell sh -c '$(NUMERICAL_TESTS) -m "not slow and not contract"'
	@$(ONE_THREAD) $(BIN)/python tools/as_cpu.py nehalem sh -c '$(NUMERICAL_TESTS)'

coverage: $(VENV)/.stamp-test ## which lines and branches the quick tests reach; fails below the share in pyproject.toml
	@$(ONE_THREAD) $(BIN)/python tools/compile_kernels.py
	@$(ONE_THREAD) $(BIN)/python $(PYTEST) --cov --cov-report=term:skip-covered

mutate: $(VENV)/.stamp-mutate ## change the code in 150 places, one at a time, and see which changes the tests notice (an hour)
	@$(ONE_THREAD) $(BIN)/python tools/compile_kernels.py
	@$(ONE_THREAD) $(BIN)/python tools/mutate.py

fuzz: $(VENV)/.stamp-test ## odd calls of all that is public, for HOURS (0.1); what fails goes into tests/fuzz/corpus
	@$(ONE_THREAD) $(BIN)/python tools/compile_kernels.py
	@$(ONE_THREAD) $(BIN)/python -m tests.fuzz --hours $(HOURS)

check: $(VENV)/.stamp-check ## lint, format, types, layers, workflows and other forms of GitHub
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python tools/check_forms.py

format: $(VENV)/.stamp-check ## put the code in the format that check asks for
	@$(BIN)/ruff check --fix $(CODE)
	@$(BIN)/ruff format $(CODE)

bench: $(VENV)/.stamp-bench ## speed, as ratios against peers in one run
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.limits
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.speed
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.growth
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.emphases
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.mlp
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.perceptron
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.search
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.evidence
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.forest
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.fuzzy_c_means
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.study
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.auto
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.first_call
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.prediction
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.model_files
	@$(ONE_THREAD) $(BIN)/python -m benchmarks.export

docs: $(VENV)/.stamp-docs ## the documentation, as pages in site/; examples and notebooks run again when they change
	@$(ONE_THREAD) $(BIN)/python -m sphinx -q -b html -d build/doctrees -j $(JOBS) --fail-on-warning --keep-going docs site

docs-serve: docs ## show the documentation in a browser, at http://localhost:8000
	@$(BIN)/python -m http.server --directory site --bind localhost 8000

docs-check: docs $(AXE) ## links, widths, contrast and headings of the pages, in a headless browser; pictures in build/screenshots
	@mkdir -p build/screenshots
	@$(BIN)/python -m tools.check_site site --axe $(AXE)/axe.min.js --screenshots build/screenshots

$(AXE):
	@npm install --silent --no-audit --no-fund --no-save --prefix .venv-node axe-core

release-check: $(VENV)/.stamp-release ## build all that is released, install it alone, and try it as a new user would (minutes)
	@$(BIN)/python -m tools.release $(RELEASE_FLAGS)

clean: ## remove what builds, checks and tests leave behind (not the virtual environments)
	@rm -rf dist build site docs/gallery docs/api jupyter_execute .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.stamp-made $(OLDEST)/.stamp-made:
	@tools/make-venv $(@D)
	@touch $@

$(VENV)/.stamp-%: pyproject.toml | $(VENV)/.stamp-made
	@echo "Installing emphatic[$*] into $(VENV) ..."
	@$(BIN)/python -m pip install $(PIP_FLAGS) $(GPL_DATA) --editable ".[$*]"
	@touch $@

$(OLDEST)/.stamp: pyproject.toml tools/lowest.py $(VENV)/.stamp-test | $(OLDEST)/.stamp-made
	@$(BIN)/python tools/lowest.py test > $(OLDEST)/lowest.txt
	@echo "Installing the lowest versions into $(OLDEST) ..."
	@$(OLDEST)/bin/python -m pip install $(PIP_FLAGS) --only-binary :all: --constraint $(OLDEST)/lowest.txt $(GPL_DATA) --editable ".[test]"
	@touch $@
