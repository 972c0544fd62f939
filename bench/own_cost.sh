#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What Arbor itself costs during a campaign: its share of the CPU (of one, wall time; the program's
# builds and launches are not Arbor's), its peak memory, and how long the shortest verb takes.
#   bench/own_cost.sh [BUDGET]
source "$(dirname "$0")/program.sh"
budget=${1:-3m}
program=$results/programs/own_cost
fresh_program "$program"
start=$(date +%s.%N)
"$arbor" -C "$program" run --budget "$budget" >/dev/null &
pid=$!
ticks=0 peak=0
while [ -r "/proc/$pid/stat" ]; do
  read -r used < <(awk '{print $14 + $15}' "/proc/$pid/stat" 2>/dev/null || echo "$ticks")
  read -r high < <(awk '/VmHWM/{print $2}' "/proc/$pid/status" 2>/dev/null || echo "$peak")
  ticks=${used:-$ticks} peak=${high:-$peak}
  sleep 0.5
done
wait "$pid" || true
end=$(date +%s.%N)
runs=50
began=$(date +%s.%N)
for _ in $(seq $runs); do "$arbor" version >/dev/null; done
ended=$(date +%s.%N)
jq -nc --arg commit "$commit" --argjson ticks "$ticks" --argjson hz "$(getconf CLK_TCK)" \
  --argjson wall "$(echo "$end - $start" | bc)" --argjson kib "$peak" \
  --argjson version_s "$(echo "($ended - $began) / $runs" | bc -l | sed 's/^\./0./')" \
  '{commit: $commit, key: "own_cost", wall_s: $wall, cpu_s: ($ticks / $hz),
    cpu_share: ($ticks / $hz / $wall), peak_mib: ($kib / 1024),
    version_ms: ($version_s * 1000)}' | tee -a "$results/own_cost.jsonl"
