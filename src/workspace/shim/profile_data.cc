// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/subprocess.h"
#include "workspace/shim/shim.h"
#include "workspace/shim/tools.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;

base::Result<std::vector<std::string>> files_ending(const fs::path& folder,
                                                    std::string_view suffix) {
  std::vector<std::string> files;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end;
       it.increment(failed)) {
    std::error_code ignored;
    const bool is_wanted = it->is_regular_file(ignored) && it->file_size(ignored) > 0 &&
                           it->path().native().ends_with(suffix);
    if (is_wanted && !it->is_symlink(ignored)) files.push_back(it->path().string());
  }
  if (failed)
    return base::fail(base::ErrorKind::kIo, fmt::format("cannot read the profile folder '{}': {}",
                                                        folder.string(), failed.message()));
  std::ranges::sort(files);
  return files;
}

// The profile's format changes with the compiler's version, so its own tool comes first.
base::Result<base::ToolOutput> run_profdata(std::string_view compiler,
                                            std::vector<std::string> arguments) {
  std::vector<std::string> names = {"llvm-profdata" + version_suffix_of(compiler)};
  if (names[0] != "llvm-profdata") names.emplace_back("llvm-profdata");
  base::Error last;
  for (const auto& name : names) {
    base::ToolCall call;
    call.argv = {name};
    call.argv.insert(call.argv.end(), arguments.begin(), arguments.end());
    auto output = base::run_tool(call);
    if (output || output.error().kind != base::ErrorKind::kNotFound) return output;
    last = output.error();
  }
  return base::fail(base::ErrorKind::kUnsupported,
                    last.message + "; install the llvm package of the compiler's version");
}

}  // namespace

base::Result<bool> finish_profile(const fs::path& profile_folder, std::string_view compiler) {
  ARBOR_TRY(const auto counts, files_ending(profile_folder, ".gcda"));
  ARBOR_TRY(const auto raw, files_ending(profile_folder, ".profraw"));
  if (raw.empty()) return !counts.empty();
  const std::string merged = (profile_folder / "default.profdata").string();
  std::vector<std::string> arguments = {"merge", "-failure-mode=all", "-o", merged};
  arguments.insert(arguments.end(), raw.begin(), raw.end());
  ARBOR_TRY(const auto output, run_profdata(compiler, arguments));
  if (output.exit_code == 0) return true;
  std::error_code ignored;
  fs::remove(merged, ignored);
  return !counts.empty();  // torn raw profiles only: the program was killed while it wrote
}

}  // namespace arbor::workspace
