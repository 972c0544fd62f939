// SPDX-License-Identifier: Apache-2.0
// Looks numbers up in a sorted table and writes where they are. Its metric is the comparisons it
// needs, which no other process on the machine can change.
#include <stdio.h>
#include <stdlib.h>

enum { kSize = 256, kQueries = 2000 };
static int table[kSize];
static long comparisons;

static int is_before(int a, int b) {
  ++comparisons;
  return a < b;
}

// Jumps in steps of `step` and then looks one by one.
static int position(int wanted, int step) {
  int at = 0;
  while (at + step < kSize && !is_before(wanted, table[at + step])) at += step;
  while (at < kSize && is_before(table[at], wanted)) ++at;
  return at;
}

int main(int argc, char** argv) {
  const char* step = getenv("STEP");
  FILE* found = fopen("found.txt", "w");
  unsigned random = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  if (found == NULL) return 1;
  for (int i = 0; i < kSize; ++i) table[i] = 3 * i;
  for (int i = 0; i < kQueries; ++i) {
    random = random * 1664525u + 1013904223u;
    fprintf(found, "%d\n", position((int)(random >> 8) % (3 * kSize), step ? atoi(step) : 1));
  }
  fclose(found);
  printf("comparisons: %ld\n", comparisons);
  return 0;
}
