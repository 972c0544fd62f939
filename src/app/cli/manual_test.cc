// SPDX-License-Identifier: Apache-2.0
#include "app/cli/manual.h"

#include <gmock/gmock.h>

#include <regex>

#include "base/subprocess.h"

namespace arbor::app {
namespace {
using testing::HasSubstr;

TEST(Manual, NamesEveryVerbAndOptionOfTheTable) {
  const std::string page = manual_page(all_verbs(), "1.2");
  const auto escaped = [](const std::string& name) {
    return std::regex_replace(name, std::regex("-"), "\\-");
  };
  EXPECT_THAT(page, HasSubstr("\"Arbor 1.2\""));
  for (const auto& verb : all_verbs()) {
    EXPECT_THAT(page, HasSubstr(".SS arbor " + escaped(verb.name)));
    for (const auto& option : verb.options)
      EXPECT_THAT(page, HasSubstr("\\fB" + escaped(option.name) + "\\fR")) << verb.name;
  }
}

TEST(Manual, KeepsTextApartFromRequests) {
  const Verb verb{"odd", ".hidden 'text' C:\\dir --x", "arbor odd\n.x", {}, {}, nullptr};
  const std::string page = manual_page({verb}, "1");
  EXPECT_THAT(page, HasSubstr("\\&.hidden 'text' C:\\edir \\-\\-x"));
  EXPECT_THAT(page, HasSubstr("arbor odd\n\\&.x"));
}

TEST(Manual, IsReadByManWithoutAWarning) {
  const auto output = base::run_tool({.argv = {"groff", "-man", "-ww", "-Kutf8", "-Tutf8"},
                                      .cwd = {},
                                      .environment = {},
                                      .standard_input = manual_page(all_verbs(), "1")});
  if (!output) GTEST_SKIP() << "groff is not installed: " << output.error().message;
  EXPECT_EQ(output->exit_code, 0);
  EXPECT_EQ(output->standard_error, "");
  EXPECT_THAT(output->standard_output, HasSubstr("arbor try"));
}

}  // namespace
}  // namespace arbor::app
