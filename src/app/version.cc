// SPDX-License-Identifier: Apache-2.0
#include "app/version.h"

#ifndef ARBOR_VERSION
#define ARBOR_VERSION "0"
#endif
#ifndef ARBOR_COMMIT
#define ARBOR_COMMIT ""
#endif

namespace arbor::app {

BuildFacts build_facts() {
#ifdef NDEBUG
  const char* const build_type = "release";
#else
  const char* const build_type = "with assertions";
#endif
#ifdef __clang__
  const char* const compiler = "clang " __clang_version__;
#else
  const char* const compiler = "g++ " __VERSION__;
#endif
  return {ARBOR_VERSION, ARBOR_COMMIT, compiler, build_type};
}

}  // namespace arbor::app
