// SPDX-License-Identifier: Apache-2.0
#include "app/config/manifest_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/config/manifest_file.h"
#include "app/config/quantity.h"
#include "base/files.h"
#include "base/json.h"

namespace arbor::app {
namespace {

TEST(ManifestKeys, EveryDefaultThatIsShownParsesBackToTheDefault) {
  std::string toml = "schema = 1\n";
  for (const auto& section : manifest_sections()) {
    if (section.is_repeated) continue;
    toml += "[" + section.name + "]\n";
    for (const auto& key : section.keys) {
      if (key.is_required) toml += key.name + " = 'x'\n";
      if (!key.default_text.empty()) toml += key.name + " = " + key.default_text + "\n";
    }
  }
  const auto manifest = parse_manifest(toml, "defaults");
  ASSERT_TRUE(manifest) << manifest.error().message << "\n" << toml;
  domain::Manifest expected;
  expected.build.command = expected.check.command = expected.bench.command = "x";
  EXPECT_EQ(*manifest, expected) << toml;
}

TEST(ManifestKeys, EveryKeyHasAMeaningAndNoKeyStandsTwice) {
  for (const auto& section : manifest_sections()) {
    std::vector<std::string> names;
    for (const auto& key : section.keys) {
      EXPECT_FALSE(key.meaning.empty()) << section.name << " " << key.name;
      names.push_back(key.name);
    }
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << section.name;
  }
}

TEST(ManifestKeys, NothingIsBothSupportedAndReserved) {
  for (const auto& reserved : unsupported_keys()) {
    const Section* section = find_section(reserved.section);
    if (reserved.key.empty())
      EXPECT_EQ(section, nullptr) << reserved.section;
    else
      EXPECT_TRUE(section != nullptr && find_key(*section, reserved.key) == nullptr)
          << reserved.section << " " << reserved.key;
  }
}

TEST(ManifestSchema, HoldsEveryKeyAndForbidsOthers) {
  const auto schema = base::parse_json(manifest_schema_json(), "schema");
  ASSERT_TRUE(schema) << schema.error().message;
  EXPECT_EQ(schema->at("required"), base::Json({"schema", "build", "check", "bench"}));
  for (const auto& section : manifest_sections()) {
    const auto& entry = schema->at("properties").at(section.name);
    const auto& table = section.is_repeated ? entry.at("items") : entry;
    EXPECT_EQ(table.at("additionalProperties"), false) << section.name;
    for (const auto& key : section.keys)
      EXPECT_EQ(table.at("properties").at(key.name).at("description"), key.meaning);
  }
  const auto& bench = schema->at("properties").at("bench").at("properties");
  EXPECT_EQ(bench.at("metric").at("properties").at("goal").at("enum"), base::Json({"max", "min"}));
  EXPECT_EQ(bench.at("guard").at("items").at("required"), base::Json({"name", "reader"}));
  EXPECT_EQ(bench.at("timeout").at("anyOf").at(0).at("exclusiveMinimum"), 0);
}

TEST(ManifestReference, ThePageInTheDocumentsIsWhatTheTableSays) {
  const std::filesystem::path page = ARBOR_SOURCE_ROOT "/docs/formats/manifest.md";
  const std::string expected = manifest_reference_markdown();
  if (std::getenv("ARBOR_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(base::write_file(page, expected));
  }
  EXPECT_EQ(base::read_file(page).value_or(""), expected)
      << "rewrite it with ARBOR_UPDATE_GOLDEN=1 and read the difference";
}

TEST(ManifestReference, ItsExampleIsAManifest) {
  const std::string page = manifest_reference_markdown();
  const auto start = page.find("```toml\n") + 8;
  const auto example = page.substr(start, page.find("```", start) - start);
  const auto manifest = parse_manifest(example, "example");
  EXPECT_TRUE(manifest) << manifest.error().message;
}

TEST(Quantities, AreReadInDecimalAndBinaryUnits) {
  EXPECT_EQ(parse_size_bytes("8GiB"), 8.0 * (1 << 30));
  EXPECT_EQ(parse_size_bytes(" 512 MiB "), 512.0 * (1 << 20));
  EXPECT_EQ(parse_size_bytes("2GB"), 2e9);
  EXPECT_EQ(parse_size_bytes("4096"), 4096);
  EXPECT_EQ(parse_size_bytes("1.5KiB"), 1536);
  for (const char* wrong : {"", "GiB", "-1GiB", "8 GiBs", "inf", "1e400"})
    EXPECT_FALSE(parse_size_bytes(wrong)) << wrong;
}

TEST(Quantities, AreWrittenInTheUnitThatKeepsThemWhole) {
  EXPECT_EQ(duration_text(1800), "30m");
  EXPECT_EQ(duration_text(90), "90s");
  EXPECT_EQ(duration_text(0.5), "0.5s");
  EXPECT_EQ(size_text(8.0 * (1 << 30)), "8GiB");
  EXPECT_EQ(fraction_text(0.02), "2%");
  EXPECT_EQ(toml_quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\\u000a\"");
}

}  // namespace
}  // namespace arbor::app
