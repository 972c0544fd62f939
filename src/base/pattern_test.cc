// SPDX-License-Identifier: Apache-2.0
#include "base/pattern.h"

#include <gmock/gmock.h>

namespace arbor::base {
namespace {
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Pattern, FindsItsGroupsInBytesOfAnyKind) {
  const auto pattern = Pattern::compile("(\\w+): ([0-9.]+) (µs)?");
  ASSERT_TRUE(pattern);
  EXPECT_EQ(pattern->groups(), 3);
  const auto found = pattern->find("\xff\xfe rate: 1.5 µs");
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre("rate: 1.5 µs", "rate", "1.5", "µs"));
  EXPECT_THAT(*pattern->find("rate: 1.5 s"), ElementsAre("rate: 1.5 ", "rate", "1.5", ""));
  EXPECT_FALSE(pattern->find("nothing"));
  EXPECT_TRUE(pattern->is_in("a: 1 "));
  EXPECT_FALSE(pattern->is_in(""));
}

TEST(Pattern, TakesCharactersForCharactersWhereTheExpressionHoldsThem) {
  const Pattern micro("([0-9]+) [µu]s");
  EXPECT_TRUE(micro.is_in("12 µs"));
  EXPECT_TRUE(micro.is_in("12 us"));
  EXPECT_FALSE(micro.is_in("12 ms"));
  EXPECT_TRUE(Pattern::compile("caf\xe9")->is_in("caf\xe9")) << "no UTF-8: bytes";
}

TEST(Pattern, FindsAllFromLeftToRightAndEndsWithEmptyMatches) {
  EXPECT_THAT(Pattern("add_(\\w+)").all("add_one x add_two"), ElementsAre("one", "two"));
  EXPECT_THAT(Pattern("[ab]", Pattern::Case::kIgnored).all("AxB"), ElementsAre("A", "B"));
  EXPECT_THAT(Pattern("x*").all("ab"), ElementsAre("", ""));
}

TEST(Pattern, SaysWhyAnExpressionIsRefused) {
  const auto message = [](const std::string& expression) {
    const auto pattern = Pattern::compile(expression);
    return pattern ? "" : pattern.error().message;
  };
  EXPECT_THAT(message("(a"), HasSubstr("'(a' cannot be used: missing )"));
  EXPECT_THAT(message("a(?=b)"), HasSubstr("lookahead and backreferences are not supported"));
  EXPECT_THAT(message("(a)\\1"), HasSubstr("lookahead and backreferences are not supported"));
  EXPECT_THAT(message("(((a{999}){999}){999})"), HasSubstr("cannot be used"));
}

// A backtracking search would not come back from any of these, or run out of stack.
TEST(Pattern, TakesLinearTimeAndNoStackWhateverItIsGiven) {
  EXPECT_FALSE(Pattern("(a+)+b").is_in(std::string(50, 'a') + "c"));
  EXPECT_FALSE(Pattern("(x+x+)+y").is_in(std::string(1 << 20, 'x')));
  EXPECT_FALSE(Pattern("(.*)*,(.*)*;").find(std::string(1 << 20, 'x')));
  EXPECT_TRUE(Pattern("(a|b)*c").find(std::string(4 << 20, 'a') + "c"));
}

}  // namespace
}  // namespace arbor::base
