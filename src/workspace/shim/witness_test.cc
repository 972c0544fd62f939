// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/witness.h"

#include <gtest/gtest.h>

#include "base/files.h"

namespace arbor::workspace {
namespace {

std::string witness_bytes() {
  using std::string_literals::operator""s;
  return "arbor-witness 1\0exe\0/srv/a prog\0env\0A=1=2\0env\0EMPTY=\0maps\0"s +
         "5500-5600 r-xp 00000000 08:01 11   /srv/a prog\n"
         "7f00-7f01 r--p 00000000 08:01 12   /lib/libdata.so\n"
         "7f02-7f03 r-xp 00001000 08:01 13   /lib/lib b.so (deleted)\n"
         "7f04-7f05 r-xp 00001000 08:01 13   /lib/lib b.so (deleted)\n"
         "7f06-7f07 r-xp 00000000 00:00 0    [vdso]\n"
         "7f08-7f09 rwxp 00000000 00:00 0 \n";
}

TEST(Witness, NamesExecutableEnvironmentAndCode) {
  const auto witness = parse_witness(witness_bytes()).value();
  EXPECT_EQ(witness.executable, "/srv/a prog");
  EXPECT_EQ(witness.environment, (std::map<std::string, std::string>{{"A", "1=2"}, {"EMPTY", ""}}));
  EXPECT_EQ(witness.libraries, std::vector<std::string>{"/lib/lib b.so (deleted)"});
}

TEST(Witness, IsRefusedWhenItsEnvironmentIsCutOff) {
  const std::string bytes = witness_bytes();
  const std::size_t maps = bytes.find("maps");
  for (std::size_t size = 0; size < maps + 5; ++size)
    EXPECT_FALSE(parse_witness(bytes.substr(0, size))) << size;
}

TEST(Witness, IsReadFromAllFilesOfAFolderByName) {
  const auto folder =
      base::ScratchDir::create(std::filesystem::temp_directory_path(), "witness-").value();
  EXPECT_TRUE(read_witnesses(folder.path()).value().empty());
  EXPECT_FALSE(read_witnesses(folder.path() / "absent"));
  ASSERT_TRUE(base::write_file(folder.path() / "witness.2.1", witness_bytes()));
  ASSERT_TRUE(base::write_file(folder.path() / "commands.jsonl", "{}"));
  EXPECT_EQ(read_witnesses(folder.path()).value().size(), 1U);
  ASSERT_TRUE(base::write_file(folder.path() / "witness.3.1", "torn"));
  const auto torn = read_witnesses(folder.path());
  ASSERT_FALSE(torn);
  EXPECT_NE(torn.error().message.find("witness.3.1"), std::string::npos);
}

}  // namespace
}  // namespace arbor::workspace
