// SPDX-License-Identifier: Apache-2.0
// Builds and launches where nothing can be mounted (--unsafe): every place is another one.
#include <gmock/gmock.h>

#include "ports/sandbox/unsafe/plain_processes.h"
#include "workspace/builder_fixture.h"

namespace arbor::workspace {
namespace {
using testing::Contains;

class WithoutASandbox : public BuilderFixture {
 protected:
  void open() {
    domain::Manifest manifest;
    manifest.build.command = "make";
    manifest.bench.command = "./app";
    open_builder({{".gitignore", "app\n*.o\n"},
                  {"Makefile", "app: src/main.o\n\tgcc -o app src/main.o\n"},
                  {"src/main.c",
                   "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n"
                   "#ifdef __OPTIMIZE__\n  puts(\"optimised\");\n#endif\n"
                   "  return getenv(\"MODE\") == NULL;\n}\n"}},
                 manifest);
    auto plain = ports::open_plain_processes(scratch() / "plain");
    ASSERT_TRUE(plain) << plain.error().message;
    sandbox_ = std::move(*plain);
    reopen();
  }
};

TEST_F(WithoutASandbox, TheShimFindsItsPlanAndItsRecord) {
  open();
  const domain::CompilerFlags flags{{"-O2"}, {}, {"src/main.c"}, false};
  const BuiltTree tree = build({.commit = base_, .recipe = {{flags}}, .purpose = "flags"});
  ASSERT_FALSE(tree.commands.empty());
  EXPECT_EQ(tree.commands[0].sources, std::vector<std::string>{"src/main.c"});
  EXPECT_THAT(tree.commands[0].final_argv, Contains("-O2")) << "by its name within the tree";
  Builder::LaunchOrder order;
  order.tree = &tree;
  order.command = "./app";
  EXPECT_EQ(launch(order).standard_output, "optimised\n");
}

TEST_F(WithoutASandbox, TheJudgesFilesAndIdleProgramsLieInTheTree) {
  open();
  const BuiltTree judge = build({.commit = base_, .recipe = {}, .purpose = "root"});
  const BuiltTree cheat =
      build({.commit = base_, .recipe = {}, .bypass_cache = true, .purpose = "cheat"});
  put(cheat.folder / "src/main.c", "forged\n");
  Builder::LaunchOrder order;
  order.tree = &cheat;
  order.judge = &judge;
  order.harness = {"src/**"};
  order.command = "grep -c forged src/main.c; MODE=1 ./app";
  EXPECT_EQ(launch(order).standard_output, "0\n");
  order.command = "./app";
  EXPECT_EQ(launch(order).exit_code, 1) << "MODE is not set";
  order.idle_exit_code = 0;
  EXPECT_EQ(launch(order).exit_code, 0) << "a program that does nothing stands in its place";
  EXPECT_EQ(text_of(cheat.folder / "src/main.c"), "forged\n") << "in a copy of the tree";
}

TEST_F(WithoutASandbox, TheWitnessTellsWhatArrived) {
  open();
  const BuiltTree tree = build({.commit = base_, .recipe = {}, .purpose = "root"});
  const domain::Change change{{domain::EnvironmentVariable{"MODE", "fast"}}, "fast"};
  const auto missing = builder_->prove_launch_change(tree, tree, {}, change, {});
  ASSERT_TRUE(missing) << missing.error().message;
  EXPECT_EQ(*missing, "");
}

}  // namespace
}  // namespace arbor::workspace
