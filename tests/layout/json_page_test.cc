// SPDX-License-Identifier: Apache-2.0
// Every form of --json has its line in the documentation, and no line is of a form that is gone.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {
namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void collect(const std::string& text, std::set<std::string>& found) {
  static const std::regex kSchema("arbor\\.[a-z]+/[0-9]+");
  for (std::sregex_iterator it(text.begin(), text.end(), kSchema), end; it != end; ++it)
    found.insert(it->str());
}

TEST(JsonPage, NamesEveryFormThatAVerbPrints) {
  const fs::path root = ARBOR_SOURCE_ROOT;
  std::set<std::string> printed, documented;
  for (const auto& entry : fs::recursive_directory_iterator(root / "src/app"))
    if (entry.path().extension() == ".cc" && !entry.path().stem().string().ends_with("_test"))
      collect(text_of(entry.path()), printed);
  collect(text_of(root / "docs/formats/json.md"), documented);
  EXPECT_GT(printed.size(), 10U);
  EXPECT_EQ(printed, documented);
}

}  // namespace
