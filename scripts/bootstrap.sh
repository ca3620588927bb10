#!/bin/sh
# Make .venv with Python 3.12+ and the locked packages. Safe to run again: does nothing when all is up to date.
# LOCK=requirements.lock installs what the product needs to run; the default adds what its tests need.
set -eu
cd "$(dirname "$0")/.."
LOCK=${LOCK:-requirements-dev.lock}
UV_PIN=$(sed -n 's/^uv==\([0-9.]*\).*/\1/p' requirements-dev.lock)

good() {
  "$1" -c 'import sys, ensurepip, ssl, sqlite3; sys.exit(not (3, 12) <= sys.version_info[:2] < (3, 15))' >/dev/null 2>&1
}

find_python() {
  for candidate in "${PYTHON:-}" python3.13 python3.12 python3.14 python3 python \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python3 \
    "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[24]*/bin/python3; do
    if [ -n "$candidate" ] && good "$candidate"; then
      "$candidate" -c 'import sys; print(sys.executable)'
      return 0
    fi
  done
  return 1
}

make_venv() {
  if interpreter=$(find_python); then
    echo "Making .venv with $("$interpreter" --version)"
    "$interpreter" -m venv .venv
    .venv/bin/python -m pip install -q --disable-pip-version-check "uv==$UV_PIN"
    return
  fi
  echo "No Python 3.12 or newer here; uv brings Python 3.13"
  uv=$(command -v uv || true)
  if [ -z "$uv" ]; then
    python3 -m venv .venv-uv || {
      echo "Needs python3 with its venv module. Debian and Ubuntu: apt-get install python3-venv" >&2
      exit 1
    }
    .venv-uv/bin/python -m pip install -q --disable-pip-version-check "uv==$UV_PIN"
    uv=.venv-uv/bin/uv
  fi
  "$uv" venv -q --managed-python --python 3.13 .venv
  "$uv" pip install -q --python .venv/bin/python "uv==$UV_PIN"
}

if [ -e .venv ] && ! { good .venv/bin/python && [ -x .venv/bin/uv ]; }; then rm -rf .venv; fi
[ -e .venv ] || make_venv

# Installing the small lock must not take the test tools away from a developer, so only the full lock removes packages.
case $LOCK in
  *dev*) .venv/bin/uv pip sync -q --python .venv/bin/python --require-hashes "$LOCK" ;;
  *) .venv/bin/uv pip install -q --python .venv/bin/python --require-hashes -r "$LOCK" ;;
esac
