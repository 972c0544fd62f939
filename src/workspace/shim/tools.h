// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workspace/shim/shim.h"

// What a name in PATH means: which driver, which binutil, which launcher, of which family.
// Linked into the shim itself: standard library only.
namespace arbor::workspace {

enum class ToolClass {
  kCDriver,
  kCxxDriver,
  kCrossDriver,  // for another machine: recorded, left as it is
  kArchiver,     // ar, ranlib, nm and their gcc- and llvm- forms
  kLinker,       // ld itself
  kLauncher,     // ccache, sccache, distcc, icecc
  kOther
};
enum class CompilerFamily { kGcc, kClang };

ToolClass class_of_tool(std::string_view name);        // a file name without folder
CompilerFamily family_of_tool(std::string_view name);  // of the real file, links followed
bool is_host_triplet(std::string_view triplet);        // "x86_64-linux-gnu" on x86-64 Linux
std::string version_suffix_of(std::string_view name);  // "clang++-19" → "-19", else ""

// The driver to run for a tool and the language mode that its name implied ("c99" → -std=c99).
struct Driver {
  std::string name;
  std::vector<std::string> extra;
};
Driver driver_for(std::string_view tool, const ShimPlan& plan);

bool is_lto_flag(std::string_view flag);
bool uses_lto(const ShimPlan& plan);
// The names to try in order for an archiver, so that archives of LTO objects get their index.
// holds_bitcode: an input is LLVM bitcode.
std::vector<std::string> archivers_for(std::string_view tool, const ShimPlan& plan,
                                       bool holds_bitcode);

}  // namespace arbor::workspace
