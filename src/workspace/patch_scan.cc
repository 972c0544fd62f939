// SPDX-License-Identifier: Apache-2.0
#include "workspace/patch_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/text.h"

namespace arbor::workspace {
namespace {
using base::ErrorKind;
using base::Result;

std::unexpected<base::Error> refused(const std::string& why) {
  return base::fail(ErrorKind::kUsage, "patch refused: " + why);
}

// git quotes unusual names: "a/\303\274.c" with the quotes. Undone, so that rules see the bytes.
std::string unquoted(std::string_view name) {
  if (name.size() < 2 || name.front() != '"' || name.back() != '"') return std::string(name);
  std::string text;
  for (std::size_t i = 1; i + 1 < name.size(); ++i) {
    if (name[i] != '\\' || i + 2 >= name.size()) {
      text += name[i];
      continue;
    }
    const char c = name[++i];
    if (c >= '0' && c <= '7') {
      int value = 0;
      for (int digits = 0; digits < 3 && i + 1 < name.size() && name[i] >= '0' && name[i] <= '7';
           ++digits)
        value = value * 8 + (name[i++] - '0');
      --i;
      text += static_cast<char>(value);
    } else {
      constexpr std::string_view kNames = "abtnvfr";
      constexpr std::string_view kBytes = "\a\b\t\n\v\f\r";
      const auto at = kNames.find(c);
      text += at == std::string_view::npos ? c : kBytes[at];
    }
  }
  return text;
}

// "a/src/x.c\t2020-01-01" → "src/x.c"; empty for /dev/null.
std::string header_path(std::string_view name) {
  if (!name.starts_with('"')) name = name.substr(0, name.find('\t'));
  const std::string path = unquoted(base::trim(name));
  if (path == "/dev/null") return {};
  const auto slash = path.find('/');
  // Without a leading component git would strip the real one; judged as it stands.
  return slash == std::string::npos || path.starts_with('/') ? path : path.substr(slash + 1);
}

std::string mode_problem(std::string_view mode) {
  if (mode == "100644" || mode == "100755") return {};
  if (mode.starts_with("12")) return "it makes or changes a symbolic link";
  if (mode.starts_with("16")) return "it changes a submodule";
  return fmt::format("mode {} is neither 100644 nor 100755", base::printable(mode));
}

// How many lines of the hunk body that this header announces are still to come.
struct HunkBody {
  long old_left = 0, new_left = 0;
  bool is_open() const { return old_left > 0 || new_left > 0; }

  // "@@ -1,4 +1,6 @@"
  static HunkBody of(std::string_view header) {
    HunkBody body;
    const auto words = base::split(header, ' ');
    const auto count = [](std::string_view range) {
      const auto comma = range.find(',');
      if (comma == std::string_view::npos) return 1L;
      return static_cast<long>(base::parse_number(range.substr(comma + 1)).value_or(0));
    };
    if (words.size() >= 3) {
      body.old_left = count(words[1]);
      body.new_left = count(words[2]);
    }
    return body;
  }
  void take(std::string_view line) {
    if (line.starts_with('\\')) return;
    if (!line.starts_with('+')) --old_left;
    if (!line.starts_with('-')) --new_left;
  }
};

// One line outside of hunks.
std::string header_problem(std::string_view line, std::set<std::string>& files) {
  if (line.starts_with("GIT binary patch") || line.starts_with("Binary files "))
    return "it is a binary patch";
  for (const std::string_view name : {"new file mode ", "new mode ", "deleted file mode "})
    if (line.starts_with(name)) return mode_problem(base::trim(line.substr(name.size())));
  std::string path;
  if (line.starts_with("--- ") || line.starts_with("+++ ")) {
    path = header_path(line.substr(4));
  } else {
    for (const std::string_view name : {"rename from ", "rename to ", "copy from ", "copy to "})
      if (line.starts_with(name)) path = unquoted(base::trim(line.substr(name.size())));
  }
  if (path.empty()) return {};
  files.insert(path);
  if (const auto problem = path_problem(path); !problem.empty())
    return fmt::format("'{}' {}", base::printable(path), problem);
  return {};
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

std::string path_problem(std::string_view path) {
  if (path.empty()) return "is empty";
  if (path.find('\0') != std::string_view::npos) return "holds a NUL byte";
  if (path.starts_with('/') || path.starts_with('~')) return "is absolute";
  if (path.find('\\') != std::string_view::npos) return "holds a backslash";
  for (const auto part : base::split(path, '/')) {
    if (part == ".." || part == ".") return "leaves the tree by '" + std::string(part) + "'";
    if (lower(part) == ".git" || lower(part).starts_with("git~")) return "lies in .git";
  }
  return {};
}

Result<std::set<std::string>> scan_patch(std::string_view diff) {
  if (base::trim(diff).empty()) return refused("it is empty");
  if (diff.size() > kMaxPatchBytes)
    return refused(fmt::format("it has {} bytes, more than {}", diff.size(), kMaxPatchBytes));
  if (diff.find('\0') != std::string_view::npos) return refused("it holds a NUL byte");
  std::set<std::string> files;
  HunkBody body;
  for (const auto line : base::lines_of(diff)) {
    if (body.is_open() && (line.empty() || std::string_view(" +-\\").contains(line[0]))) {
      body.take(line);
      continue;
    }
    body = line.starts_with("@@ ") ? HunkBody::of(line) : HunkBody{};
    if (const auto problem = header_problem(line, files); !problem.empty()) return refused(problem);
    if (files.size() > kMaxPatchFiles)
      return refused(fmt::format("it touches more than {} files", kMaxPatchFiles));
  }
  return files;
}

}  // namespace arbor::workspace
