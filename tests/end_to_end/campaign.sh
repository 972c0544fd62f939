#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A campaign from its first verdict to the merge: killed, resumed, reported, exported, verified.
. "$(dirname "$0")/setting.sh"
before=$(git -C "$program" rev-parse HEAD)

# Killed as soon as it has said its first verdict; a pipe tells when, not a clock.
mkfifo "$scratch/story"
# shellcheck disable=SC2086
"$arbor" -C "$program" run --only program.knobs --budget 10m $quiet_options \
  >"$scratch/out" 2>"$scratch/story" </dev/null &
controller=$!
: >"$scratch/err"
while read -r line; do
  echo "$line" >>"$scratch/err"
  case $line in
    *kept*n1*) kill -KILL "$controller" && break ;;
  esac
done <"$scratch/story"
code=0
wait "$controller" 2>/dev/null || code=$?
[ "$code" = 137 ] || fail "it ended by itself with $code"

expect 2 run --only program.knobs --budget 1m
says 'arbor resume'
expect 0 resume
says n2
expect_nothing_left
expect 2 resume

expect 0 report --json
says '"schema": "arbor.report/1"'
python3 - "$scratch/out" <<'PYTHON' || fail "the report is not what was done"
import json, sys
report = json.load(open(sys.argv[1]))
nodes = [trial["node"] for trial in report["tried"]]
assert len(nodes) == len(set(nodes)) == report["trials"]["total"], nodes
assert [kept["action"] for kept in report["kept"]][0].startswith("Run with block = "), report["kept"]
speedup = report["speedup"]
assert 1 < speedup["low"] <= speedup["estimate"] <= speedup["high"], speedup
PYTHON
for verb in status tree log 'show n1' 'why n1' 'diff n1'; do
  # shellcheck disable=SC2086
  expect 0 $verb
done

expect 0 export
expect 0 export --to handover --force
[ -f "$program/handover/README" ] || fail "--to is not taken from -C"
rm -r "$program/handover"
expect 0 verify --json
says '"check": "passed"'
says '"overlaps": true'

[ -z "$(git -C "$program" status --porcelain)" ] || fail "the checkout changed"
[ "$(git -C "$program" rev-parse HEAD)" = "$before" ] || fail "HEAD moved"
expect_nothing_left

# A campaign that is over makes room for the next one; one that finds nothing says so.
# shellcheck disable=SC2086
expect 3 run --only compiler.lto --budget 5m $quiet_options
[ -f "$program/.arbor/archive/1/campaign.db" ] || fail "the first campaign is gone"

# Who else builds and measures here is told, and waits for nobody.
code=0
flock "$program/.arbor/in-use" "$arbor" -C "$program" try --knob block=16 \
  >"$scratch/out" 2>"$scratch/err" </dev/null || code=$?
[ "$code" = 1 ] || fail "exit $code of a try while another one has the program"
says 'is being built and measured'

# A baseline at fault is told and stands in nobody's way.
printf '#error no\n' >>"$program/search.c"
commit_all broken
# shellcheck disable=SC2086
expect 2 run --only program.knobs --budget 5m $quiet_options
says 'does not build'
# … and takes nothing away: neither does a run that cannot begin.
expect 2 run --only program.knobs --budget 99999999999h
says 'at most 365d'
expect 0 report
[ ! -e "$program/.arbor/archive/2" ] || fail "the campaign before was put away for nothing"
git -C "$program" reset -q --hard HEAD~1
printf 'rm found.txt\n' >>"$program/check.sh"
commit_all failing
# shellcheck disable=SC2086
expect 4 run --only program.knobs --budget 5m $quiet_options
says 'fails its own check'
expect_nothing_left
