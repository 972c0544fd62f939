// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "base/files.h"

namespace arbor::measure {
namespace {

namespace fs = std::filesystem;

// The build maps __FILE__ to a path from the repository's root, so it is looked for upwards.
std::optional<fs::path> repository_root() {
  std::error_code error;
  for (fs::path folder = fs::current_path(error); !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / "docs/formats/verdicts.md", error)) return folder;
    if (folder == folder.parent_path()) break;
  }
  return std::nullopt;
}

void collect(const std::string& text, const std::regex& pattern, std::set<std::string>& slugs) {
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    slugs.insert((*match)[1].str());
}

TEST(VerdictReasons, AreAllOnTheirPage) {
  const auto root = repository_root();
  if (!root) GTEST_SKIP() << "run from inside the repository to compare code and page";
  const std::string page = base::read_file(*root / "docs/formats/verdicts.md").value();
  std::set<std::string> documented, used;
  collect(page, std::regex("`([a-z]+(?:-[a-z]+)*)`"), documented);
  // Reasons are the slugs with a hyphen, and the few single words named here.
  const std::regex slug("\"([a-z]+(?:-[a-z]+)+)\"");
  collect(base::read_file(*root / "src/measure/gate.cc").value(), slug, used);
  for (const auto& entry : fs::directory_iterator(*root / "src/measure/guardrails"))
    if (entry.path().extension() == ".cc" && !entry.path().stem().string().ends_with("_test")) {
      const std::string text = base::read_file(entry.path()).value();
      collect(text, std::regex("FindingKind::k[A-Z][A-Za-z]*,\\s*\"([a-z-]+)\""), used);
      collect(text, std::regex("[?:] \"([a-z]+-[a-z]+)\""), used);
    }
  for (const char* word : {"slower", "confirmed", "undecided", "timeout", "scatter"})
    used.insert(word);
  used.erase("warm-up");
  EXPECT_GE(used.size(), 15U);
  for (const auto& reason : used) EXPECT_TRUE(documented.contains(reason)) << reason;
}

}  // namespace
}  // namespace arbor::measure
