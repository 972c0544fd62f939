// SPDX-License-Identifier: Apache-2.0
#include "workspace/build_proof.h"

#include <gmock/gmock.h>

namespace arbor::workspace {
namespace {
using testing::HasSubstr;

BuiltTree tree() {
  CompileCommand compile;
  compile.kind = CompileCommand::Kind::kCompile;
  compile.sources = {"src/hot.c"};
  compile.final_argv = {"/usr/bin/gcc-12", "-c", "src/hot.c", "-O3", "-DSCALE=3"};
  CompileCommand failed = compile;
  failed.exit_code = 1;
  failed.final_argv.emplace_back("-fwrong");
  BuiltTree made;
  made.commands = {compile, failed};
  return made;
}

std::string missing(domain::ChangeEntry entry) {
  return missing_in_commands(tree(), {{std::move(entry)}, ""});
}

TEST(BuildProof, SeesFlagsInTheCommandsOfTheirFiles) {
  EXPECT_EQ(missing(domain::CompilerFlags{{"-O3"}, {}, {}, false}), "");
  EXPECT_EQ(missing(domain::CompilerFlags{{"-O3"}, {}, {"src/hot.c"}, false}), "");
  EXPECT_THAT(missing(domain::CompilerFlags{{"-O3"}, {}, {"src/cold.c"}, false}), HasSubstr("-O3"));
  EXPECT_THAT(missing(domain::CompilerFlags{{"-O3", "-flto"}, {}, {}, true}), HasSubstr("-flto"));
}

TEST(BuildProof, SeesThatRemovedFlagsAreGone) {
  EXPECT_EQ(missing(domain::CompilerFlags{{}, {"-pg"}, {}, false}), "");
  EXPECT_EQ(missing(domain::CompilerFlags{{"-O3"}, {"-O*"}, {}, false}), "");
  EXPECT_THAT(missing(domain::CompilerFlags{{}, {"-O*"}, {}, false}), HasSubstr("still has -O*"));
}

TEST(BuildProof, CountsNoCommandThatFailed) {
  EXPECT_THAT(missing(domain::CompilerFlags{{"-fwrong"}, {}, {}, false}), HasSubstr("-fwrong"));
}

TEST(BuildProof, SeesMacrosTheCompilerAndTheProfile) {
  EXPECT_EQ(missing(domain::KnobValue{"scale", "3", "SCALE"}), "");
  EXPECT_THAT(missing(domain::KnobValue{"scale", "4", "SCALE"}), HasSubstr("-DSCALE=4"));
  EXPECT_EQ(missing(domain::KnobValue{"threads", "4"}), "") << "the witness tells of launches";
  EXPECT_EQ(missing(domain::CompilerChoice{"gcc-12", "g++-12"}), "");
  EXPECT_EQ(missing(domain::CompilerChoice{"/opt/bin/gcc-12", "/opt/bin/g++-12"}), "");
  EXPECT_THAT(missing(domain::CompilerChoice{"clang", "clang++"}), HasSubstr("clang"));
  EXPECT_THAT(missing(domain::ProfileGuided{"ab"}), HasSubstr("profile"));
}

TEST(BuildProof, SeesThatAChangedSourceIsCompiled) {
  EXPECT_EQ(missing(domain::SourcePatch{"", "", {"src/hot.c", "doc/x.md"}}), "");
  EXPECT_THAT(missing(domain::SourcePatch{"", "", {"src/dead.c"}}), HasSubstr("src/dead.c"));
  EXPECT_EQ(missing(domain::SourcePatch{"", "", {"include/hot.h"}}), "")
      << "who reads a header is not recorded";
}

}  // namespace
}  // namespace arbor::workspace
