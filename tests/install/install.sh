#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs a build tree as `make install DESTDIR=…` does and uses what lies there: the program, its
# shim and witness (a real build goes through them), the manual page, the completions.
# Usage: install.sh BUILD_FOLDER
set -eu
build=$1
destination=$(mktemp -d)
trap 'rm -rf "$destination"' EXIT
prefix=$destination/opt/arbor

DESTDIR=$destination cmake --install "$build" --prefix /opt/arbor >/dev/null
for file in bin/arbor libexec/arbor/arbor-shim libexec/arbor/arbor-analyzer \
  libexec/arbor/libarbor_witness.so libexec/arbor/arbor_profile_dump.o share/man/man1/arbor.1 \
  share/bash-completion/completions/arbor share/zsh/site-functions/_arbor \
  share/fish/vendor_completions.d/arbor.fish; do
  test -s "$prefix/$file" || { echo "not installed: $file"; exit 1; }
done
grep -q '^\.SS arbor export' "$prefix/share/man/man1/arbor.1"
bash -c '. "$1" && COMP_WORDS=(arbor exp) COMP_CWORD=1 && _arbor && test "${COMPREPLY[*]}" = export' \
  - "$prefix/share/bash-completion/completions/arbor" || { echo "bash completes nothing"; exit 1; }

# Whatever else this machine lacks, the shim that doctor finds must be the installed one.
"$prefix/bin/arbor" doctor --json -C "$destination" >"$destination/doctor.json" 2>/dev/null || true
grep -q "\"$prefix/libexec/arbor/arbor-shim\"" "$destination/doctor.json" ||
  { echo "the installed arbor does not find its shim:"; cat "$destination/doctor.json"; exit 1; }

program=$destination/program
mkdir "$program"
cd "$program"
printf 'all: app\napp: main.c\n\tcc -o app main.c\ncheck: app\n\t./app\nbench: app\n\t./app\n' >Makefile
echo 'int main(void) { return 0; }' >main.c
git init -q .
git add -A
git -c user.name=a -c user.email=a@localhost commit -qm first
"$prefix/bin/arbor" init --yes || { code=$?; test $code = 6 && exit 77; exit $code; }
