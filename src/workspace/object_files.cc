// SPDX-License-Identifier: Apache-2.0
#include "workspace/object_files.h"

#include <algorithm>

namespace arbor::workspace {
namespace fs = std::filesystem;

std::vector<ObjectFile> object_files(const std::vector<CompileCommand>& commands,
                                     const fs::path& tree_path) {
  std::vector<ObjectFile> files;
  for (const auto& command : commands) {
    const bool is_one = command.sources.size() == 1 && command.outputs.size() == 1;
    if (command.kind != CompileCommand::Kind::kCompile || command.exit_code != 0 || !is_one)
      continue;
    const fs::path directory = command.directory.lexically_relative(tree_path);
    const bool is_inside = fs::path(command.sources[0]).is_relative() && !directory.empty() &&
                           *directory.begin() != "..";
    if (!is_inside) continue;
    const fs::path output = tree_path / command.outputs[0];
    const bool is_absolute = std::ranges::any_of(
        command.original_argv, [&](const auto& word) { return word.ends_with(output.string()); });
    ObjectFile file{
        command.sources[0],
        is_absolute ? output.string() : output.lexically_relative(command.directory).string(),
        directory.string()};
    if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace arbor::workspace
