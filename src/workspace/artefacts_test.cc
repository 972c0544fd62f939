// SPDX-License-Identifier: Apache-2.0
#include "workspace/artefacts.h"

#include <elf.h>
#include <gmock/gmock.h>

#include "workspace/elf_hash.h"
#include "workspace/repository_fixture.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;

class Artefacts : public RepositoryFixture {
 protected:
  std::string compiled(const std::string& source, std::vector<std::string> options) {
    put(scratch() / "x.c", source);
    options.insert(options.begin(), "gcc");
    for (const char* word : {"x.c", "-o", "out"}) options.emplace_back(word);
    run_in(scratch(), options);
    return text_of(scratch() / "out");
  }
  const std::string program_ = "int value = 1; int main(void) { return value; }\n";
};

TEST_F(Artefacts, DebugInformationAndBuildIdDoNotCountButCodeAndDataDo) {
  const std::string plain = compiled(program_, {"-Wl,--build-id=sha1"});
  EXPECT_EQ(binary_hash(plain), binary_hash(compiled(program_, {"-Wl,--build-id=0x1234567812345678"
                                                                "123456781234567812345678"})));
  EXPECT_EQ(binary_hash(plain), binary_hash(compiled(program_, {"-g", "-Wl,--build-id=sha1"})));
  EXPECT_NE(binary_hash(plain), binary_hash(compiled(program_, {"-O2", "-Wl,--build-id=sha1"})));
  EXPECT_NE(binary_hash(plain),
            binary_hash(compiled("int value = 2; int main(void) { return value; }\n",
                                 {"-Wl,--build-id=sha1"})));
}

TEST_F(Artefacts, ProgramsLibrariesAndObjectsAreToldApart) {
  EXPECT_EQ(elf_kind(compiled(program_, {"-pie", "-fPIE"})), ElfKind::kExecutable);
  EXPECT_EQ(elf_kind(compiled(program_, {"-no-pie"})), ElfKind::kExecutable);
  EXPECT_EQ(elf_kind(compiled(program_, {"-shared", "-fPIC"})), ElfKind::kSharedLibrary);
  EXPECT_EQ(elf_kind(compiled(program_, {"-c"})), ElfKind::kObject);
  EXPECT_EQ(elf_kind("#!/bin/sh\n"), ElfKind::kNone);
}

TEST_F(Artefacts, DamagedFilesAreHashedByTheirBytes) {
  const std::string good = compiled(program_, {});
  for (std::size_t bytes : {std::size_t{0}, std::size_t{5}, sizeof(Elf64_Ehdr), good.size() / 2})
    EXPECT_FALSE(binary_hash(good.substr(0, bytes)).empty());
  for (std::size_t at = 0; at < sizeof(Elf64_Ehdr); ++at) {
    std::string damaged = good;
    damaged[at] = '\xFF';
    EXPECT_FALSE(binary_hash(damaged).empty()) << at;
    (void)elf_kind(damaged);
  }
}

TEST_F(Artefacts, LinksAndSpecialFilesAreNeverOpened) {
  const fs::path tree = scratch() / "tree";
  put(tree / "real", "1");
  put(scratch() / "outside/secret", "s");
  fs::create_symlink(scratch() / "outside/secret", tree / "link");
  fs::create_directory_symlink(scratch() / "outside", tree / "folder");
  run_in(tree, {"mkfifo", "pipe"});
  const auto listing = list_tree(tree);
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->size(), 1U);
  EXPECT_FALSE(artefact_at(tree, "pipe"));
  EXPECT_FALSE(artefact_at(tree, "link"));
  const auto all = find_artefacts(tree, *listing, {{"**"}, {}});
  ASSERT_TRUE(all);
  EXPECT_THAT(*all, ElementsAre(Artefact{"real", binary_hash("1")}));
}

TEST_F(Artefacts, ProbesAndIntermediateFilesAreLeftOut) {
  const fs::path tree = scratch() / "tree";
  for (const char* name : {"a.o", "liba.a", "CMakeFiles/3/a.out", "conftest", "result.txt"})
    put(tree / name, "x");
  const auto listing = list_tree(tree);
  const auto found = find_artefacts(tree, *listing, {{}, changed_files({}, *listing)});
  ASSERT_TRUE(found);
  EXPECT_THAT(*found, ElementsAre(Artefact{"result.txt", binary_hash("x")}));
}

}  // namespace
}  // namespace arbor::workspace
