// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "domain/change.h"
#include "ports/sandbox/sandbox.h"

// The compiler shim: a folder of cc, c++, gcc, clang, ar, ... first in the PATH of every build.
// Each of them is one program that reads the plan when it is executed, runs the real tool with the
// recipe's flags and records what it ran. The paths inside the sandbox are the same for every
// recipe, so that nothing which hashes or stores the compiler's path can tell recipes apart.
// docs/formats/shim.md describes the plan and the record.
namespace arbor::workspace {

inline constexpr std::string_view kShimFolder = "/run/arbor/shim/bin";
inline constexpr std::string_view kShimPlanFile = "/run/arbor/shim/plan";
inline constexpr std::string_view kRecordFolder = "/run/arbor/record";
inline constexpr std::string_view kRecordFile = "/run/arbor/record/commands.jsonl";
inline constexpr std::string_view kProfileFolder = "/run/arbor/profile";
inline constexpr std::string_view kCcacheFolder = "/run/arbor/ccache";
inline constexpr std::string_view kTrunkCcacheFolder = "/run/arbor/ccache-trunk";
inline constexpr std::string_view kDefaultSearchPath =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

// What the shim does to each compile and link.
struct ShimPlan {
  enum class Pgo { kNone, kGenerate, kUse };
  std::vector<domain::CompilerFlags> flags;  // in the recipe's order; a later one wins
  std::optional<domain::CompilerChoice> compiler;
  Pgo pgo = Pgo::kNone;
  bool wants_debug_info = false;    // the profile build: -g and frame pointers added
  bool uses_ccache = false;         // ccache is called below the shim, where it sees the flags
  std::filesystem::path tree_path;  // the repository's path inside, to match per-file flags
  bool operator==(const ShimPlan&) const = default;
};

struct ShimPlanOptions {
  std::filesystem::path tree_path;
  bool wants_debug_info = false;
  bool uses_ccache = false;
};

// A profile-guided recipe without recorded data is a plan to generate it, with data one to use it.
ShimPlan plan_of(const domain::Recipe& recipe, const ShimPlanOptions& options);
std::string plan_text(const ShimPlan& plan);
base::Result<ShimPlan> parse_plan(std::string_view text);  // kCorrupt names the line

// Fills host_folder (created, else emptied of old links) with the shim, the object that
// instrumented links get (both from the folder of shim_binary) and a link for each compiler,
// binutil and launcher that search_path holds. Absent tools get none: a configure script that
// looks for clang must not find one that is not there.
base::Result<void> make_shim_folder(const std::filesystem::path& host_folder,
                                    const std::filesystem::path& shim_binary,
                                    std::string_view search_path = kDefaultSearchPath);

// Host paths of what a build sees; an empty path is not mounted.
struct ShimFolders {
  std::filesystem::path shim_folder;     // of make_shim_folder; read-only
  std::filesystem::path plan_file;       // holds plan_text; read-only
  std::filesystem::path record_folder;   // gets commands.jsonl and the witnesses; writable
  std::filesystem::path profile_folder;  // profile data; writable while it is generated
  bool is_profile_writable = false;
  std::filesystem::path ccache_folder;        // this candidate's own layer; writable
  std::filesystem::path trunk_ccache_folder;  // shared: read-only but for builds of the trunk
  bool is_trunk_ccache_writable = false;
};

// The folders are created where missing by no one: the caller makes them.
std::vector<ports::Mount> shim_mounts(const ShimFolders& folders);
// PATH with the shim in front of search_path, the switches of compiler caches above the shim,
// ccache's folders below it and a fixed SOURCE_DATE_EPOCH.
std::map<std::string, std::string> shim_environment(
    const ShimFolders& folders, std::string_view search_path = kDefaultSearchPath);

// One command that the shim ran. A command with several sources that need different flags is run
// as several, each recorded with the same original_argv.
struct CompileCommand {
  enum class Kind { kCompile, kLink, kCompileAndLink, kProbe, kOther };
  std::filesystem::path directory;
  std::vector<std::string> original_argv;
  std::vector<std::string> final_argv;
  std::string tool;  // the name it was called by: "cc", "ar"
  Kind kind = Kind::kOther;
  std::vector<std::string> sources;  // from the repository's root where inside, absolute elsewhere
  std::vector<std::string> outputs;  // likewise
  int exit_code = 0;                 // 128 + signal when killed
  double wall_s = 0;
  bool operator==(const CompileCommand&) const = default;
};

// The lines of commands.jsonl. The build could write to that file too: kCorrupt names a bad line.
base::Result<std::vector<CompileCommand>> parse_commands(std::string_view jsonl,
                                                         const std::filesystem::path& tree_path);

// Compilers called by absolute path do not pass the shim. changed_files: what the build wrote, from
// the repository's root. True when something compiled was written and no driver was recorded, or
// when a linker was called by a driver that passed the shim by.
bool has_unrecorded_compiles(const std::vector<CompileCommand>& commands,
                             const std::vector<std::string>& changed_files);
// The object files among changed_files that no recorded command names as its output.
std::vector<std::string> unrecorded_objects(const std::vector<CompileCommand>& commands,
                                            const std::vector<std::string>& changed_files);

// After the training run: merges clang's raw profiles (gcc's need nothing). False: the profile is
// empty, nothing was recorded, and the recipe counts as not applied. compiler: the C++ compiler
// that built the program ("clang++-19"; empty = the machine's default), whose llvm-profdata fits.
base::Result<bool> finish_profile(const std::filesystem::path& profile_folder,
                                  std::string_view compiler);

}  // namespace arbor::workspace
