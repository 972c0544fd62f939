#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make demo`: installs what is missing, builds Arbor and lets it optimise the bundled serving
# program for a few minutes, with no language model and no key. The program is a git repository of
# its own under build/demo, so the clone is left as it was.
#   ARBOR_DEMO_BUDGET   how long the campaign may take (345s)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
budget=${ARBOR_DEMO_BUDGET:-345s}

make --no-print-directory build
arbor=$PWD/build/release/arbor
if [ ! -x "$arbor" ]; then
  echo "demo: the build made no $arbor; its messages above say why" >&2
  exit 1
fi

program=$PWD/build/demo/llm_serving
rm -rf "$program"
mkdir -p "$program"
git ls-files -z --cached --others --exclude-standard -- examples/llm_serving |
  tar --null --files-from=- -cf - | tar -xf - -C "$program" --strip-components=2
git -C "$program" init -q
git -C "$program" add -A
git -C "$program" -c user.name=arbor -c user.email=arbor@localhost commit -q -m "the program as shipped"

echo "demo: a campaign of $budget on $program"
status=0
(cd "$program" && "$arbor" run --budget "$budget") || status=$?
# 3: the budget ended without an improvement, which is a result too.
if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then exit "$status"; fi
report=$program/.arbor/report/report.md
[ -f "$report" ] && echo "demo: the report is $report"
exit 0
