// SPDX-License-Identifier: Apache-2.0
// The real analyser in the real sandbox, on small samples and on the bundled serving program.
#include <gmock/gmock.h>

#include <filesystem>

#include "base/files.h"
#include "ports/analyzer/analyzer.h"

namespace arbor::ports {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kTree = "/home/user/program";

class Libclang : public testing::Test {
 protected:
  void SetUp() override {
    auto scratch = base::ScratchDir::create(fs::temp_directory_path(), "arbor-analyzer-");
    ASSERT_TRUE(scratch.has_value()) << scratch.error().message;
    scratch_.emplace(std::move(*scratch));
    auto sandbox = open_sandbox(scratch_->path() / "sandbox", false);
    if (!sandbox) GTEST_SKIP() << sandbox.error().message;
    sandbox_ = std::move(*sandbox);
    auto analyzer = open_analyzer(*sandbox_);
    if (!analyzer) GTEST_SKIP() << analyzer.error().message;
    analyzer_ = std::move(*analyzer);
  }

  base::Result<std::vector<Loop>> analyze_in(const fs::path& tree, const std::string& file,
                                             std::vector<std::string> arguments) {
    AnalysisRequest request;
    request.file = std::string(kTree) + "/" + file;
    request.arguments = std::move(arguments);
    request.directory = kTree;
    request.view.tree = tree;
    request.view.tree_path = kTree;
    return analyzer_->loops(request, {});
  }

  std::vector<Loop> loops(const std::string& text, const std::string& file = "sample.c") {
    const auto tree = scratch_->path() / "tree";
    EXPECT_TRUE(base::write_file(tree / file, text).has_value());
    auto found =
        analyze_in(tree, file, {"-O2", "-Wall", "-fno-semantic-interposition", "-c", file});
    EXPECT_TRUE(found.has_value()) << found.error().message;
    return found ? std::move(*found) : std::vector<Loop>();
  }

  Loop only_loop(const std::string& text, const std::string& file = "sample.c") {
    const auto found = loops(text, file);
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? Loop{} : found.front();
  }

  std::optional<base::ScratchDir> scratch_;
  std::unique_ptr<Sandbox> sandbox_;
  std::unique_ptr<Analyzer> analyzer_;
};

bool is_free(const Loop& loop) {
  return loop.is_canonical && loop.is_innermost && !loop.has_call && !loop.has_exit &&
         !loop.has_other_dependence;
}

TEST_F(Libclang, SeesTheReductionOfADotProduct) {
  const auto loop = only_loop(
      "double dot(const double *a, const double *b, int n) {\n"
      "  double sum = 0;\n"
      "  for (int i = 0; i < n; i++) /* one ; two */\n"
      "    sum += a[i] * b[i];\n"
      "  return sum;\n}\n");
  EXPECT_TRUE(is_free(loop));
  EXPECT_EQ(loop.function, "dot");
  EXPECT_EQ(loop.file, "/home/user/program/sample.c");
  EXPECT_EQ(loop.line, 3);
  EXPECT_EQ(loop.end_line, 4);
  EXPECT_EQ(loop.induction, "i");
  EXPECT_THAT(loop.reductions, ElementsAre(Reduction{"sum", "+", true}));
  EXPECT_THAT(loop.accesses,
              ElementsAre(ArrayAccess{"a", "i", false, 1}, ArrayAccess{"b", "i", false, 1}));
}

TEST_F(Libclang, SeesThatSaxpyCarriesNothing) {
  const auto loop = only_loop(
      "void saxpy(float a, const float *x, float *y, int n) {\n"
      "  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];\n}\n");
  EXPECT_TRUE(is_free(loop));
  EXPECT_THAT(loop.reductions, IsEmpty());
}

TEST_F(Libclang, SeesThatAPrefixSumIsCarried) {
  EXPECT_TRUE(only_loop("void f(float *a, int n) {\n"
                        "  for (int i = 1; i < n; i++) a[i] += a[i - 1];\n}\n")
                  .has_other_dependence);
  const auto scalar = only_loop(
      "void f(float *a, float *out, int n) { float sum = 0;\n"
      "  for (int i = 0; i < n; i++) { sum += a[i]; out[i] = sum; }\n}\n");
  EXPECT_TRUE(scalar.has_other_dependence);
  EXPECT_THAT(scalar.reductions, IsEmpty());
}

TEST_F(Libclang, SeesMaximaInTheirFourSpellings) {
  for (const std::string body :
       {"if (a[i] > best) best = a[i];", "best = a[i] > best ? a[i] : best;",
        "best = fmaxf(best, a[i]);", "best = best < a[i] ? a[i] : best;"}) {
    const auto loop = only_loop(
        "#include <math.h>\nfloat f(const float *a, int n) { float best = a[0];\n"
        "  for (int i = 1; i < n; i++) { " +
        body + " }\n  return best; }\n");
    EXPECT_TRUE(is_free(loop)) << body;
    EXPECT_THAT(loop.reductions, ElementsAre(Reduction{"best", "max", true})) << body;
  }
}

TEST_F(Libclang, TellsAMinimumFromAMaximumAndFromAnArgmax) {
  const auto minimum = only_loop(
      "int f(const int *a, int n) { int best = a[0];\n"
      "  for (int i = 1; i < n; i++) if (best > a[i]) best = a[i];\n  return best; }\n");
  EXPECT_THAT(minimum.reductions, ElementsAre(Reduction{"best", "min", false}));
  const auto argmax = only_loop(
      "int f(const int *a, int n) { int best = a[0], at = 0;\n"
      "  for (int i = 1; i < n; i++) if (a[i] > best) { best = a[i]; at = i; }\n"
      "  return at; }\n");
  EXPECT_TRUE(argmax.has_other_dependence);
}

TEST_F(Libclang, SeesExitsButNotThoseOfASwitchInside) {
  EXPECT_TRUE(only_loop("int f(const int *a, int n) {\n"
                        "  for (int i = 0; i < n; i++) if (a[i]) break;\n  return 0; }\n")
                  .has_exit);
  EXPECT_TRUE(only_loop("int f(const int *a, int n) {\n"
                        "  for (int i = 0; i < n; i++) if (a[i]) return i;\n  return 0; }\n")
                  .has_exit);
  EXPECT_FALSE(only_loop("void f(int *a, int n) {\n"
                         "  for (int i = 0; i < n; i++) switch (a[i]) { case 1: a[i] = 2; break; "
                         "default: continue; }\n}\n")
                   .has_exit);
}

TEST_F(Libclang, SeesCallsButForgivesMathematics) {
  EXPECT_TRUE(only_loop("float g(float);\nvoid f(float *a, int n) {\n"
                        "  for (int i = 0; i < n; i++) a[i] = g(a[i]);\n}\n")
                  .has_call);
  EXPECT_TRUE(
      is_free(only_loop("#include <math.h>\nvoid f(float *a, int n) {\n"
                        "  for (int i = 0; i < n; i++) a[i] = sqrtf(fabsf(a[i]));\n}\n")));
  EXPECT_TRUE(only_loop("int calls; static float exp10x(float x);\n"
                        "static float hypot3(float x) { calls++; return x; }\n"
                        "void f(float *a, int n) {\n"
                        "  for (int i = 0; i < n; i++) a[i] = hypot3(a[i]);\n}\n")
                  .has_call);
}

TEST_F(Libclang, SeesTheStridesOfANestedProduct) {
  const auto found = loops(
      "void mul(double *c, const double *a, const double *b, int n) {\n"
      "  for (int i = 0; i < n; i++)\n"
      "    for (int j = 0; j < n; j++) {\n"
      "      double sum = 0;\n"
      "      for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];\n"
      "      c[i * n + j] = sum;\n"
      "    }\n}\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_FALSE(found[0].is_innermost || found[1].is_innermost);
  EXPECT_EQ(found[2].depth, 2);
  EXPECT_TRUE(is_free(found[2]));
  EXPECT_THAT(found[2].accesses, ElementsAre(ArrayAccess{"a", "i*n+k", false, 1},
                                             ArrayAccess{"b", "k*n+j", false, -1}));
}

TEST_F(Libclang, SeesStridesOfConstantsPointersAndInvariants) {
  const auto loop = only_loop(
      "void f(float *y, const float *x, int n, int k) {\n"
      "  for (int i = 0; i < n; i++) { const float *p = x + 3 * i; y[2 * i + 1] = p[0] + x[k]; }\n"
      "}\n");
  EXPECT_TRUE(is_free(loop));
  EXPECT_THAT(loop.accesses,
              ElementsAre(ArrayAccess{"y", "2*i+1", true, 2}, ArrayAccess{"p", "0", false, 3},
                          ArrayAccess{"x", "k", false, 0}));
}

TEST_F(Libclang, CallsScattersAndFixedTargetsDependences) {
  EXPECT_TRUE(only_loop("void f(int *y, const int *at, int n) {\n"
                        "  for (int i = 0; i < n; i++) y[at[i]] += 1;\n}\n")
                  .has_other_dependence);
  EXPECT_TRUE(only_loop("void f(int *y, const int *x, int n, int k) {\n"
                        "  for (int i = 0; i < n; i++) y[k] += x[i];\n}\n")
                  .has_other_dependence);
  EXPECT_TRUE(only_loop("void f(int *y, const int *x, int n) {\n"
                        "  for (int i = 0; i < n; i++) *y++ = x[i];\n}\n")
                  .has_other_dependence);
  EXPECT_TRUE(only_loop("void f(int (*y)[8], int n, int k, int m) {\n"
                        "  for (int i = 1; i < n; i++) y[k][i] = y[m][i - 1];\n}\n")
                  .has_other_dependence);
}

TEST_F(Libclang, CallsALoopCanonicalOnlyWithAFixedBoundAndStep) {
  for (const std::string header :
       {"for (int i = 0; i < n; i += n)", "for (int i = 0; a[i]; i++)",
        "for (int i = 0; i < a[i]; i++)", "for (;;)", "for (float i = 0; i < n; i++)"}) {
    const auto loop = only_loop("void f(int *a, int n) {\n  " + header + " { a[0] = 1; }\n}\n");
    EXPECT_FALSE(loop.is_canonical) << header;
  }
  EXPECT_FALSE(only_loop("void f(int *a, int n) {\n"
                         "  for (int i = 0; i < n; i++) { if (a[i]) i++; }\n}\n")
                   .is_canonical);
  EXPECT_TRUE(only_loop("void f(int *a, int n) { int i;\n"
                        "  for (i = n - 1; i >= 0; i -= 2) { a[i] = 1; }\n}\n")
                  .is_canonical);
}

TEST_F(Libclang, ReadsMembersLambdasAndTemplates) {
  const auto found = loops(
      "#include <cstddef>\n#include <vector>\n"
      "namespace app {\n"
      "struct Layer {\n"
      "  std::vector<float> w;\n"
      "  float total = 0;\n"
      "  float sum() const {\n"
      "    float s = 0;\n"
      "    for (std::size_t i = 0; i < w.size(); ++i) s += w[i];\n"
      "    return s;\n"
      "  }\n"
      "  void add() { for (std::size_t i = 0; i < w.size(); ++i) total += w[i]; }\n"
      "};\n"
      "template <typename T> T dot(const T* a, const T* b, int n) {\n"
      "  T s = 0;\n"
      "  for (int i = 0; i < n; ++i) s += a[i] * b[i];\n"
      "  return s;\n"
      "}\n"
      "namespace { void scale(float* x, int n) {\n"
      "  auto part = [&](int from, int to) { for (int i = from; i < to; ++i) x[i] *= 2; };\n"
      "  part(0, n);\n"
      "  for (float& v : std::vector<float>(3)) v = 1;\n"
      "} }\n}\n",
      "sample.cc");
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0].function, "app::Layer::sum");
  EXPECT_TRUE(is_free(found[0]));
  EXPECT_THAT(found[0].reductions, ElementsAre(Reduction{"s", "+", true}));
  EXPECT_TRUE(found[1].has_other_dependence) << "a member cannot stand in a reduction clause";
  EXPECT_EQ(found[2].function, "app::dot");
  EXPECT_TRUE(is_free(found[2]));
  EXPECT_THAT(found[2].reductions, ElementsAre(Reduction{"s", "+", true}));
  EXPECT_EQ(found[3].function, "app::(anonymous namespace)::scale::{lambda}");
  EXPECT_TRUE(is_free(found[3]));
  EXPECT_FALSE(found[4].is_canonical);
}

TEST_F(Libclang, SaysWhyASourceDoesNotParse) {
  const auto tree = scratch_->path() / "tree";
  ASSERT_TRUE(base::write_file(tree / "broken.c", "#include <no/such.h>\n").has_value());
  const auto found = analyze_in(tree, "broken.c", {});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().kind, base::ErrorKind::kInternal);
  EXPECT_THAT(found.error().message, testing::HasSubstr("no/such.h"));
}

// The folder above the running test that holds the examples; empty when built elsewhere.
fs::path examples() {
  for (auto folder = fs::read_symlink("/proc/self/exe").parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    if (fs::exists(folder / "examples/llm_serving/arbor.toml"))
      return folder / "examples/llm_serving";
  return {};
}

TEST_F(Libclang, FindsTheHotReductionsOfTheServingProgram) {
  const auto tree = examples();
  if (tree.empty()) GTEST_SKIP() << "the build folder is not inside the source tree";
  const std::vector<std::string> arguments = {"-std=c++20", "-Wall", "-pthread", "-Iinclude",
                                              "-MMD",       "-MP",   "-Isrc",    "-O2"};
  const auto matmul = analyze_in(tree, "src/model/matmul.cc", arguments);
  ASSERT_TRUE(matmul.has_value()) << matmul.error().message;
  ASSERT_EQ(matmul->size(), 3u);
  EXPECT_EQ(matmul->back().function, "llm::matmul_rows");
  EXPECT_TRUE(is_free(matmul->back()));
  EXPECT_THAT(matmul->back().reductions, ElementsAre(Reduction{"sum", "+", true}));
  const auto attention = analyze_in(tree, "src/model/attention.cc", arguments);
  ASSERT_TRUE(attention.has_value()) << attention.error().message;
  std::vector<std::string> reductions;
  for (const auto& loop : *attention)
    for (const auto& one : loop.reductions)
      if (is_free(loop)) reductions.push_back(one.operation);
  EXPECT_THAT(reductions, ElementsAre("max", "+", "+"));
}

}  // namespace
}  // namespace arbor::ports
