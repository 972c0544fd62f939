// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/json.h"
#include "domain/verdict.h"
#include "engine/journal.h"

// The pages in docs/ against the code they speak of.
namespace arbor::app {
namespace {
namespace fs = std::filesystem;
using Words = std::set<std::string>;

const fs::path kRoot = ARBOR_SOURCE_ROOT;

std::string page(const std::string& name) {
  const auto text = base::read_file(kRoot / name);
  EXPECT_TRUE(text) << text.error().message;
  return text.value_or("");
}

Words found(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  Words words;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    words.insert((*match)[1].str());
  return words;
}

// All sources but the tests, in one text.
std::string sources(const std::string& folder) {
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "src" / folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_test = name.ends_with("_test.cc") || name.ends_with("_fixture.h");
    if (!is_test && (name.ends_with(".cc") || name.ends_with(".h")))
      all += base::read_file(entry.path()).value_or("") + "\n";
  }
  return all;
}

void expect_equal(const Words& code, const Words& documented, const std::string& where) {
  for (const auto& word : code)
    EXPECT_TRUE(documented.contains(word)) << word << " is missing in " << where;
  for (const auto& word : documented)
    EXPECT_TRUE(code.contains(word)) << word << " in " << where << " is nowhere in the code";
}

TEST(Documents, VerdictsNameTheReasonsThatAreGivenAndNoOthers) {
  const std::string text = page("docs/formats/verdicts.md");
  const std::string code =
      sources("measure") + sources("engine") + sources("workspace") + sources("domain");
  const Words documented = found(text, R"(\n\| [a-z]+ \| [a-z, ]+ \| `([a-z-]+)`)");
  EXPECT_GE(documented.size(), 25U);
  for (const auto& reason : documented)
    EXPECT_TRUE(code.find("\"" + reason + "\"") != std::string::npos)
        << reason << " is given nowhere";
  // What the engine and the keys give; the room measure tests its own.
  const std::string engine = sources("engine") + sources("workspace");
  Words given = found(engine, R"rx(domain::Stage::k\w+,\s*"([a-z-]+)")rx");
  given.merge(found(engine, R"rx(cut_off\("([a-z-]+)")rx"));
  given.merge(found(engine, R"rx(LaunchRefusal\{"([a-z-]+)")rx"));
  given.merge(found(sources("measure"), R"rx(withhold\([^;]*?VerdictKind::k\w+,\s*"([a-z-]+)")rx"));
  EXPECT_GE(given.size(), 7U);
  for (const auto& reason : given)
    EXPECT_TRUE(documented.contains(reason)) << reason << " is missing in verdicts.md";
}

TEST(Documents, VerdictsUseTheKindsAndStagesThatExist) {
  const std::string text = page("docs/formats/verdicts.md");
  Words kinds;
  const std::regex row(R"(\n\| ([a-z]+) \| ([a-z, ]+) \| `)");
  for (std::sregex_iterator match(text.begin(), text.end(), row), end; match != end; ++match) {
    kinds.insert((*match)[1].str());
    for (const auto& stage : found((*match)[2].str(), "([a-z]+)"))
      EXPECT_TRUE(stage == "any" || domain::parse_stage(stage)) << stage;
  }
  for (const auto& kind : kinds) EXPECT_TRUE(domain::parse_verdict(kind)) << kind;
  EXPECT_EQ(kinds.size(), 6U) << "every kind has its reasons";
}

template <std::size_t... I>
Words record_types(std::index_sequence<I...>) {
  return {engine::record_type(engine::Record(std::in_place_index<I>))...};
}

TEST(Documents, TheJournalsPageNamesEveryRecord) {
  const Words types = record_types(std::make_index_sequence<std::variant_size_v<engine::Record>>());
  expect_equal(types, found(page("docs/formats/journal.md"), R"(\n\| `([a-z_]+)` \|)"),
               "journal.md");
}

TEST(Documents, FilesNamesEverythingThatIsPutUnderTheFolder) {
  const std::string code = sources("app") + sources("workspace") + sources("ports");
  Words names = found(code, R"rx(arbor_dir_? / "([a-z_.]+)")rx");
  names.merge(found(code, R"rx("\.arbor" / "([a-z_.]+)")rx"));
  EXPECT_GE(names.size(), 10U);
  const std::string text = page("docs/formats/files.md");
  for (const auto& name : names)
    EXPECT_TRUE(std::regex_search(text, std::regex("`" + name + "[`/]"))) << name;
}

TEST(Documents, TheReportsPageNamesEveryField) {
  const auto report = base::parse_json(page("tests/golden/report.json"), "the golden report");
  ASSERT_TRUE(report) << report.error().message;
  const Words documented = found(page("docs/formats/report.md"), "`([a-z_]+)`");
  for (const auto& [field, value] : report->items())
    EXPECT_TRUE(field == "schema" || documented.contains(field)) << field;
  for (const auto& [field, value] : report->at("tried").front().items())
    EXPECT_TRUE(documented.contains(field)) << field;
}

TEST(Documents, PathsThatTheArchitectureNamesExist) {
  for (const char* name : {"ARCHITECTURE.md", "docs/extending.md"})
    for (const auto& path : found(page(name), R"(`((?:src|docs|tests|cmake|scripts)/[\w./-]+)`)"))
      EXPECT_TRUE(fs::exists(kRoot / path)) << path << " in " << name;
  for (const auto& path : found(page("ARCHITECTURE.md"), R"([\[>](\w+/\w+)<br>)"))
    EXPECT_TRUE(fs::exists(kRoot / "src" / path)) << path << " in the picture";
}

}  // namespace
}  // namespace arbor::app
