// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/hot_loops.h"
#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kName = "kernel.vectorise";
constexpr const char* kDot =
    "namespace app {\n"
    "float dot(const float* a, const float* b, int n) {\n"
    "  float sum = 0;\n"
    "  for (int i = 0; i < n; ++i) {\n"
    "    sum += a[i] * b[i];\n"
    "  }\n"
    "  return sum;\n"
    "}\n"
    "}\n";

ports::Loop dot_loop() {
  ports::Loop loop;
  loop.function = "app::dot";
  loop.file = "src/dot.cc";
  loop.line = 4;
  loop.end_line = 6;
  loop.is_innermost = loop.is_canonical = true;
  loop.induction = "i";
  loop.reductions = {{"sum", "+", true}};
  loop.accesses = {{"a", "i", false, 1}, {"b", "i", false, 1}};
  return loop;
}

SampleProgram dot_program() {
  SampleProgram program;
  program.compile("src/dot.cc", {"-O2"});
  program.hotspot("app::dot(float const*, float const*, int)", "src/dot.cc", 5, 0.8);
  program.sources["src/dot.cc"] = kDot;
  program.loops["src/dot.cc"] = {dot_loop()};
  return program;
}

TEST(VectoriseLoop, IsNotProposedForAFewPercentOfTheTime) {
  auto program = dot_program();
  program.profile.hotspots[0].share = 0.039;
  EXPECT_THAT(program.propose(kName), IsEmpty());
  program.profile.hotspots[0].share = 0.041;
  EXPECT_EQ(program.propose(kName).size(), 1u);
}

TEST(VectoriseLoop, InsertsThePragmaAndGivesTheFlagToThatFileAlone) {
  const auto program = dot_program();
  const auto action = with_strategy(program.propose(kName), "omp-simd-reduction");
  EXPECT_EQ(action.title, "Vectorise the reduction in dot() (src/dot.cc:4)");
  const auto change = program.carry_out(action);
  ASSERT_TRUE(change.has_value()) << change.error().message;
  ASSERT_EQ(change->entries.size(), 2u);
  const auto& flags = std::get<domain::CompilerFlags>(change->entries[0]);
  EXPECT_THAT(flags.add, ElementsAre("-fopenmp-simd"));
  EXPECT_THAT(flags.files, ElementsAre("src/dot.cc"));
  const auto& patch = std::get<domain::SourcePatch>(change->entries[1]);
  EXPECT_THAT(patch.files, ElementsAre("src/dot.cc"));
  EXPECT_THAT(patch.diff, HasSubstr("\n+  #pragma omp simd reduction(+:sum)\n   for (int i"));
}

TEST(VectoriseLoop, ReordersFloatsOnlyBehindATolerance) {
  auto program = dot_program();
  program.checks_numbers = false;
  EXPECT_THAT(program.propose(kName), IsEmpty());
  program.loops["src/dot.cc"][0].reductions[0].is_floating = false;
  EXPECT_EQ(program.propose(kName).size(), 1u);
}

TEST(VectoriseLoop, LeavesIllegalLoopsAlone) {
  using Spoil = void (*)(ports::Loop&);
  const std::vector<Spoil> spoils = {
      [](auto& loop) { loop.has_call = true; }, [](auto& loop) { loop.has_exit = true; },
      [](auto& loop) { loop.has_other_dependence = true; },
      [](auto& loop) { loop.is_canonical = false; }, [](auto& loop) { loop.is_innermost = false; }};
  for (std::size_t i = 0; i < spoils.size(); ++i) {
    auto program = dot_program();
    spoils[i](program.loops["src/dot.cc"][0]);
    EXPECT_THAT(program.propose(kName), IsEmpty()) << i;
  }
}

TEST(VectoriseLoop, IsNotProposedAgainOnceThePragmaStands) {
  auto program = dot_program();
  auto& text = program.sources["src/dot.cc"];
  text.insert(text.find("  for"), "  #pragma omp simd reduction(+:sum)\n");
  program.loops["src/dot.cc"][0].line = 5;
  program.loops["src/dot.cc"][0].end_line = 7;
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(VectoriseLoop, RefusesALoopThatIsGoneOrChangedWhenCarriedOut) {
  auto program = dot_program();
  const auto action = with_strategy(program.propose(kName), "omp-simd-reduction");
  program.loops["src/dot.cc"][0].has_exit = true;
  EXPECT_EQ(program.carry_out(action).error().kind, base::ErrorKind::kNotFound);
  program.loops["src/dot.cc"].clear();
  EXPECT_EQ(program.carry_out(action).error().kind, base::ErrorKind::kNotFound);
}

TEST(VectoriseLoop, NamesEachReductionUnderItsOperation) {
  auto program = dot_program();
  program.loops["src/dot.cc"][0].reductions = {
      {"best", "max", true}, {"count", "+", false}, {"sum", "+", true}};
  const auto change =
      program.carry_out(with_strategy(program.propose(kName), "omp-simd-reduction"));
  ASSERT_TRUE(change.has_value());
  EXPECT_THAT(std::get<domain::SourcePatch>(change->entries.back()).diff,
              HasSubstr("+  #pragma omp simd reduction(+:count,sum) reduction(max:best)\n"));
}

TEST(VectoriseLoop, FindsTheNextHotLoopWhenTheProfileMoves) {
  auto program = dot_program();
  program.sources["src/scale.cc"] =
      "void scale(float* x, int n) {\n  for (int i = 0; i < n; ++i)\n"
      "    x[i] *= 2;\n}\n";
  program.compile("src/scale.cc", {"-O2"});
  ports::Loop loop;
  loop.function = "scale";
  loop.line = 2;
  loop.end_line = 3;
  loop.is_innermost = loop.is_canonical = true;
  loop.accesses = {{"x", "i", true, 1}};
  program.loops["src/scale.cc"] = {loop};
  EXPECT_EQ(program.propose(kName).size(), 1u);
  program.profile.hotspots.clear();
  program.hotspot("scale", "src/scale.cc", 3, 0.4);
  EXPECT_THAT(strategies(program.propose(kName)), ElementsAre("omp-simd"));
}

TEST(VectoriseLoop, WorksWithoutKnowingTheFileAndNotWithoutAnAnalyser) {
  auto program = dot_program();
  program.profile.hotspots[0].file.clear();
  EXPECT_EQ(program.propose(kName).size(), 1u);
  program.has_analyzer = false;
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

TEST(HotLoops, MatchSymbolsOfTemplatesLambdasAndClones) {
  EXPECT_EQ(base_name("float app::dot<float, 4>(float const*, int)"), "dot");
  EXPECT_EQ(base_name("app::(anonymous namespace)::scale::{lambda}"), "scale");
  EXPECT_EQ(base_name("dot.constprop.0"), "dot");
  EXPECT_TRUE(
      is_symbol_of("std::_Function_handler<void (int), app::run(int)::{lambda(int)#1}>"
                   "::_M_invoke(std::_Any_data const&, int&&)",
                   "app::run::{lambda}"));
  EXPECT_FALSE(is_symbol_of("app::dotted(int)", "app::dot"));
}

TEST(HotLoops, PreferTheLoopThatHoldsTheHottestLine) {
  auto program = dot_program();
  auto other = dot_loop();
  other.line = 20;
  other.end_line = 22;
  program.loops["src/dot.cc"].push_back(other);
  const auto found = hot_loops(program.evidence(), {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].loop.line, 4);
  EXPECT_DOUBLE_EQ(found[0].share, 0.8);
}

}  // namespace
}  // namespace arbor::agents
