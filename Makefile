PY := .venv/bin/python
# What `check --deploy` looks at: a production environment, with a key made for this one command.
PRODUCTION = ENV_FILE= DEBUG=false ALLOWED_HOSTS=sizewright.example SECRET_KEY=$$($(PY) -c 'import secrets; print(secrets.token_urlsafe(50))')
.DEFAULT_GOAL := help
.PHONY: help setup run test test-sqlite test-postgres test-browser test-every-page test-journeys test-pilot check format e2e bench bench-desk bench-preview lock messages pictures

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Make .venv with everything for development and tests
	@sh scripts/system.sh
	@sh scripts/bootstrap.sh
	@sh scripts/browser.sh

run: ## Serve at 127.0.0.1:8000 with demo data and a task worker (PORT=8001 for another port)
	@WITH_BROWSER=0 sh scripts/system.sh
	@LOCK=requirements.lock sh scripts/bootstrap.sh
	@exec $(PY) scripts/run.py

# The two databases' tests run side by side, a core each, and print when they end; the browser's run alone after them,
# so that nothing is late. A test that hangs says where (faulthandler_timeout).
test: check ## Check, then test on SQLite, on PostgreSQL and in a real browser
	$(PY) -m scripts.compile_messages
	timeout 60m $(MAKE) --no-print-directory --jobs=2 --output-sync=target test-sqlite test-postgres
	$(MAKE) --no-print-directory test-browser

test-sqlite:
	env -u DATABASE_URL $(PY) -m pytest -m "not browser"

# The engine and its tests know no database: once is enough.
test-postgres:
	$(PY) scripts/with_postgres.py $(PY) -m pytest -m "not browser" --ignore=tests/sizing

# The walk over every page takes as long as all other tests in a browser.
test-browser:
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target test-every-page test-journeys

test-every-page:
	env -u DATABASE_URL $(PY) -m pytest tests/browser/test_every_page.py

test-journeys:
	env -u DATABASE_URL $(PY) -m pytest tests/browser --ignore=tests/browser/test_every_page.py

test-pilot: setup .venv-pilot/ready ## Run the pilot script on this CPU with tiny models (brings PyTorch, gigabytes)
	PILOT_PYTHON=$(CURDIR)/.venv-pilot/bin/python $(PY) -m pytest tests/quotes/test_pilot_run.py

.venv-pilot/ready:
	python3 -m venv .venv-pilot
	.venv-pilot/bin/python -m pip install "torch>=2.6" "transformers>=4.56" "peft>=0.17"
	touch $@

check: setup ## Lint, formatting, types, import direction, migrations, deployment settings, templates
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports
	ENV_FILE= $(PY) manage.py makemigrations --check --dry-run
	$(PRODUCTION) $(PY) -W error manage.py check --deploy --fail-level WARNING
	git ls-files -z 'templates/*.html' | xargs -0 -r .venv/bin/djade --target-version 6.1 --check

format: setup ## Write what `check` would ask for in layout
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	git ls-files -z 'templates/*.html' | xargs -0 -r .venv/bin/djade --target-version 6.1

e2e: setup ## Only the tests in a real browser
	@$(MAKE) --no-print-directory test-browser

bench: setup ## Time what must be fast
	$(PY) -m pytest benchmarks --benchmark-enable --benchmark-only -p no:randomly

bench-desk: setup ## Count and time a routine quote, from the form to the quote sent
	$(PY) -m pytest benchmarks/desk_walk.py -q -p no:randomly

bench-preview: setup ## Time the preview while twenty people type
	$(PY) -m benchmarks.preview_load

pictures: setup ## Take the pictures of docs/pictures again (needs pdftoppm)
	env -u DATABASE_URL $(PY) -m pytest tests/browser/take_pictures.py -q -p no:randomly

messages: setup ## Take new texts into locale/ru (needs xgettext)
	$(PY) manage.py makemessages -l ru --no-wrap --no-location

lock: setup ## Write the lock files from pyproject.toml (UPGRADE=1 for newer versions)
	@sh scripts/lock.sh
