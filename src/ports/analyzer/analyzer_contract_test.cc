// SPDX-License-Identifier: Apache-2.0
// What every analyser promises, run on libclang's and on the one in memory.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "ports/analyzer/fake.h"

namespace arbor::ports {
namespace {
namespace fs = std::filesystem;

constexpr const char* kTree = "/home/user/program";
constexpr const char* kSource =
    "int f(int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) s += i;\n  return s;\n}\n";

Loop loop_of_source() {
  Loop loop;
  loop.function = "f";
  loop.line = loop.end_line = 3;
  loop.is_innermost = loop.is_canonical = true;
  loop.induction = "i";
  loop.reductions = {{"s", "+", false}};
  return loop;
}

struct Subject {
  base::ScratchDir scratch;
  std::unique_ptr<Sandbox> sandbox;
  std::unique_ptr<Analyzer> analyzer;
  std::string skip;
};

base::ScratchDir must_scratch() {
  auto scratch = base::ScratchDir::create(fs::temp_directory_path(), "arbor-analyzer-");
  EXPECT_TRUE(scratch.has_value());
  return std::move(*scratch);
}

Subject real() {
  Subject subject{must_scratch(), nullptr, nullptr, ""};
  auto sandbox = open_sandbox(subject.scratch.path() / "sandbox", false);
  if (!sandbox) return subject.skip = sandbox.error().message, std::move(subject);
  subject.sandbox = std::move(*sandbox);
  auto analyzer = open_analyzer(*subject.sandbox);
  if (!analyzer) return subject.skip = analyzer.error().message, std::move(subject);
  subject.analyzer = std::move(*analyzer);
  return subject;
}

Subject in_memory() {
  auto fake = std::make_unique<FakeAnalyzer>();
  fake->set_loops(std::string(kTree) + "/good.c", {loop_of_source()});
  return {must_scratch(), nullptr, std::move(fake), ""};
}

struct Implementation {
  std::string name;
  Subject (*make)();
};

class AnalyzerContract : public testing::TestWithParam<Implementation> {
 protected:
  void SetUp() override {
    subject_.emplace(GetParam().make());
    if (!subject_->skip.empty()) GTEST_SKIP() << subject_->skip;
    const auto tree = subject_->scratch.path() / "tree";
    ASSERT_TRUE(base::write_file(tree / "good.c", kSource).has_value());
    ASSERT_TRUE(base::write_file(tree / "bad.c", "int f( {").has_value());
  }
  AnalysisRequest request(const std::string& file) const {
    AnalysisRequest made;
    made.file = std::string(kTree) + "/" + file;
    made.arguments = {"-O2", "-c", file, "-o", "good.o"};
    made.directory = kTree;
    made.view.tree = subject_->scratch.path() / "tree";
    made.view.tree_path = kTree;
    return made;
  }
  std::optional<Subject> subject_;
};

TEST_P(AnalyzerContract, ReturnsTheLoopsUnderTheNameThatWasAskedFor) {
  auto expected = loop_of_source();
  expected.file = std::string(kTree) + "/good.c";
  const auto found = subject_->analyzer->loops(request("good.c"), {});
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front(), expected);
}

TEST_P(AnalyzerContract, CallsASourceThatDoesNotParseAnInternalErrorThatNamesIt) {
  const auto found = subject_->analyzer->loops(request("bad.c"), {});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().kind, base::ErrorKind::kInternal);
  EXPECT_TRUE(found.error().message.contains("bad.c")) << found.error().message;
}

TEST_P(AnalyzerContract, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto found = subject_->analyzer->loops(request("good.c"), stop.get_token());
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().kind, base::ErrorKind::kCancelled);
}

INSTANTIATE_TEST_SUITE_P(Analyzers, AnalyzerContract,
                         testing::Values(Implementation{"libclang", real},
                                         Implementation{"fake", in_memory}),
                         [](const auto& one) { return one.param.name; });

TEST(OpenAnalyzer, SaysWhatIsMissingWhereThereIsNoProgram) {
  class NoSandbox : public Sandbox {
   public:
    SandboxTraits traits() const override { return {}; }
    base::Result<LaunchOutcome> launch(const LaunchRequest&, std::stop_token) override {
      return LaunchOutcome{};
    }
  };
  NoSandbox sandbox;
  const auto analyzer = open_analyzer(sandbox, "/nonexistent/arbor-analyzer");
  ASSERT_FALSE(analyzer.has_value());
  EXPECT_EQ(analyzer.error().kind, base::ErrorKind::kUnsupported);
  EXPECT_TRUE(analyzer.error().message.contains("/nonexistent/arbor-analyzer"));
}

}  // namespace
}  // namespace arbor::ports
