/* SPDX-License-Identifier: Apache-2.0 */
/* Linked by the shim into everything that an instrumented build links: when a signal is about to
   end the process, the profile is written first. A handler that the program installs later
   replaces ours, as it should: a program that ends by itself writes its profile on the way out.
   Each shared library has its own counters and so its own copy of this; the copies call each
   other through the handler that each found in place. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whichever compiler built the program provides one of the two. */
extern void __gcov_dump(void) __attribute__((weak));
extern int __llvm_profile_write_file(void) __attribute__((weak));

enum { kSignals = 4, kPatience = 20 };
static const int kWatched[kSignals] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
static struct sigaction previous[kSignals];

static void dump(void) {
  if (__gcov_dump != NULL) __gcov_dump();
  if (__llvm_profile_write_file != NULL) __llvm_profile_write_file();
}

static void dump_and_pass_on(int number, siginfo_t* info, void* context) {
  /* Writing a profile allocates. Where the signal met the allocator at work that never ends, and
     the alarm ends the process instead. */
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  sigaction(SIGALRM, &standard, NULL);
  alarm(kPatience);
  dump();
  alarm(0);
  for (int i = 0; i < kSignals; ++i) {
    if (kWatched[i] != number) continue;
    if ((previous[i].sa_flags & SA_SIGINFO) != 0) {
      previous[i].sa_sigaction(number, info, context);
      return;
    }
    if (previous[i].sa_handler != SIG_DFL && previous[i].sa_handler != SIG_IGN) {
      previous[i].sa_handler(number);
      return;
    }
  }
  sigaction(number, &standard, NULL);
  raise(number);
}

__attribute__((constructor)) static void install(void) {
  for (int i = 0; i < kSignals; ++i) {
    struct sigaction ours;
    if (sigaction(kWatched[i], NULL, &previous[i]) != 0) continue;
    if ((previous[i].sa_flags & SA_SIGINFO) == 0 && previous[i].sa_handler == SIG_IGN) continue;
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = dump_and_pass_on;
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(kWatched[i], &ours, NULL);
  }
  at_quick_exit(dump);
}
