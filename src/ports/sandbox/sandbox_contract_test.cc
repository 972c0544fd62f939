// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <thread>

#include "base/files.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "ports/sandbox/bubblewrap/bubblewrap.h"
#include "ports/sandbox/fake.h"
#include "ports/sandbox/launch/cgroup.h"
#include "ports/sandbox/unsafe/plain_processes.h"

// What every sandbox that really runs something keeps, and below what only isolation can promise.
namespace arbor::ports {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

enum class Kind { kBubblewrap, kPlain };

class SandboxTest : public testing::Test {
 protected:
  void open(Kind kind) {
    auto folder = base::ScratchDir::create(fs::temp_directory_path(), "arbor-sandbox-");
    ASSERT_TRUE(folder) << folder.error().message;
    folder_.emplace(std::move(*folder));
    tree_ = folder_->path() / "a tree Ω";
    fs::create_directory(tree_);
    write("input", "pristine\n");
    auto sandbox =
        kind == Kind::kBubblewrap ? open_bubblewrap(scratch()) : open_plain_processes(scratch());
    if (!sandbox && sandbox.error().kind == base::ErrorKind::kUnsupported)
      GTEST_SKIP() << sandbox.error().message;
    ASSERT_TRUE(sandbox) << sandbox.error().message;
    sandbox_ = std::move(*sandbox);
  }

  void TearDown() override {
    if (sandbox_ == nullptr) return;
    EXPECT_TRUE(fs::is_empty(scratch())) << "a launch left something in its scratch folder";
    const auto mounts = base::read_file("/proc/self/mounts");
    ASSERT_TRUE(mounts);
    EXPECT_THAT(*mounts, Not(HasSubstr(folder_->path().string())));
    EXPECT_EQ(groups_of(std::to_string(::getpid())), 0);
  }

  // Control groups of a process that still exist.
  static int groups_of(const std::string& pid) {
    const CgroupHome home = find_cgroup_home();
    int count = 0;
    for (const fs::path& parent : {home.unified, home.memory, home.pids, home.cpuacct}) {
      if (parent.empty()) continue;
      for (const auto& entry : fs::directory_iterator(parent))
        if (entry.path().filename().string().starts_with("arbor-" + pid + ".")) ++count;
    }
    return count;
  }

  fs::path scratch() const { return folder_->path() / "scratch"; }
  void write(const std::string& name, std::string_view bytes) const {
    ASSERT_TRUE(base::write_file(tree_ / name, bytes));
  }

  LaunchRequest shell(std::string script) const {
    LaunchRequest request;
    request.argv = {"sh", "-c", std::move(script)};
    request.view = {.tree = tree_,
                    .tree_path = "/home/somebody/my project ü",
                    .discard_writes = false,
                    .mounts = {}};
    request.limits.wall_s = 60;
    return request;
  }

  LaunchOutcome launched(const LaunchRequest& request) const {
    auto outcome = sandbox_->launch(request, {});
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome ? std::move(*outcome) : LaunchOutcome{};
  }

  std::string output_of(std::string script) const {
    return launched(shell(std::move(script))).standard_output;
  }

  // Processes anywhere on the machine whose command line holds the text.
  static int living(const std::string& text) {
    int count = 0;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const auto line = base::read_file(entry.path() / "cmdline");
      if (line && line->find(text) != std::string::npos) ++count;
    }
    return count;
  }

  std::optional<base::ScratchDir> folder_;
  fs::path tree_;
  std::unique_ptr<Sandbox> sandbox_;
};

class SandboxContract : public SandboxTest, public testing::WithParamInterface<Kind> {
 protected:
  void SetUp() override { open(GetParam()); }
};

TEST_P(SandboxContract, HandsOnExitCodesAndBothStreams) {
  const LaunchOutcome outcome = launched(shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(outcome.exit_code, 7);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.standard_output, "out\n");
  EXPECT_EQ(outcome.standard_error, "err\n");
  EXPECT_FALSE(outcome.is_timeout);
  EXPECT_FALSE(outcome.outlived);
  EXPECT_FALSE(outcome.is_out_of_memory);
  EXPECT_FALSE(outcome.is_truncated);
}

TEST_P(SandboxContract, ReportsDeathBySignal) {
  const LaunchOutcome outcome = launched(shell("kill -SEGV $$"));
  EXPECT_EQ(outcome.exit_code, 128 + 11);
  EXPECT_EQ(outcome.signal, 11);
}

TEST_P(SandboxContract, TakesAMissingCommandForAnOutcome) {
  LaunchRequest request = shell("");
  request.argv = {"no-such-command-anywhere"};
  const LaunchOutcome outcome = launched(request);
  EXPECT_EQ(outcome.exit_code, 127);
  EXPECT_THAT(outcome.standard_error, HasSubstr("no-such-command-anywhere"));
}

TEST_P(SandboxContract, PassesArgumentsOnUnchanged) {
  LaunchRequest request = shell("");
  request.argv = {"printf", "<%s>", "two words", "", "$HOME", "ä\nb", "--", "*"};
  EXPECT_EQ(launched(request).standard_output, "<two words><><$HOME><ä\nb><--><*>");
}

TEST_P(SandboxContract, FeedsStandardInputAndNothingElse) {
  LaunchRequest request = shell("cat");
  EXPECT_EQ(launched(request).standard_output, "");
  request.standard_input = std::string(300'000, 'x');
  EXPECT_EQ(launched(request).standard_output, request.standard_input);
}

TEST_P(SandboxContract, LeavesNoFileOpenButTheThreeStreams) {
  EXPECT_EQ(output_of("ls /proc/self/fd | wc -l"), "4\n");  // the fourth is ls reading the folder
}

TEST_P(SandboxContract, LetsACommandOpenItsStreamsByName) {
  LaunchRequest request = shell("cat /dev/stdin; echo more > /dev/stdout; echo e > /dev/stderr");
  request.standard_input = "in\n";
  const LaunchOutcome outcome = launched(request);
  EXPECT_EQ(outcome.standard_output, "in\nmore\n");
  EXPECT_EQ(outcome.standard_error, "e\n");
}

TEST_P(SandboxContract, GivesTheCommandExactlyItsEnvironment) {
  LaunchRequest request = shell("");
  request.argv = {"env", "-0"};
  request.environment = {{"A", "1"}, {"B", "x y\nz"}, {"LANG", "C"}};
  std::vector<std::string> names;
  const LaunchOutcome outcome = launched(request);
  for (const auto variable : base::split(outcome.standard_output, '\0'))
    if (!variable.empty()) names.emplace_back(variable.substr(0, variable.find('=')));
  EXPECT_THAT(names, testing::UnorderedElementsAre("A", "B", "LANG", "HOME", "TMPDIR", "PATH"));
  EXPECT_THAT(outcome.standard_output, HasSubstr("B=x y\nz"));
}

TEST_P(SandboxContract, HasAWritableHomeAndFolderForTemporaryFiles) {
  EXPECT_EQ(output_of("touch \"$HOME/x\" \"$TMPDIR/y\" && echo yes"), "yes\n");
}

TEST_P(SandboxContract, StartsWhereItIsTold) {
  fs::create_directory(tree_ / "sub folder");
  LaunchRequest request = shell("basename \"$(pwd)\"");
  request.cwd = request.view.tree_path / "sub folder";
  EXPECT_EQ(launched(request).standard_output, "sub folder\n");
}

TEST_P(SandboxContract, KeepsWritesToTheTree) {
  EXPECT_EQ(launched(shell("echo more >> input && mkdir d && echo new > d/file")).exit_code, 0);
  EXPECT_EQ(base::read_file(tree_ / "input"), "pristine\nmore\n");
  EXPECT_EQ(base::read_file(tree_ / "d" / "file"), "new\n");
}

TEST_P(SandboxContract, DiscardsWritesWhenAskedAndTheNextLaunchSeesAPristineTree) {
  for (int i = 0; i < 2; ++i) {
    LaunchRequest request = shell("cat input; echo changed > input; cat input; touch new; ls");
    request.view.discard_writes = true;
    EXPECT_EQ(launched(request).standard_output, "pristine\nchanged\ninput\nnew\n");
  }
  EXPECT_EQ(base::read_file(tree_ / "input"), "pristine\n");
  EXPECT_FALSE(fs::exists(tree_ / "new"));
}

TEST_P(SandboxContract, HandsBackTheFilesAskedForEvenWhenWritesAreDiscarded) {
  write("deleted", "x");
  LaunchRequest request =
      shell("mkdir -p out; printf 'a\\0b' > out/bytes; echo more >> input; rm deleted");
  request.view.discard_writes = true;
  request.collect = {"out/bytes", "input", "deleted", "never/made"};
  const LaunchOutcome outcome = launched(request);
  EXPECT_THAT(outcome.collected,
              testing::UnorderedElementsAre(testing::Pair("out/bytes", std::string("a\0b", 3)),
                                            testing::Pair("input", "pristine\nmore\n")));
}

TEST_P(SandboxContract, RemovesWhatABuildLeftWhereALaunchIsToWrite) {
  write("found", "ready-made");
  fs::create_directories(tree_ / "out" / "closed" / "deep");
  write("out/kept", "kept");
  write("out/closed/deep/file", "x");
  fs::create_symlink("input", tree_ / "link");
  fs::create_symlink("out", tree_ / "way");
  fs::permissions(tree_ / "out" / "closed", fs::perms::owner_read | fs::perms::owner_exec);
  LaunchRequest request = shell("find . | sort | tr '\\n' ' '; cat input; echo made > found");
  request.view.discard_writes = true;
  request.view.removed = {"found", "out/closed", "link", "never/made", "input/x", "way/kept"};
  request.collect = {"found"};
  const LaunchOutcome outcome = launched(request);
  EXPECT_EQ(outcome.standard_output, ". ./input ./out ./out/kept ./way pristine\n");
  EXPECT_EQ(outcome.collected.at("found"), "made\n");
  EXPECT_EQ(base::read_file(tree_ / "found"), "ready-made");
  fs::permissions(tree_ / "out" / "closed", fs::perms::owner_all);
  EXPECT_TRUE(fs::exists(tree_ / "out" / "closed" / "deep" / "file"));
}

TEST_P(SandboxContract, RemovesFoldersOfAnyDepthAndNothingBehindALink) {
  const fs::path outside = folder_->path() / "outside";
  fs::create_directory(outside);
  ASSERT_TRUE(base::write_file(outside / "file", "theirs"));
  fs::create_symlink(outside, tree_ / "outside");
  ASSERT_EQ(
      launched(shell("i=0; while [ $i -lt 1300 ]; do mkdir d && cd d; i=$((i+1)); done")).exit_code,
      0);
  LaunchRequest request = shell("ls");
  request.view.discard_writes = true;
  request.view.removed = {"d", "outside/file"};
  EXPECT_EQ(launched(request).standard_output, "input\noutside\n");
  EXPECT_TRUE(fs::exists(outside / "file"));
}

TEST_P(SandboxContract, EndsWithItsCommandWhereToldToAndKillsWhoIsLeft) {
  const std::string mark = "31" + std::to_string(::getpid());
  LaunchRequest request = shell("(setsid sleep " + mark + " &) ; exit 3");
  request.ends_with_command = true;
  request.limits.wall_s = 60;
  const LaunchOutcome outcome = launched(request);
  EXPECT_FALSE(outcome.is_timeout);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(living(mark), 0);
}

TEST_P(SandboxContract, CollectsNothingThroughALinkOrFromAPipe) {
  LaunchRequest request =
      shell("ln -s /etc/passwd link; ln -s /etc folder; mkfifo pipe; ln -s input inside; mkdir d");
  request.view.discard_writes = true;
  request.collect = {"link", "folder/passwd", "pipe", "inside", "d"};
  EXPECT_TRUE(launched(request).collected.empty());
}

TEST_P(SandboxContract, EndsWhoOutlivesTheCommandAndKeepsItsResult) {
  // Fork twice, leave the session, hold no stream: nothing ties it to the command any more.
  const std::string mark = "30" + std::to_string(::getpid());
  LaunchRequest request =
      shell("(setsid sh -c 'sleep " + mark +
            " & exit' >/dev/null 2>&1 </dev/null &) ; echo mine > result; exit 5");
  request.view.discard_writes = true;
  request.collect = {"result"};
  for (const double wall_s : {600.0, 0.3}) {
    request.limits.wall_s = wall_s;
    const LaunchOutcome outcome = launched(request);
    EXPECT_FALSE(outcome.is_timeout);
    EXPECT_TRUE(outcome.outlived);
    EXPECT_EQ(outcome.exit_code, 5);
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.collected.at("result"), "mine\n");
    EXPECT_GE(outcome.wall_ns, wall_s < 1 ? 300'000'000 : 1'000'000'000);
    EXPECT_LT(outcome.wall_ns, 300'000'000'000);
    EXPECT_EQ(living(mark), 0);
  }
}

TEST_P(SandboxContract, CountsNothingThatIsPrintedAfterTheCommandsEnd) {
  const LaunchOutcome outcome = launched(
      shell("(setsid sh -c 'sleep 0.2; echo late; echo late >&2' &) ; echo in time; echo e >&2"));
  EXPECT_EQ(outcome.standard_output, "in time\n");
  EXPECT_EQ(outcome.standard_error, "e\n");
  EXPECT_TRUE(outcome.outlived);
  EXPECT_GE(outcome.wall_ns, 200'000'000);
}

TEST_P(SandboxContract, IsNotKeptByLeftoversThatPrintForEver) {
  const LaunchOutcome outcome = launched(shell("(yes late &) ; (yes late >&2 &) ; exit 4"));
  EXPECT_EQ(outcome.exit_code, 4);
  EXPECT_TRUE(outcome.outlived);
  EXPECT_FALSE(outcome.is_timeout);
}

TEST_P(SandboxContract, KeepsAllThatTheCommandAndThoseItWaitedForHavePrinted) {
  for (int i = 0; i < 5; ++i) {
    const LaunchOutcome outcome =
        launched(shell("yes | head -c 300000 | cat; (sh -c 'echo b' & wait); echo last"));
    EXPECT_EQ(outcome.standard_output.size(), 300'007U);
    EXPECT_TRUE(outcome.standard_output.ends_with("\nb\nlast\n"));
    EXPECT_FALSE(outcome.outlived);
  }
}

TEST_P(SandboxContract, KillsTheCommandAndItsChildrenAtTheTimeLimit) {
  const std::string mark = "32" + std::to_string(::getpid());
  LaunchRequest request = shell("(setsid sleep " + mark + " &) ; sleep " + mark);
  request.limits.wall_s = 0.3;
  const LaunchOutcome outcome = launched(request);
  EXPECT_TRUE(outcome.is_timeout);
  EXPECT_EQ(outcome.exit_code, 128 + 9);
  EXPECT_GE(outcome.wall_ns, 300'000'000);
  EXPECT_EQ(living(mark), 0);
}

TEST_P(SandboxContract, ChargesBackgroundChildrenToTheLaunch) {
  const LaunchOutcome outcome =
      launched(shell("(setsid sh -c 'sleep 0.2; echo done > late' >/dev/null 2>&1 &) ; exit 3"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_FALSE(outcome.is_timeout);
  EXPECT_TRUE(outcome.outlived);
  EXPECT_GE(outcome.wall_ns, 200'000'000);
  EXPECT_TRUE(fs::exists(tree_ / "late"));
}

TEST_P(SandboxContract, CountsTheCpuTimeOfEveryProcess) {
  const LaunchOutcome outcome =
      launched(shell("(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done) & i=0; "
                     "while [ $i -lt 200000 ]; do i=$((i+1)); done; wait"));
  const std::int64_t cpu_ns = outcome.user_ns + outcome.system_ns;
  EXPECT_GT(cpu_ns, 10'000'000);
  EXPECT_LE(cpu_ns, outcome.wall_ns * (::sysconf(_SC_NPROCESSORS_ONLN) + 1));
  EXPECT_GT(outcome.peak_bytes.value_or(0), 100'000);
}

TEST_P(SandboxContract, StopsAtOnceWhenAsked) {
  const std::string mark = "40" + std::to_string(::getpid());
  std::stop_source source;
  LaunchRequest request = shell("touch started; sleep " + mark);
  std::jthread stopper([this, &source] {
    while (!fs::exists(tree_ / "started")) std::this_thread::yield();
    source.request_stop();
  });
  const auto outcome = sandbox_->launch(request, source.get_token());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, base::ErrorKind::kCancelled);
  EXPECT_EQ(living(mark), 0);
}

TEST_P(SandboxContract, BoundsWhatItKeepsOfTheOutput) {
  LaunchRequest request = shell("echo first; yes | head -c 3000000; echo last");
  request.max_output_bytes = 1000;
  const LaunchOutcome outcome = launched(request);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.is_truncated);
  EXPECT_LT(outcome.standard_output.size(), 1100U);
  EXPECT_TRUE(outcome.standard_output.starts_with("first\n"));
  EXPECT_TRUE(outcome.standard_output.ends_with("last\n"));
  EXPECT_THAT(outcome.standard_output, HasSubstr("bytes dropped"));
}

TEST_P(SandboxContract, EndsACommandThatPrintsForEver) {
  LaunchRequest request = shell("yes");
  request.limits.wall_s = 0.2;
  request.max_output_bytes = 1000;
  EXPECT_TRUE(launched(request).is_timeout);
}

TEST_P(SandboxContract, LimitsCpuTime) {
  LaunchRequest request = shell("while :; do :; done");
  request.limits.cpu_s = 1;
  const LaunchOutcome outcome = launched(request);
  EXPECT_FALSE(outcome.is_timeout);
  EXPECT_THAT(outcome.signal, testing::AnyOf(24, 9));  // SIGXCPU, SIGKILL a second later
}

TEST_P(SandboxContract, LimitsTheSizeOfFilesAndLeavesNoCore) {
  LaunchRequest request = shell("head -c 200000 /dev/zero > big; ulimit -c");
  request.limits.file_bytes = 100'000;
  const LaunchOutcome outcome = launched(request);
  EXPECT_EQ(outcome.standard_output, "0\n");
  EXPECT_EQ(fs::file_size(tree_ / "big"), 100'000U);
}

TEST_P(SandboxContract, LimitsMemoryOfTheWholeTreeAndSaysSo) {
  if (!sandbox_->traits().limits_memory) GTEST_SKIP() << "no writable memory control group";
  LaunchRequest request = shell("head -c 200000000 /dev/zero | tail -c 190000000 | wc -c");
  request.limits.memory_bytes = 60 << 20;
  const LaunchOutcome outcome = launched(request);
  EXPECT_TRUE(outcome.is_out_of_memory);
  EXPECT_THAT(outcome.standard_output, Not(HasSubstr("190000000")));
  EXPECT_LE(outcome.peak_bytes.value_or(0), 60 << 20);
  request.limits.memory_bytes = 0;
  EXPECT_FALSE(launched(request).is_out_of_memory);
}

TEST_P(SandboxContract, LimitsTheNumberOfProcesses) {
  if (!find_cgroup_home().limits_processes()) GTEST_SKIP() << "no writable pids control group";
  LaunchRequest request =
      shell("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.05 & done; wait; echo all");
  request.limits.processes = 5;
  EXPECT_THAT(launched(request).standard_error, HasSubstr("fork"));
  request.limits.processes = 40;
  const LaunchOutcome outcome = launched(request);
  EXPECT_EQ(outcome.standard_output, "all\n");
  EXPECT_EQ(outcome.standard_error, "");
}

TEST_P(SandboxContract, PinsToTheCpusAskedFor) {
  LaunchRequest request = shell("grep Cpus_allowed_list /proc/self/status | cut -f2");
  request.cpus = {0};
  EXPECT_EQ(launched(request).standard_output, "0\n");
}

// Runs something where folder is a small disk of its own, which nobody else sees and which is gone
// afterwards: mounts belong to threads. False where this user may not mount.
template <class Act>
bool on_a_small_disk(const fs::path& folder, const char* size, Act act) {
  bool is_mounted = false;
  std::jthread([&] {
    is_mounted = ::unshare(CLONE_NEWNS) == 0 &&
                 ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                 ::mount("tmpfs", folder.c_str(), "tmpfs", 0, size) == 0;
    if (is_mounted) act();
  }).join();
  return is_mounted;
}

TEST_P(SandboxContract, EndsALaunchThatFillsTheDisk) {
  LaunchRequest request = shell("while :; do head -c 1000000 /dev/zero; done > big");
  request.limits.disk_reserve_bytes = 64 << 20;
  const auto fill = [&](const fs::path& disk, const char* script, bool discards) {
    request.view.discard_writes = discards;
    request.argv[2] = script;
    const auto launch = [&] {
      fs::create_directory(disk / "tree");
      if (!discards) request.view.tree = disk / "tree";
      const LaunchOutcome outcome = launched(request);
      EXPECT_TRUE(outcome.is_out_of_disk) << script;
      EXPECT_FALSE(outcome.is_timeout);
      EXPECT_EQ(outcome.exit_code, 137);
    };
    return on_a_small_disk(disk, "size=100m,nr_inodes=20000", launch);
  };
  constexpr const char* kOne = "while :; do head -c 1000000 /dev/zero; done >> big 2>/dev/null";
  constexpr const char* kMany =
      "while :; do i=$((i+1)); mkdir $i; (cd $i; seq 100 | xargs touch); done 2>/dev/null";
  if (!fill(tree_, kOne, false)) GTEST_SKIP() << "this user may not mount a small disk";
  EXPECT_TRUE(fill(tree_, kMany, false));
  request.view.tree = tree_;
  EXPECT_TRUE(fill(scratch(), kOne, true));
}

TEST_P(SandboxContract, NoticesAFullDiskHoweverFastTheCommandIsAndBlamesNobodyForAnEarlierOne) {
  LaunchRequest request = shell("head -c 60000000 /dev/zero > big");
  request.view.tree = tree_;
  request.limits.disk_reserve_bytes = 64 << 20;
  const bool is_mounted = on_a_small_disk(tree_, "size=100m", [&] {
    const LaunchOutcome outcome = launched(request);
    EXPECT_TRUE(outcome.is_out_of_disk);
    const auto again = sandbox_->launch(request, {});
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind, base::ErrorKind::kIo);
    EXPECT_THAT(again.error().message, HasSubstr("MB are free"));
    request.limits.disk_reserve_bytes = 1 << 20;
    EXPECT_FALSE(launched(request).is_out_of_disk);
  });
  if (!is_mounted) GTEST_SKIP() << "this user may not mount a small disk";
}

TEST_P(SandboxContract, RefusesRequestsThatCannotMeanAnything) {
  std::vector<LaunchRequest> wrong(12, shell("true"));
  wrong[0].argv = {};
  wrong[1].cpus = {100'000};
  wrong[2].collect = {"../escape"};
  wrong[3].environment = {{"not a name", "x"}};
  wrong[4].view.tree = tree_ / "missing";
  wrong[5].view.tree_path = "relative";
  wrong[6].limits.wall_s = 0;
  wrong[7].view.mounts = {{tree_ / "missing", "/run/arbor/x", false}};
  wrong[8].argv = {std::string("a\0b", 3)};
  wrong[9].view.removed = {"input"};  // and keeps its writes
  for (const std::size_t i : {10UL, 11UL}) wrong[i].view.discard_writes = true;
  wrong[10].view.removed = {"sub/../../escape"};
  wrong[11].view.removed = {"sub"};
  wrong[11].view.mounts = {{tree_, wrong[11].view.tree_path / "sub" / "mounted", false}};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const auto outcome = sandbox_->launch(wrong[i], {});
    ASSERT_FALSE(outcome) << i;
    EXPECT_EQ(outcome.error().kind, base::ErrorKind::kUsage) << outcome.error().message;
  }
}

TEST_P(SandboxContract, NamesAWorkingDirectoryThatDoesNotExist) {
  LaunchRequest request = shell("true");
  request.cwd = request.view.tree_path / "missing";
  const auto outcome = sandbox_->launch(request, {});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("missing"));
}

TEST_P(SandboxContract, LaunchesFromManyThreadsAtOnce) {
  std::vector<std::jthread> threads;
  std::array<LaunchOutcome, 8> outcomes;
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    threads.emplace_back([this, i, &outcomes] {
      LaunchRequest request = shell("echo mine > shared; cat shared; echo " + std::to_string(i));
      request.view.discard_writes = true;
      request.collect = {"shared"};
      outcomes[i] = launched(request);
    });
  threads.clear();
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(outcomes[i].standard_output, "mine\n" + std::to_string(i) + "\n");
    EXPECT_EQ(outcomes[i].collected["shared"], "mine\n");
  }
  EXPECT_FALSE(fs::exists(tree_ / "shared"));
}

// A launch with a daemonised child, in a process that is killed in the middle of it.
TEST_P(SandboxContract, LetsNothingOutliveAnArborThatWasKilled) {
  const std::string mark = "50" + std::to_string(::getpid());
  const pid_t arbor = ::fork();
  if (arbor == 0) {
    LaunchRequest request =
        shell("(setsid sleep " + mark + " &); touch \"$STARTED\"; sleep " + mark);
    request.view.mounts = {{tree_, "/run/arbor/tree", true}};
    request.view.discard_writes = true;
    request.environment = {{"STARTED", "/run/arbor/tree/started"}};
    static_cast<void>(sandbox_->launch(request, {}));
    ::_exit(0);
  }
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while ((!fs::exists(tree_ / "started") || living(mark) < 3) &&
         std::chrono::steady_clock::now() < give_up)
    std::this_thread::yield();
  EXPECT_GE(living(mark), 3) << "the shell and both sleeps";
  ::kill(arbor, SIGKILL);
  ::waitpid(arbor, nullptr, 0);
  while (living(mark) > 0 && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
  EXPECT_EQ(living(mark), 0);
  EXPECT_FALSE(fs::is_empty(scratch()));  // it could not clean up …
  if (GetParam() == Kind::kBubblewrap) {  // … the next one does: TearDown looks
    EXPECT_TRUE(open_bubblewrap(scratch()));
  } else {
    EXPECT_TRUE(open_plain_processes(scratch()));
  }
  EXPECT_EQ(groups_of(std::to_string(arbor)), 0);
}

INSTANTIATE_TEST_SUITE_P(Sandboxes, SandboxContract,
                         testing::Values(Kind::kBubblewrap, Kind::kPlain), [](const auto& tested) {
                           return tested.param == Kind::kBubblewrap ? "Bubblewrap" : "Plain";
                         });

// --- what only isolation can promise
// --------------------------------------------------------------

class Isolation : public SandboxTest {
 protected:
  void SetUp() override { open(Kind::kBubblewrap); }
};

TEST_F(Isolation, ShowsEveryTreeAtTheRepositorysOwnPath) {
  for (const char* path :
       {"/home/me/project", "/srv/deep/er/project", "/opt/project", "/new top/project", "/tmp/p"}) {
    LaunchRequest request = shell("pwd; cat input");
    request.view.tree_path = path;
    EXPECT_EQ(launched(request).standard_output, std::string(path) + "\npristine\n");
  }
}

TEST_F(Isolation, EmptiesEveryFolderThatMayHoldSecrets) {
  EXPECT_EQ(output_of("ls -A /root /mnt /media /tmp /var/tmp /dev/shm | grep -v :$ | grep ."), "");
  EXPECT_EQ(output_of("ls -A /home /run"), "/home:\nsomebody\n\n/run:\narbor\n");
}

TEST_F(Isolation, LetsNothingBeWrittenOutsideTheTree) {
  LaunchRequest request = shell(
      "for f in /x /etc/x /usr/x /opt/x /home/x /run/x /srv/x /sys/x /proc/x; do "
      "touch $f 2>/dev/null && echo wrote $f; done; echo end");
  request.view.tree_path = "/opt/project";
  const LaunchOutcome outcome = launched(request);
  if (::geteuid() == 0) {
    EXPECT_EQ(outcome.standard_output, "end\n");
  } else {
    EXPECT_THAT(outcome.standard_output, Not(HasSubstr("wrote /etc")));
    EXPECT_THAT(outcome.standard_output, Not(HasSubstr("wrote /opt")));
  }
}

TEST_F(Isolation, KeepsTemporaryFilesOfLaunchesApart) {
  constexpr const char* kScript =
      "ls -A /tmp /var/tmp /dev/shm \"$HOME\" | grep secret; "
      "touch /tmp/secret /var/tmp/secret /dev/shm/secret \"$HOME/secret\" && echo ok";
  EXPECT_EQ(output_of(kScript), "ok\n");
  EXPECT_EQ(output_of(kScript), "ok\n");
}

TEST_F(Isolation, HasNoNetworkButLoopback) {
  EXPECT_EQ(output_of("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '"), "lo\n");
  EXPECT_EQ(output_of("ls /sys/class/net >/dev/null; wc -l < /proc/net/route"), "1\n");
}

TEST_F(Isolation, SharesTheNetworkWhenTheRequestSaysSo) {
  LaunchRequest request = shell("readlink /proc/self/ns/net");
  request.has_network = true;
  std::error_code error;
  EXPECT_EQ(launched(request).standard_output,
            fs::read_symlink("/proc/self/ns/net", error).string() + "\n");
  request.has_network = false;
  EXPECT_NE(launched(request).standard_output,
            fs::read_symlink("/proc/self/ns/net", error).string() + "\n");
}

TEST_F(Isolation, ShowsNoProcessOfTheHost) {
  EXPECT_EQ(output_of("cat /proc/*/comm | grep -c -e ports_tests -e arbor"), "0\n");
}

TEST_F(Isolation, RunsWithoutPrivileges) {
  EXPECT_EQ(output_of("grep -E '^Cap(Prm|Eff|Bnd)|^NoNewPrivs' /proc/self/status | cut -f2 | uniq"),
            "0000000000000000\n1\n");
  if (::geteuid() != 0) return;
  EXPECT_EQ(output_of("id -u; id -g; id -G"), "65533\n65533\n65533\n");
}

// Prints each call that is not refused as it should be. Arguments that would do nothing but fail.
constexpr const char* kCallsProbe = R"(
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#define REFUSED(call) (errno = 0, (call) == -1 && errno == EPERM ? 0 : printf("allowed: %s\n", #call))
#define ALLOWED(call) ((call) != -1 || errno != EPERM ? 0 : printf("refused: %s\n", #call))
int main(void) {
  REFUSED(syscall(SYS_ptrace, 0, 0, 0, 0));
  REFUSED(syscall(SYS_ptrace, 16, getppid(), 0, 0));
  REFUSED(syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0));
  REFUSED(syscall(SYS_process_vm_writev, getppid(), 0, 0, 0, 0, 0));
  REFUSED(syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, getppid(), 0), 1, 0));
  REFUSED(syscall(SYS_kcmp, getpid(), getppid(), 1, 0, 0));
  REFUSED(syscall(SYS_add_key, "user", "arbor-probe", "x", 1, -4));
  REFUSED(syscall(SYS_request_key, "user", "arbor-probe", 0, -4));
  REFUSED(syscall(SYS_keyctl, 0, -4, 0));
  REFUSED(syscall(SYS_bpf, 0, 0, 0));
  REFUSED(syscall(SYS_userfaultfd, 1));
  REFUSED(syscall(SYS_fsopen, "tmpfs", 0));
  REFUSED(syscall(SYS_io_uring_setup, 0, 0));
  REFUSED(personality(READ_IMPLIES_EXEC));
  REFUSED(personality(READ_IMPLIES_EXEC | ADDR_NO_RANDOMIZE));
  REFUSED(personality(READ_IMPLIES_EXEC | 0x80000000));
  REFUSED(ioctl(0, TIOCSTI, "x"));
  REFUSED(syscall(SYS_ioctl, 0, 0x100000000UL | TIOCSTI, "x"));
  struct rlimit none = {0, 0}, before;
  REFUSED(prlimit(getppid(), RLIMIT_FSIZE, &none, 0));
  REFUSED(setpriority(PRIO_PROCESS, getppid(), 19));
  REFUSED(setpriority(PRIO_PGRP, 0, 19));
  REFUSED(syscall(SYS_ioprio_set, 1, getppid(), 3 << 13));
  REFUSED(syscall(SYS_ioprio_set, 2, 0, 3 << 13));
  ALLOWED(prlimit(getppid(), RLIMIT_FSIZE, 0, &before));
  ALLOWED(getrlimit(RLIMIT_NOFILE, &before) + setrlimit(RLIMIT_NOFILE, &before));
  ALLOWED(setpriority(PRIO_PROCESS, 0, 1));
  ALLOWED(personality(0xffffffff));
  ALLOWED(personality(ADDR_NO_RANDOMIZE));
  ALLOWED(syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
#ifdef __x86_64__
  REFUSED(syscall(0x40000000 | SYS_getpid));
  long answer = 0;
  if (!fork()) {
    __asm__ volatile("int $0x80" : "=a"(answer) : "a"(26), "b"(0), "c"(0), "d"(0), "S"(0) : "memory");
    if (answer != -EPERM) printf("allowed: 32-bit ptrace\n");
  }
#endif
})";

TEST_F(Isolation, RefusesCallsThatReachOtherProcessesOrOutlastTheLaunch) {
  write("probe.c", kCallsProbe);
  EXPECT_EQ(output_of("gcc -w -o probe probe.c 2>&1 && ./probe && echo end"), "end\n");
}

TEST_F(Isolation, LetsNobodyReadWhatOthersHavePrinted) {
  EXPECT_EQ(output_of("exec 2>/dev/null; echo mine; timeout 1 cat < /dev/stdout; chmod a+r "
                      "/dev/stdout; echo more"),
            "mine\nmore\n");
}

TEST_F(Isolation, LetsCompilersInterpretersAndSanitizersWork) {
  write("racy.c",
        "#include <pthread.h>\n#include <stdlib.h>\n"
        "static void* f(void* p) { return p; }\nint main(void) { pthread_t t; "
        "void* p = malloc(10); pthread_create(&t, 0, f, p); pthread_join(t, &p); "
        "free(p); return 0; }\n");
  for (const char* kind : {"address", "thread", "undefined"})
    EXPECT_EQ(output_of("export ASAN_OPTIONS=detect_leaks=0; gcc -pthread -fsanitize=" +
                        std::string(kind) + " -o racy racy.c 2>&1 && ./racy 2>&1 && echo ok"),
              "ok\n");
  EXPECT_EQ(output_of("python3 -c 'import multiprocessing as m; p = m.Pool(2); "
                      "print(sum(p.map(abs, [1, -2])))' 2>&1"),
            "3\n");
  EXPECT_EQ(output_of("setarch -R echo fixed 2>&1"), "fixed\n");
}

TEST_F(Isolation, LeavesTheMemoryOfAParentAlone) {
  constexpr const char* kScript =
      "import os, sys\n"
      "parent = '/proc/%d/mem' % os.getppid()\n"
      "for how in os.O_WRONLY, os.O_RDWR:\n"
      "  try: os.open(parent, how); print('open')\n"
      "  except OSError: pass\n"
      "with open('/proc/%d/maps' % os.getppid()) as maps:\n"
      "  at = next(int(l.split('-')[0], 16) for l in maps if ' rw' in l)\n"
      "try: os.pwrite(os.open(parent, os.O_RDONLY), b'x', at); print('written')\n"
      "except OSError: pass\n";
  write("reach.py", kScript);
  EXPECT_EQ(output_of("python3 reach.py 2>&1; echo x 2>/dev/null > /proc/self/comm; "
                      "umount /proc 2>/dev/null; mount -o remount,rw /proc 2>/dev/null; echo end"),
            "end\n");
  EXPECT_EQ(output_of("unshare -Urm sh -c 'mount -o remount,rw /proc' 2>/dev/null && echo writable;"
                      "unshare -Um sh -c 'umount /proc || mount -t proc x /proc' 2>/dev/null && "
                      "echo again"),
            "");
}

TEST_F(Isolation, ReadsNoFileThatOnlyRootMayRead) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root";
  EXPECT_EQ(launched(shell("cat /etc/shadow")).standard_output, "");
}

TEST_F(Isolation, MountsWhatAViewNamesInItsOrder) {
  const fs::path golden = folder_->path() / "golden";
  fs::create_directories(golden);
  ASSERT_TRUE(base::write_file(golden / "answer", "42\n"));
  ::chmod(golden.c_str(), 0755);
  const fs::path results = folder_->path() / "results";
  fs::create_directories(results);
  LaunchRequest request = shell(
      "cat sub/answer /run/arbor/golden/answer; touch sub/x 2>/dev/null && echo bad; "
      "cat input; echo r > /run/arbor/deep/results/r");
  request.view.mounts = {{golden, request.view.tree_path / "sub", false},
                         {golden, "/run/arbor/golden", false},
                         {results, "/run/arbor/deep/results", true},
                         {golden / "answer", request.view.tree_path / "input", false}};
  request.view.discard_writes = true;
  request.view.removed = {"sub/answer", "input"};  // not of the tree where a mount covers it
  request.collect = {"sub/answer", "input"};
  const LaunchOutcome outcome = launched(request);
  EXPECT_EQ(outcome.standard_output, "42\n42\n42\n") << outcome.standard_error;
  EXPECT_EQ(base::read_file(results / "r"), "r\n");
  EXPECT_EQ(outcome.collected.at("sub/answer"), "42\n");
  EXPECT_EQ(outcome.collected.at("input"), "42\n");
}

TEST_F(Isolation, LeavesFilesThatHaveAnotherNameElsewhereToTheirOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "not root";
  const fs::path outside = folder_->path() / "users file";
  ASSERT_TRUE(base::write_file(outside, "theirs"));
  fs::create_hard_link(outside, tree_ / "linked");
  fs::create_symlink(outside, tree_ / "symbolic");
  launched(shell("true"));
  struct stat info{};
  ASSERT_EQ(::stat(outside.c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, 0U);
  ASSERT_EQ(::stat((tree_ / "input").c_str(), &info), 0);
  EXPECT_NE(info.st_uid, 0U);
}

TEST_F(Isolation, LimitsProcessesByTheUserWhereNoControlGroupCan) {
  if (find_cgroup_home().limits_processes()) GTEST_SKIP() << "there is a pids control group";
  LaunchRequest request =
      shell("for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.05 & done; wait; echo all");
  request.limits.processes = 5;
  EXPECT_THAT(launched(request).standard_error, HasSubstr("fork"));
  request.limits.processes = 40;
  EXPECT_EQ(launched(request).standard_output, "all\n");
}

TEST_F(Isolation, SaysWhatItIs) {
  const SandboxTraits traits = sandbox_->traits();
  EXPECT_EQ(traits.name, "bubblewrap");
  EXPECT_TRUE(traits.isolates);
  EXPECT_THAT(traits.cgroup, testing::AnyOf("none", "v1", "v2"));
}

TEST(PlainProcesses, SayThatTheyDoNotIsolate) {
  const auto folder = base::ScratchDir::create(fs::temp_directory_path(), "arbor-sandbox-");
  ASSERT_TRUE(folder);
  const auto sandbox = open_plain_processes(folder->path());
  ASSERT_TRUE(sandbox) << sandbox.error().message;
  EXPECT_EQ((*sandbox)->traits().name, "none (--unsafe)");
  EXPECT_FALSE((*sandbox)->traits().isolates);
  EXPECT_FALSE((*sandbox)->traits().notes.empty());
}

TEST(FakeSandbox, AnswersAsTheTestSaysAndRemembersWhatItWasAsked) {
  FakeSandbox sandbox([](const LaunchRequest& request) {
    return finished(request.argv[0] == "false" ? 1 : 0, "hi");
  });
  LaunchRequest request;
  request.argv = {"false"};
  const auto outcome = sandbox.launch(request, {});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->exit_code, 1);
  ASSERT_EQ(sandbox.requests().size(), 1U);
  EXPECT_EQ(sandbox.requests()[0].argv, request.argv);
}

TEST(FakeSandbox, KeepsTheContractOnStopsAndEmptyCommands) {
  FakeSandbox sandbox;
  LaunchRequest request;
  EXPECT_EQ(sandbox.launch(request, {}).error().kind, base::ErrorKind::kUsage);
  request.argv = {"true"};
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(sandbox.launch(request, source.get_token()).error().kind, base::ErrorKind::kCancelled);
  EXPECT_TRUE(sandbox.requests().empty());
}

// Everything above once more as an ordinary user, when the tests run as root.
TEST(SandboxOfAnOrdinaryUser, KeepsTheSameContract) {
  if (::geteuid() != 0) GTEST_SKIP() << "the other tests already ran as an ordinary user";
  auto folder = base::ScratchDir::create("/var/tmp", "arbor-user-");
  ASSERT_TRUE(folder) << folder.error().message;
  ASSERT_EQ(::chmod(folder->path().c_str(), 0777), 0);
  const fs::path program = folder->path() / "tests";
  fs::copy_file(fs::read_symlink("/proc/self/exe"), program);
  fs::permissions(program, fs::perms(0755));
  base::ToolCall call;
  call.argv = {"setpriv",        "--reuid=65534",  "--regid=65534",
               "--clear-groups", program.string(), "--gtest_filter=*SandboxContract*:Isolation.*"};
  call.environment = {{"TMPDIR", folder->path().string()}};
  call.cwd = folder->path();
  const auto ran = base::run_tool(call);
  ASSERT_TRUE(ran) << ran.error().message;
  EXPECT_EQ(ran->exit_code, 0) << base::shortened(ran->standard_output, 6000)
                               << base::shortened(ran->standard_error, 2000);
}

}  // namespace
}  // namespace arbor::ports
