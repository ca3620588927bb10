PY := .venv/bin/python
.DEFAULT_GOAL := help
.PHONY: help setup

help: ## List these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## Make .venv with everything for development and tests
	@sh scripts/system.sh
	@sh scripts/bootstrap.sh
