#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program that is its source: nothing is compiled, and the file that the bench names is it.
. "$(dirname "$0")/setting.sh"

cat >"$program/count.py" <<'PYTHON'
# Counts the primes below a limit; its metric is the divisions it makes.
divisions = 0
primes = []
for number in range(2, 1500):
    for divisor in range(2, number):
        divisions += 1
        if number % divisor == 0:
            break
    else:
        primes.append(number)
print(len(primes), sum(primes))
print("divisions:", divisions)
PYTHON
cat >"$program/arbor.toml" <<'TOML'
schema = 1
[program]
name = "count"
[build]
command = "true"
[check]
command = "python3 count.py | head -1 | diff - golden.txt && cat golden.txt"
outputs = [{ file = "-" }]
[bench]
command = "python3 count.py"
inner = true
metric = { name = "divisions", goal = "min", reader = { regex = 'divisions: (\d+)' } }
TOML
(cd "$program" && python3 count.py | head -1 >golden.txt)
commit_all script

change faster 's/for divisor in range(2, number)/for divisor in primes/' count.py
change wrong 's/range(2, 1500)/range(2, 1400)/' count.py
change golden 's/239/240/' golden.txt

verdict faster 0 kept
verdict wrong 1 wrong-output
verdict golden 1 'belongs to the judge'
expect_nothing_left
