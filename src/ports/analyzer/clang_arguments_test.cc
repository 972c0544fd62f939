// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/clang_arguments.h"

#include <gmock/gmock.h>

namespace arbor::ports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ClangArguments, KeepWhatChangesTheMeaningOfASource) {
  EXPECT_THAT(clang_arguments({"-std=gnu++20", "-DN=3", "-D", "M", "-Iinclude", "-isystem", "sys",
                               "-include", "pre.h", "-x", "c++", "-fopenmp", "-march=native"}),
              ElementsAre("-std=gnu++20", "-DN=3", "-D", "M", "-Iinclude", "-isystem", "sys",
                          "-include", "pre.h", "-x", "c++", "-fopenmp", "-march=native"));
}

TEST(ClangArguments, DropWhatOnlyGccKnowsAndWhatIsWritten) {
  EXPECT_THAT(
      clang_arguments({"-O2", "-Wall", "-Werror", "-fno-semantic-interposition", "-g", "-fipa-pta",
                       "-MMD", "-MF", "a.d", "-MT", "a.o", "-c", "a.cc", "-o", "-Dnot-a-macro"}),
      IsEmpty());
}

TEST(ClangArguments, DropAnOptionWhoseValueIsMissing) {
  EXPECT_THAT(clang_arguments({"-Ia", "-D"}), ElementsAre("-Ia"));
}

}  // namespace
}  // namespace arbor::ports
