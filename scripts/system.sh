#!/bin/sh
# System libraries that Python packages cannot bring. Installs them on Debian and Ubuntu; elsewhere says which to install.
# WITH_BROWSER=0 leaves Chromium out: only the tests need it.
set -eu
PATH=$PATH:/usr/sbin:/sbin # ldconfig is not on a normal user's PATH on Debian

need=""
have() { ldconfig -p 2>/dev/null | grep -q "$1"; }
have_browser() {
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null && return 0
  done
  return 1
}

if [ "$(uname -s)" != Linux ]; then
  echo "Not Linux: install Pango yourself (macOS: brew install pango) and, for the tests, Chromium or Chrome." >&2
  exit 0
fi

python3 -c 'import ensurepip' >/dev/null 2>&1 || need="$need python3-venv"
have libpangoft2-1.0.so.0 || need="$need libpango-1.0-0 libpangoft2-1.0-0"
have libharfbuzz-subset.so.0 || need="$need libharfbuzz-subset0"
# Ubuntu has no Chromium package outside snap; scripts/browser.sh sees to it there.
if [ "${WITH_BROWSER:-1}" = 1 ] && ! have_browser && ! grep -qs '^ID=ubuntu' /etc/os-release; then need="$need chromium"; fi
[ -n "$need" ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "Install what your system calls these, then run again:$need" >&2
  exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "Run as root, then run again: apt-get install --no-install-recommends$need" >&2
    exit 1
  fi
  as_root=sudo
fi
echo "Installing system packages:$need"
$as_root apt-get update -qq
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $need >/dev/null
