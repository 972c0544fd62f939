// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

// `arbor init`: what a program's folder says about how it is built, checked and measured. Files are
// read, nothing is executed; what they leave open is guessed from a build in the sandbox
// (propose.h), and whether the commands work is tried there afterwards.
namespace arbor::app {

struct FoundCommand {
  std::string command;  // for sh in the program's root; empty = not found, to be asked for
  std::string reason;   // "target 'check' of Makefile"
  std::vector<std::string> notes = {};  // what the user should know of it, a line each
  bool operator==(const FoundCommand&) const = default;
};

struct InitFindings {
  std::string program_name;
  std::string build_system;  // "CMake", "Make", "a script"; empty = none recognised
  FoundCommand build;
  FoundCommand check;
  FoundCommand bench;
  std::vector<std::string> executables;    // what the build seems to make, from the root
  std::vector<std::string> targets;        // of the Makefile, where the user may have to name one
  std::vector<std::string> sources;        // globs for [edit] allow; never empty
  std::vector<std::string> check_harness;  // globs of the judge's files
  std::vector<std::string> bench_harness;
  // The check's standard output is compared with the original's, its numbers to this tolerance.
  std::optional<double> stdout_rtol;
  bool operator==(const InitFindings&) const = default;
};

// kNotFound when root is no folder.
base::Result<InitFindings> inspect_program(const std::filesystem::path& root);

// Sets a command that is still missing.
void fill(FoundCommand& found, std::string command, std::string reason);

// arbor.toml with every section explained. Commands that were not found are left empty under a
// comment: parse_manifest refuses such a file and says what to write.
std::string commented_manifest(const InitFindings& findings);

}  // namespace arbor::app
