// SPDX-License-Identifier: Apache-2.0
#include "workspace/export_flags.h"

#include <gmock/gmock.h>

#include "workspace/builder_fixture.h"
#include "workspace/elf_hash.h"

namespace arbor::workspace {
namespace {
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kMain =
    "#include <stdio.h>\nint hot(const int*, int);\nint main(void) {\n  int v[64];\n  for (int i = "
    "0; i < 64; ++i) v[i] = i;\n  printf(\"%d\\n\", hot(v, 64) + cold(v, 64) * SCALE);\n}\n";

std::string summing(const std::string& name) {
  return "int " + name +
         "(const int* v, int n) {\n  int s = 0;\n  for (int i = 0; i < n; ++i) s += v[i] * v[i];\n "
         " return s;\n}\n";
}

const std::map<std::string, std::string> kSources = {
    {"src/main.c", std::string("int cold(const int*, int);\n") + kMain},
    {"src/hot.c", summing("hot")},
    {"src/inner/cold.c", summing("cold")},
    {".gitignore", "build\n"}};

domain::Recipe recipe() {
  return {{domain::CompilerFlags{{"-O3"}, {"-O*"}, {}, false},
           domain::CompilerFlags{{"-Wl,--hash-style=sysv"}, {}, {}, true},
           domain::CompilerFlags{{"-funroll-loops", "-DWHY=\"it's $5\""}, {}, {"src/hot.c"}, false},
           domain::KnobValue{"scale", "3", "SCALE"}}};
}

domain::Knob scale() {
  domain::Knob knob;
  knob.name = "scale";
  knob.kind = domain::KnobKind::kDefine;
  knob.variable = "SCALE";
  return knob;
}

class ExportedFlags : public BuilderFixture {
 protected:
  // Builds the program with the recipe through Arbor, and what a build of the export needs.
  void build_with_arbor(const std::string& command, std::map<std::string, std::string> files) {
    files.insert(kSources.begin(), kSources.end());
    domain::Manifest manifest;
    manifest.build.command = order_.build_command = command;
    manifest.bench.command = "build/app";
    manifest.knobs = order_.knobs = {scale()};
    order_.recipe = recipe();
    open_builder(files, manifest);
    if (!builder_) return;
    const BuiltTree plain = build({.commit = base_, .recipe = {}, .purpose = "baseline"});
    order_.objects = object_files(plain.commands, top());
    const BuiltTree best = build({.commit = base_, .recipe = order_.recipe, .purpose = "best"});
    best_ = binary_hash(text_of(best.folder / "build/app"));
    ASSERT_NE(binary_hash(text_of(plain.folder / "build/app")), best_);
  }

  // As somebody does who was given the export: in a checkout elsewhere, without Arbor.
  void build_by_hand(const std::map<std::string, std::string>& exported,
                     const std::vector<std::vector<std::string>>& commands) {
    const fs::path clone = scratch() / "elsewhere";
    run_in(scratch(), {"git", "clone", "-q", top().string(), clone.string()});
    for (const auto& [name, text] : exported) put(clone / name, text);
    for (const auto& command : commands) run_in(clone, command);
  }

  std::string hash_of(const std::string& app) const {
    return binary_hash(text_of(scratch() / "elsewhere" / app));
  }

  SeriesOrder order_;
  std::string best_;
};

TEST_F(ExportedFlags, MakeTheSameProgramWithMake) {
  build_with_arbor("make",
                   {{"Makefile",
                     "CFLAGS = -O1 -g -DSCALE=2\n-include flags.mk\nOBJECTS = build/src/main.o "
                     "build/src/hot.o build/src/inner/cold.o\nbuild/app: $(OBJECTS)\n\t$(CC) "
                     "$(CFLAGS) $(LDFLAGS) -o $@ $^\nbuild/%.o: %.c\n\t@mkdir -p $(@D)\n\t$(CC) "
                     "$(CFLAGS) -c -o $@ $<\n"}});
  if (!builder_) return;
  build_by_hand({{"flags.mk", make_flags(order_)}}, {{"make"}});
  EXPECT_EQ(hash_of("build/app"), best_) << make_flags(order_);
  EXPECT_THAT(flags_by_hand(order_), IsEmpty());
}

TEST_F(ExportedFlags, MakeTheSameProgramWithCmake) {
  build_with_arbor(
      "cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build build",
      {{"CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(app C)\nset(CMAKE_RUNTIME_OUTPUT_DIRECTORY "
        "${CMAKE_BINARY_DIR})\nadd_subdirectory(src)\n"},
       {"src/CMakeLists.txt",
        "add_compile_options(-DSCALE=2)\nadd_executable(app main.c hot.c inner/cold.c)\n"}});
  if (!builder_) return;
  build_by_hand({{"CMakePresets.json", cmake_preset(order_)}, {"arbor.cmake", cmake_flags(order_)}},
                {{"cmake", "--preset", "arbor"}, {"cmake", "--build", "build/arbor"}});
  EXPECT_EQ(hash_of("build/arbor/app"), best_) << cmake_flags(order_);
  EXPECT_TRUE(text_of(scratch() / "elsewhere/build/arbor/CMakeCache.txt")
                  .contains("CMAKE_BUILD_TYPE:STRING=RelWithDebInfo"));
  EXPECT_THAT(flags_by_hand(order_), IsEmpty());
}

TEST(ExportedFlagsText, RepeatsTheOptionsOfTheBuildCommand) {
  SeriesOrder order;
  order.build_command = "cmake -S src -B out '-DCMAKE_C_FLAGS=-O2 -g' -DX:BOOL=ON && make";
  order.recipe = {{domain::CompilerFlags{{"-O3"}, {}, {"src/a.c"}, false}}};
  EXPECT_THAT(cmake_preset(order), HasSubstr("\"CMAKE_C_FLAGS\": \"-O2 -g\""));
  EXPECT_THAT(cmake_preset(order), HasSubstr("\"X\": \"ON\""));
  EXPECT_THAT(cmake_flags(order), HasSubstr("\"${CMAKE_SOURCE_DIR}/a.c\""));
}

TEST(FlagsByHand, AreThoseOfFilesThatNoRuleOfTheProgramsMakefileMakes) {
  SeriesOrder order;
  order.build_command = "make";
  order.recipe = {{domain::CompilerFlags{{"-O3"}, {}, {"a.c", "sub/b.c"}, false}}};
  order.objects = {{"a.c", "obj/a.o", "."}, {"sub/b.c", "b.o", "sub"}};
  EXPECT_THAT(make_flags(order), HasSubstr("obj/a.o: override CFLAGS += -O3\n"));
  EXPECT_THAT(flags_by_hand(order), ElementsAre("Compile sub/b.c with -O3 added, no other file."));
  order.program_folder = "sub";
  EXPECT_THAT(make_flags(order), HasSubstr("\nb.o: override CFLAGS += -O3\n"));
}

TEST(FlagsByHand, AreRemovalsThatNoFileExpresses) {
  SeriesOrder order;
  order.build_command = "cmake . && make";
  order.recipe = {{domain::CompilerFlags{{"-O2"}, {"-O*", "-fno-inline"}, {}, false},
                   domain::CompilerFlags{{}, {"-pg"}, {"a.c"}, false}}};
  EXPECT_THAT(flags_by_hand(order), ElementsAre("Take out of the build's own flags: -fno-inline.",
                                                "Compile a.c without -pg."));
}

TEST(ExportedFlagsText, IsEmptyWhereTheRecipeHasNone) {
  EXPECT_EQ(cmake_preset({}), "");
  EXPECT_EQ(cmake_flags({}), "");
  EXPECT_EQ(make_flags({}), "");
}

}  // namespace
}  // namespace arbor::workspace
