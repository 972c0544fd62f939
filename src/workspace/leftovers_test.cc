// SPDX-License-Identifier: Apache-2.0
// What is left of a process that was killed while it built and launched a program.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "workspace/builder_fixture.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using testing::IsEmpty;
using testing::Not;

using AfterAKill = BuilderFixture;

// Everything below these folders that a process made for the moment.
std::vector<std::string> scratch_in(std::initializer_list<fs::path> folders) {
  std::vector<std::string> names;
  for (const auto& folder : folders) {
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(folder, absent))
      names.push_back(entry.path().filename().string());
  }
  return names;
}

TEST_F(AfterAKill, TheNextToOpenRemovesEveryScratchFolder) {
  domain::Manifest manifest;
  manifest.build.command = "echo > begun/now; sleep 300";
  manifest.program.inputs = {"begun"};
  open_builder({{"run.sh", "\n"}, {".gitignore", "begun\n"}}, manifest);
  if (!builder_) return;
  // Inputs are read-only to a build: a pipe in one tells that the build has begun all the same.
  fs::create_directories(top() / "begun");
  ASSERT_EQ(::mkfifo((top() / "begun/now").c_str(), 0666), 0);
  ASSERT_EQ(::chmod((top() / "begun/now").c_str(), 0666), 0);
  const pid_t killed = ::fork();
  if (killed == 0) {
    static_cast<void>(builder_->build({.commit = base_, .recipe = {}, .purpose = "root"}, {}));
    ::_exit(0);
  }
  std::string told;
  EXPECT_TRUE(std::getline(std::ifstream(top() / "begun/now"), told)) << "waits for its writer";
  ::kill(killed, SIGKILL);
  ::waitpid(killed, nullptr, 0);
  const fs::path arbor = top() / ".arbor";
  EXPECT_THAT(scratch_in({arbor / "tmp", arbor / "trees"}), Not(IsEmpty()));

  repository_.emplace(open_in(top()));
  reopen();
  auto sandbox = ports::open_sandbox(scratch() / "overlays", false);
  ASSERT_TRUE(sandbox) << sandbox.error().message;
  EXPECT_THAT(scratch_in({arbor / "tmp", arbor / "trees", scratch() / "overlays"}), IsEmpty());
}

}  // namespace
}  // namespace arbor::workspace
