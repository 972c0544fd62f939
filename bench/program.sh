# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts beside it: a copy of the bundled program to measure on, and where results
# go. Each result is a line of JSON with the commit it was measured at, so that a script that was
# cut off goes on where it stopped.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
arbor=${ARBOR:-$root/build/release/arbor}
results=${ARBOR_BENCH_RESULTS:-$root/build/bench}
commit=$(git -C "$root" rev-parse --short HEAD)
mkdir -p "$results"
if [ ! -x "$arbor" ]; then
  echo "$0: no '$arbor'; 'make build' makes it" >&2
  exit 2
fi

# fresh_program FOLDER: examples/llm_serving as a git repository of its own.
fresh_program() {
  rm -rf "$1"
  mkdir -p "$1"
  cp -R "$root/examples/llm_serving/." "$1"
  (cd "$1" && rm -rf bin build .arbor && git init -q && git add -A &&
    git -c user.name=arbor -c user.email=arbor@localhost commit -q -m "the program as shipped")
}

# done_already FILE KEY: whether a line for this commit and key is there.
done_already() { [ -f "$1" ] && grep -q "\"commit\":\"$commit\",\"key\":\"$2\"" "$1"; }

# What a campaign must not leave: processes, mounts, control groups, temporary files.
leftovers() {
  local folder=$1
  {
    pgrep -fa "$folder" | grep -v "$0" || true
    grep -F "$folder" /proc/mounts || true
    find /sys/fs/cgroup -type d -name 'arbor*' 2>/dev/null || true
    find "$folder/.arbor/tmp" "$folder/.arbor/scratch" -mindepth 1 -maxdepth 1 2>/dev/null || true
  } | wc -l
}
