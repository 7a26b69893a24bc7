# make help    print this list
# make site    fetch the manuals, build site/public/, print its address;
#              BUILD_FLAGS=--offline and the like are options of dconv build
# make test    lint, types and the tests that take minutes, after installing what they need
# make test-slow  the others: kill tests, fuzzing, long properties, real web servers
# make test-installed  the wheel on each Python here, with the lowest and newest libraries
# make check   lint and types only
# make fuzz    look for inputs that break the program, FUZZ_SECONDS for each part of it
# make bench   speed, memory and growth against their bounds, as tables;
#              BENCH_FLAGS="--against 'OTHER {input} {output}'" measures another program in
#              turn, BENCH_FLAGS=--growth goes to 1,000,000 lines (a quarter of an hour)
# make bench-pages  what built pages cost a reader, against their budgets
# make bench-search  what the search of the built site answers to administrators' queries
# make bench-check  what the check sees of defects that are put into manuals
# make corpus  download Debian packages with manual pages, and test the readers with them;
#              CORPUS=DIR is the folder for them
# make screenshots   every kind of page, in build/screenshots/index.html
# make lock    choose the newest versions of all dependencies, with their hashes
# make clean   remove what was built; `make distclean` removes .venv too
#
# Needs Python 3.11 or later with its venv module, make, and git to fetch some
# manuals; all else is installed into .venv from the locked versions.

PYTHON ?= python3
SITE ?= site/site.toml
BUILD_FLAGS ?=
PYTEST_FLAGS ?=
FUZZ ?=
FUZZ_SECONDS ?= 60

BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Programs that tests run, and files, each with the Debian package that has it.
TEST_PROGRAMS := git:git dpkg-deb:dpkg chromium:chromium firefox-esr:firefox-esr \
  pdftotext:poppler-utils nginx:nginx apache2:apache2 haproxy:haproxy caddy:caddy \
  node:nodejs /usr/share/nodejs/lunr/index.js:node-lunr setpriv:util-linux unshare:util-linux \
  mandoc:mandoc lexgrog:man-db groff:groff-base epubcheck:epubcheck vim:vim info:info \
  localedef:libc-bin /usr/share/i18n/locales/tr_TR:locales

.PHONY: help site test test-slow test-installed check lint types fuzz bench bench-pages bench-search bench-check \
  corpus screenshots lock clean distclean dist programs
.DELETE_ON_ERROR:

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

site: .venv/site.stamp
	@echo 'Building the site that $(SITE) describes'
	@$(BIN)/dconv build --site $(SITE) --partial $(BUILD_FLAGS)

test: check programs
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow" $(PYTEST_FLAGS)

test-slow: .venv/test.stamp programs
	$(BIN)/python -m pytest -n auto --dist worksteal -m "slow and not corpus" $(PYTEST_FLAGS)

test-installed: .venv/site.stamp
	$(BIN)/python tests/installed.py

check: lint types

lint: .venv/test.stamp
	$(BIN)/ruff check

types: .venv/test.stamp
	$(BIN)/mypy

fuzz: .venv/fuzz.stamp
	$(BIN)/python tests/fuzz/run.py --seconds=$(FUZZ_SECONDS) $(FUZZ)

bench: .venv/test.stamp
	$(BIN)/python benchmarks/run.py $(BENCH_FLAGS)

corpus: .venv/test.stamp programs
	$(BIN)/python tests/corpus_pages.py
	$(BIN)/python -m pytest -n auto --dist worksteal -m corpus $(PYTEST_FLAGS)

screenshots: .venv/test.stamp programs
	$(BIN)/python tests/screenshots.py

bench-pages: .venv/test.stamp
	$(BIN)/python benchmarks/pages.py site/public $(BENCH_FLAGS)
	$(BIN)/python benchmarks/search_browser.py site/public
	$(BIN)/python benchmarks/search_browser.py site/public --slow 4

bench-search: .venv/site.stamp
	$(BIN)/python benchmarks/shelf_search.py

bench-check: .venv/site.stamp
	$(BIN)/python benchmarks/check_recall.py $(BENCH_FLAGS)

# --- what is installed ------------------------------------------------------------------

.venv/python.stamp:
	@command -v $(PYTHON) >/dev/null || { \
	  echo 'dconv needs Python 3.11 or later: install it, or run make PYTHON=…' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "dconv needs Python 3.11 or later, and $(PYTHON) is `$(PYTHON) -V`:" \
	    'run make PYTHON=…' >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv || { rm -rf .venv; \
	  echo 'Python has no venv module here: on Debian, apt-get install python3-venv' >&2; exit 1; }
	@touch $@

# The lock has the build backend too, so that nothing unlocked runs.
.venv/site.stamp: .venv/python.stamp requirements.lock pyproject.toml
	@echo 'Installing dconv and its libraries into .venv (about half a minute)'
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q dconv # so that commands start fast in read-only folders
	@touch $@

.venv/test.stamp: .venv/site.stamp requirements-test.lock
	@echo 'Installing the libraries that tests need'
	@$(INSTALL) --require-hashes -r requirements-test.lock
	@touch $@

# Atheris is for x86-64 and CPython alone, so it is in no lock, and tests do without it.
.venv/fuzz.stamp: .venv/test.stamp
	$(INSTALL) --no-build-isolation --editable '.[fuzz]'
	@touch $@

programs:
	@missing=; for pair in $(TEST_PROGRAMS); do \
	  PATH="$$PATH:/usr/local/sbin:/usr/sbin:/sbin" command -v $${pair%%:*} >/dev/null || test -e $${pair%%:*} || missing="$$missing $${pair#*:}"; done; \
	test -z "$$missing" && exit 0; \
	root=; test "`id -u`" = 0 || root='sudo -n'; \
	if command -v apt-get >/dev/null && $$root true 2>/dev/null; then \
	  $$root apt-get update -qq && $$root apt-get install -y -qq $$missing; \
	else \
	  echo "tests need programs of the Debian packages$$missing:" \
	    "install them, or those tests are skipped" >&2; \
	fi

# --- releases ---------------------------------------------------------------------------

# One lock for all platforms and for each Python that pyproject.toml allows, with markers where
# the newest version of a library needs a later Python.
COMPILE = .venv/lock/bin/uv pip compile --quiet --universal --generate-hashes --no-header \
  --no-emit-index-url --python-version 3.11 $(LOCK_FLAGS) pyproject.toml $(BACKEND)
BACKEND := .venv/lock/build-system.in
LOCK_FLAGS ?= --upgrade

# What runs is locked at the version that was tested, and the build backend is locked too.
lock: .venv/python.stamp
	test -x .venv/lock/bin/uv || { \
	  $(PYTHON) -m venv .venv/lock && .venv/lock/bin/pip install --quiet uv; }
	$(BIN)/python -c 'import tomllib; project = tomllib.load(open("pyproject.toml", "rb")); \
	  print(*project["build-system"]["requires"], "editables", sep="\n")' > $(BACKEND)
	$(COMPILE) --extra test --output-file requirements-test.lock
	$(COMPILE) --constraint requirements-test.lock --output-file requirements.lock

# The wheel is built from the sdist, so that both are known to be whole.
dist: .venv/site.stamp
	rm -rf dist build
	mkdir -p build
	$(BIN)/python -m hatchling build --target sdist
	tar -xzf dist/*.tar.gz -C build --strip-components=1
	cd build && ../$(BIN)/python -m hatchling build --target wheel --directory ../dist

clean:
	rm -rf site/public site/public.dconv-* dist build \
	  .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find dconv tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv
