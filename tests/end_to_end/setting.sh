# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests here, which use the arbor binary as a user does: with the real compiler,
# sandbox and git. The program's metric counts its own work, so that a busy machine changes nothing.
# Usage of each: NAME.sh ARBOR
set -eu
arbor=$1
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
program="$scratch/pro gram ü"
trap 'rm -rf "$scratch"' EXIT
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME="$scratch/home"
mkdir "$HOME"

fail() {
  echo "FAILED: $*"
  cat "$scratch/out" "$scratch/err" 2>/dev/null || true
  exit 1
}

commit_all() {
  git -C "$program" add -A
  git -C "$program" -c user.name=Ada -c user.email=ada@example.org commit -qm "$1"
}

cp -r "$here/program" "$program"
printf 'search\nfound.txt\n.arbor/\n' >"$program/.gitignore"
git init -q -b main "$program"
commit_all first

# What depends on the machine's speed and load is left out.
quiet_options='--without load-of-others --without planted-slow-down'

# expect CODE VERB OPTION…: runs it on the program; its words are in $scratch/out and $scratch/err.
expect() {
  expected=$1
  shift
  code=0
  "$arbor" -C "$program" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || code=$?
  [ "$code" = "$expected" ] || fail "exit $code instead of $expected of: arbor $*"
}

says() {
  grep -qF -e "$1" "$scratch/out" "$scratch/err" || fail "nothing says '$1'"
}

# change NAME SED-EXPRESSION FILE: a patch in $scratch/NAME.patch.
change() {
  sed -i -e "$2" "$program/$3"
  git -C "$program" diff >"$scratch/$1.patch"
  git -C "$program" checkout -q .
  [ -s "$scratch/$1.patch" ] || fail "the edit '$1' changes nothing"
}

# verdict NAME CODE WORDS: what 'arbor try' makes of that patch.
verdict() {
  # shellcheck disable=SC2086 # several options
  expect "$2" try --patch "$scratch/$1.patch" $quiet_options
  says "$3"
}

# What this machine lacks skips the test.
"$arbor" -C "$program" doctor >"$scratch/out" 2>&1 || {
  echo "skipped: $(cat "$scratch/out")"
  exit 77
}

# Nothing of a campaign outlives it.
expect_nothing_left() {
  left=$(printf '%s' "$scratch" | grep -lsFf - /proc/[0-9]*/cmdline || true)
  [ -z "$left" ] || fail "processes are left: $left"
  ! grep -qF "$scratch" /proc/mounts || fail "mounts are left: $(grep -F "$scratch" /proc/mounts)"
}
