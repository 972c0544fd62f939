// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "agents/specialists/sample_evidence.h"

namespace arbor::agents {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kName = "kernel.restrict";

SampleProgram saxpy_program(const std::string& head) {
  SampleProgram program;
  program.compile("src/saxpy.cc", {"-O2"});
  program.hotspot("app::saxpy", "src/saxpy.cc", 4, 0.5);
  program.sources["src/saxpy.cc"] = "void twice() { saxpy(1, 0, 0, 0); }\n" + head +
                                    " {\n  for (int i = 0; i < n; ++i)\n    y[i] += a * x[i];\n}\n";
  ports::Loop loop;
  loop.function = "app::saxpy";
  loop.line = 3 + static_cast<int>(std::ranges::count(head, '\n'));
  loop.end_line = loop.line + 1;
  loop.is_innermost = loop.is_canonical = true;
  loop.accesses = {{"y", "i", true, 1}, {"x", "i", false, 1}};
  program.loops["src/saxpy.cc"] = {loop};
  program.profile.hotspots[0].line = loop.line;
  return program;
}

std::string diff_of(const SampleProgram& program) {
  const auto change = program.carry_out(with_strategy(program.propose(kName), "restrict"));
  EXPECT_TRUE(change.has_value()) << change.error().message;
  return change ? std::get<domain::SourcePatch>(change->entries.at(0)).diff : "";
}

TEST(RestrictPointers, MarksEachPointerParameterOfTheDefinition) {
  EXPECT_THAT(diff_of(saxpy_program("void saxpy(float a, const float* x, float *y, int n)")),
              HasSubstr("-void saxpy(float a, const float* x, float *y, int n) {\n"
                        "+void saxpy(float a, const float* __restrict x, float *__restrict y, "
                        "int n) {\n"));
}

TEST(RestrictPointers, ReadsParametersOverSeveralLines) {
  const auto diff =
      diff_of(saxpy_program("void saxpy(float a, const float* x,\n           float* y, int n)"));
  EXPECT_THAT(diff, HasSubstr("+void saxpy(float a, const float* __restrict x,\n"
                              "+           float* __restrict y, int n) {\n"));
}

TEST(RestrictPointers, LeavesOnePointerAReferenceAndAPromiseAlone) {
  for (const std::string head :
       {"void saxpy(float a, const std::vector<float>& x, float* y, int n)",
        "void saxpy(float a, const float* __restrict x, float* __restrict y, int n)",
        "void saxpy(float a, float** x, float* y, int n)"})
    EXPECT_THAT(saxpy_program(head).propose(kName), IsEmpty()) << head;
}

TEST(RestrictPointers, LeavesFunctionsThatOnlyReadAlone) {
  auto program = saxpy_program("void saxpy(float a, const float* x, float* y, int n)");
  program.loops["src/saxpy.cc"][0].accesses[0].is_write = false;
  EXPECT_THAT(program.propose(kName), IsEmpty());
}

}  // namespace
}  // namespace arbor::agents
