// SPDX-License-Identifier: Apache-2.0
#include "rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <regex>
#include <set>
#include <string_view>

namespace arbor::layout {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxLines = 600;
constexpr int kMaxTestLines = 1000;
constexpr int kMaxHeaderLines = 150;
constexpr int kMaxFunctionLines = 70;

bool is_source(std::string_view path) { return path.ends_with(".cc") || path.ends_with(".h"); }
bool is_header(std::string_view path) { return path.ends_with(".h"); }
bool is_test(std::string_view path) {
  return path.ends_with("_test.cc") || path.starts_with("tests/");
}

std::vector<std::string> components(std::string_view path) {
  std::vector<std::string> parts;
  for (const auto& part : fs::path(path)) parts.push_back(part.string());
  return parts;
}

// src/<room>/…: the room; nothing elsewhere.
std::optional<std::string> room_of(const SourceFile& file) {
  const auto parts = components(file.path);
  if (parts.size() < 3 || parts[0] != "src") return std::nullopt;
  return parts[1];
}

std::optional<std::ptrdiff_t> rank_of(const SourceTree& tree, const std::string& room) {
  const auto found = std::ranges::find(tree.rooms, room);
  if (found == tree.rooms.end()) return std::nullopt;
  return found - tree.rooms.begin();
}

const SourceFile* find_file(const SourceTree& tree, std::string_view path) {
  const auto found = std::ranges::find(tree.files, path, &SourceFile::path);
  return found == tree.files.end() ? nullptr : &*found;
}

using Visit = std::function<void(int line, const std::string& text)>;

void for_each_line(const SourceFile& file, const Visit& visit) {
  int line = 0;
  std::size_t start = 0;
  while (start < file.text.size()) {
    const auto end = std::min(file.text.find('\n', start), file.text.size());
    visit(++line, file.text.substr(start, end - start));
    start = end + 1;
  }
}

int line_count(const SourceFile& file) {
  int lines = 0;
  for_each_line(file, [&](int line, const std::string&) { lines = line; });
  return lines;
}

// Every #include of the file: opener is '"' or '<'.
void for_each_include(const SourceFile& file,
                      const std::function<void(int, char, const std::string&)>& visit) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*(["<])([^">]+)[">])");
  for_each_line(file, [&](int line, const std::string& text) {
    std::smatch match;
    if (std::regex_search(text, match, kInclude)) visit(line, match.str(1)[0], match.str(2));
  });
}

}  // namespace

Violations includes_go_downward(const SourceTree& tree) {
  Violations found;
  for (const auto& file : tree.files) {
    const auto room = room_of(file);
    if (!room || !is_source(file.path)) continue;
    const auto own_rank = rank_of(tree, *room);
    if (!own_rank) continue;  // every_source_has_a_target speaks of it
    for_each_include(file, [&](int line, char opener, const std::string& included) {
      if (opener != '"') return;
      const auto rank = rank_of(tree, components(included).front());
      if (!rank)
        found.push_back(
            fmt::format("{}:{}: includes \"{}\": write the path from src/, starting "
                        "with a room",
                        file.path, line, included));
      else if (*rank > *own_rank)
        found.push_back(
            fmt::format("{}:{}: {} may not see \"{}\": that room is above it in "
                        "CMakeLists.txt",
                        file.path, line, *room, included));
    });
  }
  return found;
}

Violations files_are_short(const SourceTree& tree) {
  Violations found;
  for (const auto& file : tree.files) {
    if (!is_source(file.path)) continue;
    const int limit = is_header(file.path) ? kMaxHeaderLines
                      : is_test(file.path) ? kMaxTestLines
                                           : kMaxLines;
    if (const int lines = line_count(file); lines > limit)
      found.push_back(fmt::format("{}: {} lines, the limit is {}: move its second concept out",
                                  file.path, lines, limit));
  }
  return found;
}

Violations functions_are_short(const SourceTree& tree) {
  Violations found;
  for (const auto& file : tree.files) {
    if (!is_source(file.path)) continue;
    for (const auto& function : functions_of(file.text))
      if (function.lines > kMaxFunctionLines)
        found.push_back(fmt::format("{}:{}: a function of {} lines, the limit is {}", file.path,
                                    function.first_line, function.lines, kMaxFunctionLines));
  }
  return found;
}

Violations names_say_something(const SourceTree& tree) {
  static const std::set<std::string> kNames = {"core",    "common", "utils", "util",
                                               "helpers", "helper", "misc",  "manager"};
  static const std::regex kTail(R"((^|_)(utils?|helpers?|misc|manager)$)");
  Violations found;
  for (const auto& file : tree.files)
    for (const auto& part : components(file.path)) {
      std::string stem = part.substr(0, part.find('.'));
      if (stem.ends_with("_test")) stem.resize(stem.size() - 5);
      if (kNames.contains(stem) || std::regex_search(stem, kTail))
        found.push_back(
            fmt::format("{}: '{}' says nothing: name it after what it holds", file.path, part));
    }
  return found;
}

Violations sources_are_named_alike(const SourceTree& tree) {
  static const std::set<std::string> kOtherExtensions = {".cpp", ".cxx", ".hpp", ".hh", ".hxx"};
  static const std::set<std::string> kHomes = {"src", "tests", "examples"};
  static const std::regex kSnakeCase(R"([a-z][a-z0-9_]*)");
  Violations found;
  for (const auto& file : tree.files) {
    const fs::path path(file.path);
    if (kOtherExtensions.contains(path.extension().string()))
      found.push_back(file.path + ": C++ sources end in .cc and .h");
    if (!is_source(file.path)) continue;
    if (!kHomes.contains(components(file.path).front()))
      found.push_back(file.path + ": sources live in src/, tests/ or examples/");
    if (!std::regex_match(path.stem().string(), kSnakeCase))
      found.push_back(file.path + ": file names are snake_case");
  }
  return found;
}

Violations nothing_is_left_over(const SourceTree& tree) {
  static const std::regex kLeftover(
      "\\b(TO"
      "DO|FIX"
      "ME|XX"
      "X|HA"
      "CK)\\b");
  Violations found;
  for (const auto& file : tree.files)
    for_each_line(file, [&](int line, const std::string& text) {
      std::smatch match;
      if (std::regex_search(text, match, kLeftover))
        found.push_back(fmt::format("{}:{}: '{}' is left over: do it or drop it", file.path, line,
                                    match.str()));
    });
  return found;
}

Violations sources_name_their_licence(const SourceTree& tree) {
  static const std::set<std::string> kHashExtensions = {".cmake", ".sh", ".py"};
  constexpr std::string_view kLicence = "SPDX-License-Identifier: Apache-2.0";
  Violations found;
  for (const auto& file : tree.files) {
    const fs::path path(file.path);
    const bool is_script = kHashExtensions.contains(path.extension().string()) ||
                           path.filename() == "CMakeLists.txt" || path.filename() == "Makefile";
    if (!is_source(file.path) && !is_script) continue;
    const std::string wanted = fmt::format("{} {}", is_script ? "#" : "//", kLicence);
    std::string first;
    for_each_line(file, [&](int line, const std::string& text) {
      if (line == 1 || (line == 2 && first.starts_with("#!"))) first = text;
    });
    if (first != wanted)
      found.push_back(fmt::format("{}: the first line must be '{}'", file.path, wanted));
  }
  return found;
}

Violations searches_are_linear(const SourceTree& tree) {
  Violations found;
  for (const auto& file : tree.files) {
    if (!file.path.starts_with("src/") || file.path.ends_with("_test.cc")) continue;
    for_each_include(file, [&](int line, char, const std::string& included) {
      if (included == "regex")
        found.push_back(
            fmt::format("{}:{}: <regex> backtracks for ever and recurses once per character: use "
                        "base/pattern.h",
                        file.path, line));
    });
  }
  return found;
}

Violations headers_are_light(const SourceTree& tree) {
  static const std::regex kHeavy(
      R"(^(nlohmann/json\.hpp|toml\+\+/.*|CLI/.*|boost/.*|httplib\.h)$)");
  Violations found;
  for (const auto& file : tree.files) {
    if (!is_header(file.path)) continue;
    for_each_include(file, [&](int line, char, const std::string& included) {
      if (std::regex_match(included, kHeavy))
        found.push_back(
            fmt::format("{}:{}: <{}> costs every includer seconds: include it in a "
                        ".cc file",
                        file.path, line, included));
    });
  }
  return found;
}

namespace {

bool names_file(const SourceFile* list, const std::string& path) {
  if (list == nullptr) return false;
  const std::string text = std::regex_replace(list->text, std::regex("#[^\n]*"), "");
  const auto at = text.find(path);
  if (at == std::string::npos) return false;
  const std::size_t end = at + path.size();
  return end == text.size() ||
         std::string_view(" \t\n)\"").find(text[end]) != std::string_view::npos;
}

// Empty when the file is in a target; else where it should be named.
std::string missing_target(const SourceTree& tree, const SourceFile& file) {
  const auto parts = components(file.path);
  if (parts.front() == "tests")
    return names_file(find_file(tree, "cmake/tests.cmake"), file.path) ? "" : "cmake/tests.cmake";
  if (parts.front() != "src") return "";  // examples are programs with builds of their own
  const auto room = room_of(file);
  if (!room || !rank_of(tree, *room)) return "arbor_rooms(...) in CMakeLists.txt";
  if (std::ranges::find(parts, "programs") == parts.end()) return "";
  return names_file(find_file(tree, "cmake/programs.cmake"), file.path) ? ""
                                                                        : "cmake/programs.cmake";
}

}  // namespace

Violations every_source_has_a_target(const SourceTree& tree) {
  Violations found;
  for (const auto& file : tree.files) {
    if (!file.path.ends_with(".cc")) continue;
    if (const std::string where = missing_target(tree, file); !where.empty())
      found.push_back(fmt::format("{}: in no target: {} should name it", file.path, where));
  }
  return found;
}

}  // namespace arbor::layout
