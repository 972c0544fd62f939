// SPDX-License-Identifier: Apache-2.0
#include "source_tree.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace arbor::layout {
namespace fs = std::filesystem;
namespace {

bool is_built_or_foreign(const fs::path& folder) {
  static const std::set<std::string> kSkipped = {".git", ".arbor", "build", "node_modules", "bin"};
  return kSkipped.contains(folder.filename().string());
}

bool is_read(const fs::path& file) {
  static const std::set<std::string> kExtensions = {
      ".cc",    ".h",      ".cpp",  ".cxx",  ".hpp",  ".hh", ".hxx",     ".c",
      ".cmake", ".txt",    ".json", ".sh",   ".toml", ".md", ".ts",      ".py",
      ".yml",   ".svelte", ".css",  ".html", ".sql",  ".js", ".scenario"};
  static const std::set<std::string> kNames = {"Makefile", "check", "run"};
  return kExtensions.contains(file.extension().string()) ||
         kNames.contains(file.filename().string());
}

constexpr std::size_t kHeadBytes = 1000;  // enough of a signature, and bounds the regexes' depth

// Where the literal that starts at text[start] ends (one past it).
std::size_t end_of_quoted(std::string_view text, std::size_t start) {
  const char quote = text[start];
  std::size_t i = start + 1;
  while (i < text.size() && text[i] != quote && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

std::size_t end_of_raw_string(std::string_view text, std::size_t quote) {
  const auto open = text.find('(', quote);
  if (open == std::string_view::npos) return text.size();
  const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
  const auto end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// 1'000'000: the quote belongs to a number when the word it continues began with a digit.
bool is_digit_separator(std::string_view text, std::size_t quote) {
  std::size_t start = quote;
  while (start > 0 && (is_word(text[start - 1]) || text[start - 1] == '\'')) --start;
  return start < quote && std::isdigit(static_cast<unsigned char>(text[start])) != 0;
}

// One past the end of the comment or literal at i; i itself where there is none.
std::size_t end_of_blank(std::string_view text, std::size_t i) {
  const std::string_view rest = text.substr(i);
  if (rest.starts_with("//")) return std::min(text.find('\n', i), text.size());
  if (rest.starts_with("/*")) {
    const auto end = text.find("*/", i + 2);
    return end == std::string_view::npos ? text.size() : end + 2;
  }
  if (text[i] == '"') {
    const bool is_raw = i > 0 && text[i - 1] == 'R' && (i < 2 || !is_word(text[i - 2]));
    return is_raw ? end_of_raw_string(text, i) : end_of_quoted(text, i);
  }
  if (text[i] == '\'' && !is_digit_separator(text, i)) return end_of_quoted(text, i);
  return i;
}

// Blanks #include, #define and their like with their continued lines.
void blank_directives(std::string& text) {
  bool is_directive = false;
  bool is_line_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      is_directive = is_directive && i > 0 && text[i - 1] == '\\';
      is_line_start = true;
      continue;
    }
    if (is_line_start && text[i] == '#') is_directive = true;
    if (text[i] != ' ' && text[i] != '\t') is_line_start = false;
    const bool continues = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '\n';
    if (is_directive && !continues) text[i] = ' ';
  }
}

// Does a brace after this text (everything since the last ; { or }) open a function's body?
bool opens_function(const std::string& head) {
  static const std::regex kScope(R"(^\s*(?:template\s*<.*>\s*)?(namespace|extern|enum)\b)");
  static const std::regex kType(R"(\b(class|struct|union)\s+[\w:<>, ]*$)");
  static const std::regex kInherits(R"(\b(class|struct)\s+\w+[^()]*:[^()]*$)");
  return head.find(')') != std::string::npos && !std::regex_search(head, kScope) &&
         !std::regex_search(head, kType) && !std::regex_search(head, kInherits);
}

}  // namespace

std::vector<std::string> rooms_of(std::string_view cmake_lists) {
  static const std::regex kRooms(R"((?:^|\n)arbor_rooms\(([^)]*)\))");
  const std::string text(cmake_lists);
  std::smatch match;
  if (!std::regex_search(text, match, kRooms)) return {};
  std::vector<std::string> rooms;
  static const std::regex kName(R"([\w-]+)");
  const std::string names = match[1];
  for (auto it = std::sregex_iterator(names.begin(), names.end(), kName);
       it != std::sregex_iterator(); ++it)
    rooms.push_back(it->str());
  return rooms;
}

SourceTree read_tree(const fs::path& root) {
  SourceTree tree;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator();
       ++it) {
    if (it->is_directory() && is_built_or_foreign(it->path())) {
      it.disable_recursion_pending();
      continue;
    }
    if (!it->is_regular_file() || !is_read(it->path())) continue;
    std::ifstream stream(it->path(), std::ios::binary);
    tree.files.push_back({fs::relative(it->path(), root).generic_string(),
                          {std::istreambuf_iterator<char>(stream), {}}});
  }
  std::ranges::sort(tree.files, {}, &SourceFile::path);
  for (const auto& file : tree.files)
    if (file.path == "CMakeLists.txt") tree.rooms = rooms_of(file.text);
  return tree;
}

std::string without_comments_and_literals(std::string_view text) {
  std::string clean(text);
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = end_of_blank(text, i);
    for (std::size_t k = i; k < end; ++k)
      if (clean[k] != '\n') clean[k] = ' ';
    i = std::max(end, i + 1);
  }
  return clean;
}

std::vector<Function> functions_of(std::string_view text) {
  std::vector<Function> functions;
  std::string head;
  int line = 1;
  int depth_in_function = 0;  // braces open since the body began; 0 outside
  std::string code = without_comments_and_literals(text);
  blank_directives(code);
  for (const char c : code) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (c == '\n') ++line;
    if (depth_in_function > 0) {
      depth_in_function += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth_in_function == 0) functions.back().lines = line - functions.back().first_line + 1;
    } else if (c == '{' &&
               opens_function(head.substr(head.size() - std::min(head.size(), kHeadBytes)))) {
      functions.push_back({line, 0});
      depth_in_function = 1;
    }
    if (c == ';' || c == '{' || c == '}')
      head.clear();
    else if (!is_space || !head.ends_with(' '))
      head += is_space ? ' ' : c;
  }
  return functions;
}

}  // namespace arbor::layout
