// SPDX-License-Identifier: Apache-2.0
#include "workspace/shim/tools.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace arbor::workspace {
namespace {

TEST(Tools, KnowsDriversByTheirNames) {
  for (const char* name : {"cc", "gcc", "clang", "gcc-12", "clang-19", "c99", "c89-gcc"})
    EXPECT_EQ(class_of_tool(name), ToolClass::kCDriver) << name;
  for (const char* name : {"c++", "g++", "clang++", "g++-12", "clang++-19"})
    EXPECT_EQ(class_of_tool(name), ToolClass::kCxxDriver) << name;
}

TEST(Tools, DoesNotTakeOtherToolsForDrivers) {
  for (const char* name : {"clang-format-19", "clang-tidy", "clang-cpp-19", "gcov", "git", "make",
                           "gcc-", "ccache-swig", "ldd", "llvm-arm", "afl-gcc", ""})
    EXPECT_EQ(class_of_tool(name), ToolClass::kOther) << name;
}

TEST(Tools, KnowsBinutilsAndLaunchers) {
  for (const char* name : {"ar", "ranlib", "nm", "gcc-ar-12", "llvm-nm-19", "llvm-ranlib"})
    EXPECT_EQ(class_of_tool(name), ToolClass::kArchiver) << name;
  EXPECT_EQ(class_of_tool("ld.lld-14"), ToolClass::kLinker);
  EXPECT_EQ(class_of_tool("sccache"), ToolClass::kLauncher);
}

TEST(Tools, LeavesDriversForOtherMachinesAlone) {
  for (const char* name : {"avr-linux-gnu-gcc", "m68k-linux-gnu-g++-12", "i686-w64-mingw32-gcc"})
    EXPECT_EQ(class_of_tool(name), ToolClass::kCrossDriver) << name;
#ifdef __x86_64__
  EXPECT_EQ(class_of_tool("x86_64-linux-gnu-gcc-12"), ToolClass::kCDriver);
  EXPECT_EQ(class_of_tool("x86_64-linux-gnu-gcc-ar"), ToolClass::kArchiver);
  EXPECT_EQ(class_of_tool("x86_64-w64-mingw32-g++"), ToolClass::kCrossDriver);
#endif
}

TEST(Tools, RunsTheChosenCompilerForEveryNameOfTheLanguage) {
  ShimPlan plan;
  EXPECT_EQ(driver_for("gcc-12", plan).name, "gcc-12");
  plan.compiler = domain::CompilerChoice{"clang-19", "clang++-19"};
  EXPECT_EQ(driver_for("cc", plan).name, "clang-19");
  EXPECT_EQ(driver_for("g++", plan).name, "clang++-19");
  EXPECT_EQ(driver_for("c99", plan).extra, std::vector<std::string>{"-std=c99"});
  plan.compiler->c = "";
  EXPECT_EQ(driver_for("cc", plan).name, "cc");
}

TEST(Tools, ChoosesAnArchiverThatReadsLinkTimeObjects) {
  ShimPlan plan;
  EXPECT_EQ(archivers_for("ar", plan, false), std::vector<std::string>{"ar"});
  EXPECT_EQ(archivers_for("ar", plan, true).front(), "llvm-ar-40");
  plan.flags.push_back({{"-flto"}, {}, {}, true});
  EXPECT_EQ(archivers_for("ranlib", plan, false),
            (std::vector<std::string>{"gcc-ranlib", "ranlib"}));
  plan.compiler = domain::CompilerChoice{"clang-19", "clang++-19"};
  EXPECT_EQ(archivers_for("gcc-nm", plan, false).front(), "llvm-nm-19");
  plan.compiler = domain::CompilerChoice{"gcc-12", "g++-12"};
  EXPECT_EQ(archivers_for("ar", plan, false).front(), "gcc-ar-12");
}

}  // namespace
}  // namespace arbor::workspace
