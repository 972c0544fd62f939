#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Campaigns of real but ineffective changes: nothing may be kept.
#   bench/placebos.sh [CAMPAIGNS] [BUDGET]
source "$(dirname "$0")/program.sh"
campaigns=${1:-5} budget=${2:-4m}
file=$results/placebos.jsonl
for seed in $(seq 1 "$campaigns"); do
  key=placebo-$seed-$budget
  done_already "$file" "$key" && continue
  program=$results/programs/$key
  fresh_program "$program"
  status=0
  "$arbor" -C "$program" run --only placebo --seed "$seed" --budget "$budget" >/dev/null || status=$?
  "$arbor" -C "$program" report --json |
    jq -c --arg commit "$commit" --arg key "$key" --argjson status "$status" \
      '{commit: $commit, key: $key, status: $status, trials, noise,
        reached_pairs: [.tried[] | select(.pairs > 0)] | length}' >>"$file"
done
jq -s --arg commit "$commit" 'map(select(.commit == $commit)) |
  {commit: $commit, campaigns: length, trials: (map(.trials.total) | add),
   reached_pairs: (map(.reached_pairs) | add), kept: (map(.trials.kept) | add),
   noise: map(.noise.s_aa), statuses: map(.status)}' "$file"
