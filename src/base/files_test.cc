// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace arbor::base {
namespace {
using testing::AllOf;
using testing::HasSubstr;

ScratchDir scratch() {
  return std::move(*ScratchDir::create(std::filesystem::temp_directory_path(), "files-"));
}

TEST(ReadFile, ReadsWhatWasWritten) {
  const auto folder = scratch();
  ASSERT_TRUE(write_file(folder.path() / "a/b", std::string(100'000, 'x')));
  EXPECT_EQ(read_file(folder.path() / "a/b"), std::string(100'000, 'x'));
  EXPECT_EQ(read_file(folder.path() / "c").error().kind, ErrorKind::kNotFound);
  EXPECT_THAT(read_file(folder.path() / "a/b", 99'999).error().message,
              AllOf(HasSubstr("a/b"), HasSubstr("larger than 99999 bytes")));
}

// A pipe that nobody writes would hold a plain open for ever.
TEST(ReadFile, RefusesWhatIsNoRegularFileAtOnce) {
  const auto folder = scratch();
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(read_file(pipe).error().message, AllOf(HasSubstr("pipe"), HasSubstr("it is a pipe")));
  EXPECT_THAT(read_file(folder.path()).error().message, HasSubstr("it is a folder"));
  EXPECT_THAT(read_file("/dev/zero").error().message, HasSubstr("it is a device"));
}

TEST(ReadFile, ReadsWhatTheKernelMakesUp) {
  EXPECT_THAT(*read_file("/proc/self/stat"), HasSubstr(" "));
}

}  // namespace
}  // namespace arbor::base
