#!/bin/sh
# The browser of the tests: the system's Chromium or Chrome where there is one, else the one Playwright brings (Ubuntu).
set -eu
cd "$(dirname "$0")/.."
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  command -v "$name" >/dev/null && exit 0
done
.venv/bin/python -m playwright install --with-deps chromium
