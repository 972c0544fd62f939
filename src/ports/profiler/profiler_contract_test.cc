// SPDX-License-Identifier: Apache-2.0
// What every profiler promises, run on perf over a real little program and on the fake.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "base/subprocess.h"
#include "ports/profiler/fake.h"
#include "ports/profiler/profiler.h"

namespace arbor::ports {
namespace {
namespace fs = std::filesystem;
using base::ErrorKind;

// Three parts of the work in heavy, one in light, until enough CPU time was used to be sampled.
constexpr const char* kProgram = R"(#include <stdio.h>
#include <time.h>
static volatile double sink;
__attribute__((noinline)) void heavy(long n) {
  double sum = 0;
  for (long i = 1; i < n; i++) sum += 1.0 / (double)i;
  sink = sum;
}
__attribute__((noinline)) void light(long n) {
  double sum = 0;
  for (long i = 1; i < n; i++) sum += 1.0 / (double)(2 * i);
  sink = sum;
}
int main(void) {
  while (clock() < CLOCKS_PER_SEC / 2) { heavy(300000); light(100000); }
  printf("done\n");
  return 3;
}
)";

// A tree with the built program, a sandbox, and what profiles it.
struct Bench {
  base::ScratchDir folder;
  std::unique_ptr<Sandbox> sandbox;
  std::unique_ptr<Profiler> profiler;
  std::string skip;  // why this machine cannot

  LaunchRequest launch(std::vector<std::string> argv) const {
    LaunchRequest request;
    request.argv = std::move(argv);
    request.cwd = "/home/someone/program";
    request.view.tree = folder.path() / "tree";
    request.view.tree_path = "/home/someone/program";
    request.view.discard_writes = true;
    request.limits.wall_s = 60;
    return request;
  }
};

Bench new_bench() {
  return {
      std::move(*base::ScratchDir::create(fs::temp_directory_path(), "arbor-prof-")), {}, {}, {}};
}

Bench with_perf() {
  Bench bench = new_bench();
  const fs::path tree = bench.folder.path() / "tree";
  EXPECT_TRUE(base::write_file(tree / "src/hot.c", kProgram));
  base::ToolCall compile;
  compile.argv = {"cc",
                  "-O1",
                  "-g",
                  "-fno-omit-frame-pointer",
                  "-fdebug-prefix-map=" + tree.string() + "=/home/someone/program",
                  (tree / "src/hot.c").string(),
                  "-o",
                  (tree / "hot").string()};
  if (const auto built = base::run_tool_ok(compile); !built) bench.skip = built.error().message;
  auto sandbox = open_sandbox(bench.folder.path() / "scratch", false);
  if (!sandbox) {
    bench.skip = sandbox.error().message;
    return bench;
  }
  bench.sandbox = std::move(*sandbox);
  auto profiler = open_profiler(*bench.sandbox, "perf");
  if (!profiler) {
    bench.skip = profiler.error().message;
    return bench;
  }
  bench.profiler = std::move(*profiler);
  const auto probe = bench.profiler->profile(bench.launch({"true"}), {});
  if (probe && probe->tool == "none") bench.skip = probe->note;
  return bench;
}

Bench with_fake() {
  Bench bench = new_bench();
  domain::Profile profile;
  profile.tool = "fake";
  profile.samples = 400;
  profile.hotspots = {{"heavy", "hot", "src/hot.c", 6, 0.75, 0.75},
                      {"light", "hot", "src/hot.c", 11, 0.25, 0.25},
                      {"main", "hot", "src/hot.c", 15, 0, 1}};
  profile.note = "The command ended with code 3.";
  bench.profiler = std::make_unique<FakeProfiler>(
      std::deque<base::Result<domain::Profile>>{base::Result<domain::Profile>(profile)});
  return bench;
}

struct Implementation {
  std::string name;
  Bench (*make)();
};

class ProfilerContract : public testing::TestWithParam<Implementation> {
 protected:
  void SetUp() override {
    if (!bench_.skip.empty()) GTEST_SKIP() << bench_.skip;
  }
  Bench bench_ = GetParam().make();
};

TEST_P(ProfilerContract, FindsTheHottestFunctionItsFileAndItsLine) {
  const auto profile = bench_.profiler->profile(bench_.launch({"./hot"}), {});
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_GE(profile->hotspots.size(), 2U) << profile->note;
  const auto& hottest = profile->hotspots[0];
  EXPECT_EQ(hottest.symbol, "heavy");
  EXPECT_EQ(hottest.object, "hot");
  EXPECT_GT(hottest.share, 0.5);
  EXPECT_LT(hottest.share, 0.95);
  EXPECT_EQ(hottest.file, "src/hot.c");
  EXPECT_GE(hottest.line, 4);
  EXPECT_LE(hottest.line, 8);
  EXPECT_EQ(profile->hotspots[1].symbol, "light");
}

TEST_P(ProfilerContract, SharesAreFractionsInFallingOrder) {
  const auto profile = bench_.profiler->profile(bench_.launch({"./hot"}), {});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_GT(profile->samples, 0);
  double sum = 0, last = 1;
  for (const auto& spot : profile->hotspots) {
    EXPECT_LE(spot.share, last);
    EXPECT_GE(spot.total_share, spot.share);
    EXPECT_LE(spot.total_share, 1.0);
    last = spot.share;
    sum += spot.share;
  }
  EXPECT_GT(sum, 0.9);
  EXPECT_LE(sum, 1.0 + 1e-9);
}

TEST_P(ProfilerContract, SaysThatTheCommandFailedAndStillShowsItsHotspots) {
  const auto profile = bench_.profiler->profile(bench_.launch({"./hot"}), {});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->note.contains("ended with code 3")) << profile->note;
  EXPECT_FALSE(profile->hotspots.empty());
}

TEST_P(ProfilerContract, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto profile = bench_.profiler->profile(bench_.launch({"./hot"}), stop.get_token());
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().kind, ErrorKind::kCancelled);
}

INSTANTIATE_TEST_SUITE_P(, ProfilerContract,
                         testing::Values(Implementation{"perf", with_perf},
                                         Implementation{"fake", with_fake}),
                         [](const auto& instance) { return instance.param.name; });

class PerfProfiler : public testing::Test {
 protected:
  void SetUp() override {
    if (!bench_.skip.empty()) GTEST_SKIP() << bench_.skip;
  }
  Bench bench_ = with_perf();
};

TEST_F(PerfProfiler, FollowsTheProcessesThatTheCommandStarts) {
  const auto profile =
      bench_.profiler->profile(bench_.launch({"sh", "-c", "./hot & ./hot; wait"}), {});
  ASSERT_TRUE(profile) << profile.error().message;
  ASSERT_FALSE(profile->hotspots.empty()) << profile->note;
  EXPECT_EQ(profile->hotspots[0].symbol, "heavy");
  EXPECT_EQ(profile->tool, "perf cpu-clock");
}

TEST_F(PerfProfiler, SaysWhenThereAreTooFewSamples) {
  const auto profile = bench_.profiler->profile(bench_.launch({"true"}), {});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_LT(profile->samples, 100);
  EXPECT_TRUE(profile->note.contains("samples")) << profile->note;
}

TEST_F(PerfProfiler, ReadsWhatWasRecordedUntilTheTimeLimit) {
  auto launch = bench_.launch({"sh", "-c", "./hot; ./hot; exec sleep 600"});
  launch.limits.wall_s = 3;
  const auto profile = bench_.profiler->profile(launch, {});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->note.contains("time limit")) << profile->note;
  EXPECT_EQ(profile->tool, "perf cpu-clock");
}

TEST_F(PerfProfiler, ExplainsACommandThatDoesNotExist) {
  const auto profile = bench_.profiler->profile(bench_.launch({"./no-such-program"}), {});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->hotspots.empty());
  EXPECT_TRUE(profile->note.contains("no-such-program")) << profile->tool << ": " << profile->note;
}

// A sandbox in which every command prints the same words and fails.
class RefusingSandbox final : public Sandbox {
 public:
  explicit RefusingSandbox(std::string words) : words_(std::move(words)) {}
  SandboxTraits traits() const override { return {}; }
  base::Result<LaunchOutcome> launch(const LaunchRequest&, std::stop_token) override {
    LaunchOutcome outcome;
    outcome.exit_code = 255;
    outcome.standard_error = words_;
    return outcome;
  }

 private:
  std::string words_;
};

TEST_F(PerfProfiler, SaysWhatToDoWherePerfMayNotRecord) {
  const std::pair<const char*, const char*> cases[] = {
      {"Error:\nAccess to performance monitoring and observability operations is limited.\n"
       "Consider adjusting /proc/sys/kernel/perf_event_paranoid setting",
       "kernel.perf_event_paranoid"},
      {"WARNING: perf not found for kernel 6.8.0-31", "linux-tools-$(uname -r)"},
      {"The sys_perf_event_open() syscall returned with 38 (Function not implemented)",
       "CONFIG_PERF_EVENTS"},
      {"something else", "something else"}};
  for (const auto& [words, advice] : cases) {
    RefusingSandbox sandbox(words);
    const auto profile = (*open_profiler(sandbox, "perf"))->profile(bench_.launch({"./hot"}), {});
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->tool, "none");
    EXPECT_TRUE(profile->hotspots.empty());
    EXPECT_TRUE(profile->note.contains(advice)) << profile->note;
  }
}

TEST_F(PerfProfiler, IsOneOfThreeNames) {
  EXPECT_EQ(open_profiler(*bench_.sandbox, "prof").error().kind, ErrorKind::kUsage);
  const auto none = open_profiler(*bench_.sandbox, "none");
  ASSERT_TRUE(none);
  EXPECT_EQ((*none)->profile(bench_.launch({"./hot"}), {})->tool, "none");
  EXPECT_TRUE(open_profiler(*bench_.sandbox, "auto"));
}

}  // namespace
}  // namespace arbor::ports
