// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"

#include <gtest/gtest.h>

namespace arbor::base {
namespace {

TEST(Elided, KeepsWhatFitsAndMarksWhatDoesNot) {
  EXPECT_EQ(elided("größer", 6), "größer");
  EXPECT_EQ(elided("größer", 5), "größ…");
  EXPECT_EQ(elided("größer", 1), "…");
  EXPECT_EQ(elided("", 0), "");
}

TEST(Elided, NeverCutsACharacterInTwo) {
  for (std::size_t columns = 1; columns < 8; ++columns)
    EXPECT_LE(columns_of(elided("速い速い速い", columns)), columns);
}

}  // namespace
}  // namespace arbor::base
