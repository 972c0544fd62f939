// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace arbor::base {
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string problem_of(const std::string& text) {
  const auto json = parse_json(text, "the text");
  return json ? "" : json.error().message;
}

TEST(ParseJson, NamesTheTextAndTheMistakeButNotTheLibrary) {
  for (const char* text : {"", "{", "{\"a\" 1}", "[1,]", "\"\xff\"", "1e999", "nul"})
    EXPECT_THAT(problem_of(text),
                AllOf(HasSubstr("the text: not valid JSON: "), Not(HasSubstr("json.exception"))))
        << text;
}

TEST(ParseJson, RefusesNestingThatWouldTakeTheStack) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(problem_of(nested(200)), "");
  EXPECT_THAT(problem_of(nested(201)), HasSubstr("nested deeper than 200"));
  EXPECT_THAT(problem_of(nested(1'000'000)), HasSubstr("nested deeper"));
  EXPECT_THAT(problem_of(std::string(5'000'000, '[')), HasSubstr("nested deeper"));
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_THAT(problem_of(objects), HasSubstr("nested deeper"));
  EXPECT_EQ(problem_of("\"" + std::string(1'000, '[') + "\""), "");
}

}  // namespace
}  // namespace arbor::base
