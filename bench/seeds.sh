#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Campaigns on the bundled program with different seeds: how far apart are the final estimates?
#   bench/seeds.sh [CAMPAIGNS] [BUDGET]
source "$(dirname "$0")/program.sh"
campaigns=${1:-5} budget=${2:-5m}
file=$results/seeds.jsonl
for seed in $(seq 1 "$campaigns"); do
  key=seed-$seed-$budget
  done_already "$file" "$key" && continue
  program=$results/programs/$key
  fresh_program "$program"
  "$arbor" -C "$program" run --seed "$seed" --budget "$budget" >/dev/null || true
  "$arbor" -C "$program" report --json |
    jq -c --arg commit "$commit" --arg key "$key" \
      '{commit: $commit, key: $key, speedup, trials, kept: [.kept[] | {layer, action}]}' >>"$file"
done
jq -s --arg commit "$commit" 'map(select(.commit == $commit) | .speedup.estimate) |
  {commit: $commit, campaigns: length, lowest: min, highest: max,
   spread: (if length > 0 then (max / min - 1) else null end)}' "$file"
