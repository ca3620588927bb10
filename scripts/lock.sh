#!/bin/sh
# Write both lock files from pyproject.toml. UPGRADE=1 takes newer versions; without it only what must change does.
set -eu
cd "$(dirname "$0")/.."
options="--universal --generate-hashes --no-annotate --no-header --quiet ${UPGRADE:+--upgrade}"
# shellcheck disable=SC2086
.venv/bin/uv pip compile pyproject.toml $options -o requirements.lock
# shellcheck disable=SC2086
.venv/bin/uv pip compile pyproject.toml --group dev $options -c requirements.lock -o requirements-dev.lock
