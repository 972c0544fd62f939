// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace arbor::layout {

struct SourceFile {
  std::string path;  // from the root, with forward slashes
  std::string text;
};

// Everything the rules look at: sources, build files, scripts and documents; nothing that was
// built.
struct SourceTree {
  std::vector<SourceFile> files;   // sorted by path
  std::vector<std::string> rooms;  // top to bottom, as CMakeLists.txt lists them
};

SourceTree read_tree(const std::filesystem::path& root);

// The rooms named in arbor_rooms(...), in order; empty when there is no such line.
std::vector<std::string> rooms_of(std::string_view cmake_lists);

// The text with comments, strings and character literals blanked; line ends stay where they are.
std::string without_comments_and_literals(std::string_view text);

struct Function {
  int first_line = 0;  // of the opening brace
  int lines = 0;       // from the opening to the closing brace, both counted
};

// The bodies outside other functions: a lambda counts to the function that holds it.
std::vector<Function> functions_of(std::string_view text);

}  // namespace arbor::layout
