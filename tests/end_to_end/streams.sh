#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A log that cannot be written ends nothing: the disk under it is full, it is closed, nobody reads.
. "$(dirname "$0")/setting.sh"

# ended CODE WORDS: what the last command line was, and how it must have ended.
ended() {
  [ "$code" = "$1" ] || fail "exit $code instead of $1 of: arbor $2"
}

code=0
# shellcheck disable=SC2086
"$arbor" -C "$program" run --only program.knobs --trials 1 --budget 5m $quiet_options \
  >"$scratch/out" 2>/dev/full </dev/null || code=$?
[ "$code" = 0 ] || [ "$code" = 3 ] || fail "exit $code of: arbor run 2>/dev/full"
grep -q '^# ' "$scratch/out" || fail "the campaign told no end"
[ -f "$program/.arbor/report/report.md" ] || fail "no report was kept"

code=0
# shellcheck disable=SC2086
"$arbor" -C "$program" try --knob block=16 $quiet_options >"$scratch/out" 2>&- </dev/null || code=$?
ended 0 'try 2>&-'
says kept

# Its first line is read, then nobody reads any more.
mkfifo "$scratch/story"
# shellcheck disable=SC2086
"$arbor" -C "$program" try --knob block=16 $quiet_options >"$scratch/story" 2>&1 </dev/null &
controller=$!
head -1 "$scratch/story" >"$scratch/out"
code=0
wait "$controller" || code=$?
ended 0 'try 2>&1 | head -1'

# A verb that only reads, and data that is lost.
for closed in '2>&-' '2>/dev/full' '2>&- <&-'; do
  code=0
  eval '"$arbor" -C "$program" status >"$scratch/out" '"$closed" || code=$?
  ended 0 "status $closed"
  [ -s "$scratch/out" ] || fail "status $closed says nothing"
done
for lost in '>/dev/full' '>&-'; do
  for verb in --help 'run --help' status 'list --json'; do
    code=0
    eval '"$arbor" -C "$program" $verb 2>"$scratch/err" '"$lost" || code=$?
    ended 1 "$verb $lost"
    says 'standard output could not be written'
  done
done
expect_nothing_left
