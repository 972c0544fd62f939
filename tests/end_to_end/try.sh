#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The gate's verdict and exit code on a change of each kind that a user may bring.
. "$(dirname "$0")/setting.sh"

change faster 's/: 1));/: 16));/' search.c
change slower 's/at += step;/at += is_before(0, 1) ? step : 0;/' search.c
change wrong 's/++at;$/at += 2;/' search.c
change nothing 's/^\/\/ Jumps/\/\/ Leaps/' search.c
change broken 's/return at;/return at/' search.c
change crashing 's/^  fclose(found);/  fclose(found); abort();/' search.c
change check 's/= 2000/= 2000 || true/' check.sh

verdict faster 0 kept
verdict slower 3 reverted
verdict wrong 1 wrong-output
verdict nothing 3 not-applied
verdict broken 1 build-failed
verdict crashing 1 crashed
verdict check 1 check.sh

# shellcheck disable=SC2086
expect 0 try --knob block=16 $quiet_options
says kept
# shellcheck disable=SC2086
expect 2 try --patch "$scratch/absent.patch" $quiet_options
says absent.patch

code=0
"$arbor" list >/dev/full 2>"$scratch/err" || code=$?
[ "$code" = 1 ] || fail "a full disk under standard output gives exit $code"
says 'could not be written'

[ -z "$(git -C "$program" status --porcelain)" ] || fail "the checkout changed"
expect_nothing_left
