// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workspace/shim/command_line.h"
#include "workspace/shim/shim.h"
#include "workspace/shim/tools.h"

// The shim's whole decision for one call of a compiler driver, as a pure function.
// Linked into the shim itself: standard library only.
namespace arbor::workspace {

struct DriverCall {
  std::vector<std::string> argv;
  std::filesystem::path cwd;
  std::string compiler;            // the real driver, put in place of argv[0]
  std::vector<std::string> extra;  // first arguments that the called name stood for
  CompilerFamily family = CompilerFamily::kGcc;
  std::filesystem::path scratch_folder;  // for the objects of a command that must be split
};

struct Step {
  std::vector<std::string> argv;
  CompileCommand::Kind kind = CompileCommand::Kind::kOther;
  std::vector<std::string> sources;  // as the program wrote them
  std::vector<std::string> outputs;
  bool operator==(const Step&) const = default;
};

// More than one step only where a single command cannot carry the flags; run in order, the first
// failure ends the call. Then the scratch folder is used, made before and removed after.
struct Rewriting {
  std::vector<Step> steps;
  bool uses_scratch = false;
};
Rewriting rewrite(const DriverCall& call, const ShimPlan& plan, const FileReader& reader);

}  // namespace arbor::workspace
