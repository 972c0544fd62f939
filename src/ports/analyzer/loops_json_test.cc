// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/loops_json.h"

#include <gtest/gtest.h>

namespace arbor::ports {
namespace {

const std::string kLoop =
    R"({"function":"f","line":3,"end_line":4,"depth":0,"is_innermost":true,"is_canonical":true,)"
    R"("induction":"i","has_call":false,"has_exit":false,"has_other_dependence":false,)"
    R"("reductions":[{"variable":"s","operation":"+","is_floating":true}],)"
    R"("accesses":[{"array":"a","index":"i","is_write":false,"stride":1}]})";

std::string with(const std::string& from, const std::string& to) {
  auto text = R"({"loops":[)" + kLoop + "]}";
  return text.replace(text.find(from), from.size(), to);
}

TEST(LoopsJson, ReadsWhatTheProgramPrints) {
  const auto loops = parse_loops(R"({"loops":[)" + kLoop + "]}", "a.c");
  ASSERT_TRUE(loops.has_value()) << loops.error().message;
  ASSERT_EQ(loops->size(), 1u);
  EXPECT_EQ(loops->front().file, "a.c");
  EXPECT_EQ(loops->front().reductions, (std::vector<Reduction>{{"s", "+", true}}));
  EXPECT_EQ(loops->front().accesses, (std::vector<ArrayAccess>{{"a", "i", false, 1}}));
}

TEST(LoopsJson, RefusesAnythingElseAsAWhole) {
  for (const auto& text :
       {std::string("no json"), std::string("[]"), std::string(R"({"loops":3})"),
        std::string(R"({"loops":[7]})"), with(R"("line":3)", R"("line":0)"),
        with(R"("line":3)", R"("line":"3")"), with(R"("end_line":4)", R"("end_line":2)"),
        with(R"("has_call":false,)", ""), with(R"("operation":"+")", R"("operation":"|| x")"),
        with(R"("stride":1)", R"("stride":1.5)")}) {
    const auto loops = parse_loops(text, "a.c");
    ASSERT_FALSE(loops.has_value()) << text;
    EXPECT_EQ(loops.error().kind, base::ErrorKind::kInternal) << text;
  }
}

}  // namespace
}  // namespace arbor::ports
