#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One campaign, killed with SIGKILL at random moments and resumed each time: it must finish, lose or
# repeat no decided trial, and leave nothing behind.
#   bench/killed.sh [KILLS] [BUDGET] [SEED]
source "$(dirname "$0")/program.sh"
kills=${1:-10} budget=${2:-5m} seed=${3:-1}
file=$results/killed.jsonl
program=$results/programs/killed
fresh_program "$program"
RANDOM=$seed
verb="run --seed $seed --budget $budget"
decided=0 lost=0
trials() { "$arbor" -C "$program" report --json 2>/dev/null | jq '.trials.total // 0' || echo 0; }
for kill in $(seq 1 "$kills"); do
  # shellcheck disable=SC2086
  "$arbor" -C "$program" $verb &
  pid=$!
  sleep "$((5 + RANDOM % 60)).$((RANDOM % 10))"
  kill -9 "$pid" 2>/dev/null || break
  wait "$pid" 2>/dev/null || true
  if [ -f "$program/.arbor/campaign.db" ] && "$arbor" -C "$program" log >/dev/null 2>&1; then
    verb=resume
    now=$(trials)
    if [ "$now" -lt "$decided" ]; then lost=$((lost + 1)); fi
    decided=$now
  fi
  echo "killed $kill of $kills: $decided trials decided"
done
status=0
# shellcheck disable=SC2086
"$arbor" -C "$program" $verb || status=$?
repeated=$("$arbor" -C "$program" log --json 2>/dev/null |
  jq -s '[.[] | select(.type == "trial_ended") | .body.trial] | length - (unique | length)' || echo null)
left=$(leftovers "$program")
"$arbor" -C "$program" report --json |
  jq -c --arg commit "$commit" --arg key "killed-$seed" --argjson status "$status" \
    --argjson kills "$kills" --argjson lost "$lost" --argjson repeated "${repeated:-null}" \
    --argjson left "$left" \
    '{commit: $commit, key: $key, kills: $kills, status: $status, lost: $lost, repeated: $repeated,
      left_behind: $left, trials, speedup}' | tee -a "$file"
