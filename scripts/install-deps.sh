#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the system packages that Arbor needs on Debian 12 or a later Debian or Ubuntu.
#   scripts/install-deps.sh build    what building and using arbor needs
#   scripts/install-deps.sh test     that, and what the tests and ./check need
# Asks dpkg what is missing first: with everything in place it changes nothing and needs no network.
set -euo pipefail

usage() {
  echo "usage: scripts/install-deps.sh build|test" >&2
  exit 2
}
[ $# -eq 1 ] || usage

# Without these nothing builds or runs.
build_packages=(
  g++ cmake ninja-build ccache lld git make ca-certificates
  libfmt-dev nlohmann-json3-dev libtomlplusplus-dev libcli11-dev libsqlite3-dev
  libboost-math-dev libre2-dev libxxhash-dev libzstd-dev libseccomp-dev libclang-19-dev clang-19
  bubblewrap util-linux procps binutils
)
# Arbor does without them, but has fewer things to try or to look with.
build_wishes=(linux-perf libmimalloc2.0 libjemalloc2 libtcmalloc-minimal4 lld-19 llvm-19)

test_packages=(libgtest-dev libgmock-dev clang-tidy-19 clang-format-19 libclang-rt-19-dev python3)

case "$1" in
  build) packages=("${build_packages[@]}") ;;
  test) packages=("${build_packages[@]}" "${test_packages[@]}") ;;
  *) usage ;;
esac
wishes=("${build_wishes[@]}")

say() { echo "install-deps: $*" >&2; }

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "this is neither Debian nor Ubuntu; install the equivalents of these packages yourself:"
  say "${packages[*]}"
  exit 0
fi

is_installed() {
  dpkg-query -W -f '${db:Status-Abbrev}\n' "$1" 2>/dev/null | grep -q '^ii'
}
missing_of() {
  local package
  for package in "$@"; do is_installed "$package" || echo "$package"; done
}

mapfile -t missing < <(missing_of "${packages[@]}")
mapfile -t missing_wishes < <(missing_of "${wishes[@]}")
if [ ${#missing[@]} -eq 0 ] && [ ${#missing_wishes[@]} -eq 0 ]; then
  say "nothing to do, all ${#packages[@]} packages are installed"
  exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null; then
    as_root=(sudo)
  elif [ ${#missing[@]} -eq 0 ]; then
    say "optional, not installed (no root, no sudo): ${missing_wishes[*]}"
    exit 0
  else
    say "missing: ${missing[*]}"
    say "run as root: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    exit 1
  fi
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" </dev/null >&2
}

# Optional packages never ask for the network by themselves twice: what this release lacks or a
# machine without network cannot fetch is said and left out.
if [ ${#missing[@]} -gt 0 ]; then
  say "missing: ${missing[*]}"
  say "apt-get update, then apt-get install"
  apt update
  apt install --no-install-recommends "${missing[@]}"
  mapfile -t still_missing < <(missing_of "${packages[@]}")
  if [ ${#still_missing[@]} -gt 0 ]; then
    say "still missing after apt-get install: ${still_missing[*]}"
    exit 1
  fi
elif [ -z "$(apt-cache policy "${missing_wishes[0]}" 2>/dev/null)" ]; then
  apt update || say "the package lists could not be fetched"
fi

for package in "${missing_wishes[@]}"; do
  if ! apt-cache show "$package" >/dev/null 2>&1; then
    say "optional, not in this release: $package"
  elif ! apt install --no-install-recommends "$package"; then
    say "optional, could not be installed: $package"
  fi
done
say "done"
