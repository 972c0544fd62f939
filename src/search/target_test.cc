// SPDX-License-Identifier: Apache-2.0
#include "search/target.h"

#include <gtest/gtest.h>

#include "search/toy_campaign.h"

namespace arbor::search {
namespace {

TEST(Target, TheNameOfAFunctionIsFoundInItsSignature) {
  EXPECT_EQ(function_name("void ns::matvec<float>(float const*, int)"), "matvec");
  EXPECT_EQ(function_name("matvec"), "matvec");
  EXPECT_EQ(function_name("llm::Model::forward(int) const"), "forward");
  EXPECT_EQ(function_name("(anonymous namespace)::dot(float*)"), "dot");
  EXPECT_EQ(function_name("dot.constprop.0"), "dot");
  EXPECT_EQ(function_name("dot(float*) [clone .part.0]"), "dot");
  EXPECT_EQ(function_name("std::vector<int>& ns::rows(int)"), "rows");
}

TEST(Target, AFunctionInlinedIntoALambdaIsStillFound) {
  EXPECT_TRUE(
      is_within("llm::matvec(float const*)::{lambda(int)#1}::operator()(int) const", "matvec"));
  EXPECT_TRUE(
      is_within("std::_Function_handler<void (int), llm::matvec(float*)::{lambda(int)#1}>"
                "::_M_invoke(std::_Any_data const&, int&&)",
                "matvec"));
  EXPECT_TRUE(is_within("matvec._omp_fn.0", "matvec"));
}

TEST(Target, ATypeAmongTheParametersIsNotTheFunction) {
  EXPECT_FALSE(is_within("run(thread_pool&, int)", "thread_pool"));
  EXPECT_FALSE(is_within("matvec_int8(int)", "matvec"));
  EXPECT_FALSE(is_within("my_matvec(int)", "matvec"));
  EXPECT_FALSE(is_within("anything", ""));
}

TEST(Target, SumsTheSharesOfASymbolAndOfAFile) {
  auto profile = toy::profile({{"dot(int)", 0.4}, {"dot(int) [clone .part.0]", 0.1}, {"f", 0.2}});
  profile.hotspots[0].file = profile.hotspots[1].file = "src/dot.cc";
  EXPECT_DOUBLE_EQ(*share_of_target(profile, "dot"), 0.5);
  EXPECT_DOUBLE_EQ(*share_of_target(profile, "src/dot.cc"), 0.5);
  EXPECT_DOUBLE_EQ(*share_of_target(profile, "src/dot.cc:12"), 0.5);
  EXPECT_DOUBLE_EQ(*share_of_target(profile, "gone"), 0);
}

TEST(Target, TheWholeProgramAndASettingAreNoPlaces) {
  const auto profile = toy::profile({{"dot", 0.4}});
  EXPECT_FALSE(share_of_target(profile, ""));
  EXPECT_FALSE(share_of_target(profile, "knob:batch"));
}

}  // namespace
}  // namespace arbor::search
