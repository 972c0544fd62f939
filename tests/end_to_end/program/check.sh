#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
./search 7 && test "$(wc -l <found.txt)" = 2000
