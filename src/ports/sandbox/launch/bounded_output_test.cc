// SPDX-License-Identifier: Apache-2.0
#include "ports/sandbox/launch/bounded_output.h"

#include <gtest/gtest.h>

namespace arbor::ports {
namespace {

TEST(BoundedOutput, KeepsEverythingThatFits) {
  BoundedOutput output(10);
  output.append("01234");
  output.append("56789");
  EXPECT_EQ(output.text(), "0123456789");
  EXPECT_FALSE(output.is_truncated());
}

TEST(BoundedOutput, DropsTheMiddleAndSaysHowMuch) {
  BoundedOutput output(6);
  output.append("abcdefghij");
  EXPECT_EQ(output.text(), "abc\n[... 4 bytes dropped ...]\nhij");
  EXPECT_TRUE(output.is_truncated());
}

TEST(BoundedOutput, GivesTheSameTextHoweverTheBytesArrive) {
  std::string all;
  for (int i = 0; i < 1000; ++i) all += static_cast<char>('a' + i % 26);
  BoundedOutput at_once(64);
  at_once.append(all);
  for (const std::size_t piece : {1UL, 3UL, 7UL, 31UL, 33UL, 500UL}) {
    BoundedOutput in_pieces(64);
    for (std::size_t i = 0; i < all.size(); i += piece) in_pieces.append(all.substr(i, piece));
    EXPECT_EQ(in_pieces.text(), at_once.text()) << piece;
  }
}

TEST(BoundedOutput, OfNoBytesKeepsOnlyTheNote) {
  BoundedOutput output(0);
  output.append("abc");
  EXPECT_EQ(output.text(), "\n[... 3 bytes dropped ...]\n");
}

}  // namespace
}  // namespace arbor::ports
