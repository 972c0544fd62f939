// SPDX-License-Identifier: Apache-2.0
#include "ports/profiler/source_lines.h"

#include <gtest/gtest.h>

namespace arbor::ports {
namespace {

TEST(SourceLines, TurnOffsetsIntoTheAddressesTheLinkerGave) {
  const auto segments = parse_segments(
      "Program Headers:\n  Type Offset VirtAddr PhysAddr FileSiz MemSiz Flg Align\n"
      "  LOAD           0x000000 0x0000000000200000 0x0000000000200000 0x000600 0x000600 R   "
      "0x1000\n"
      "  LOAD           0x000600 0x0000000000201600 0x0000000000201600 0x000200 0x000200 R E "
      "0x1000\n"
      "  NOTE           0x000238 0x0000000000200238 0x0000000000200238 0x000020 0x000020 R   "
      "0x4\n");
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(linked_address(segments, 0x610), 0x201610U);
  EXPECT_EQ(linked_address(segments, 0x201610), 0x201610U);
  EXPECT_EQ(linked_address({}, 7), 7U);
}

TEST(SourceLines, BelongToTheOutermostFunctionAndLieInTheRepository) {
  const auto lines = parse_source_lines(
      "0x0000000000001175\n/srv/app/include/dot.h:9 (discriminator 2)\n/srv/app/src/a.cc:31\n"
      "0x0000000000001180\n/usr/include/c++/12/vector:1000\n"
      "0x0000000000001190\n??:0\n"
      "0x00000000000011a0\n/srv/app/src/a.cc:?\n"
      "0x00000000000011b0\nsrc/./b.cc:4 (discriminator 7)\n"
      "0x00000000000011c0\n../c.cc:4\n"
      "0x00000000000011d0\n/srv/app/src/a.cc:31\n/usr/include/c++/12/algorithm:5\n",
      "/srv/app");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines.at(0x1175), (SourceLine{"src/a.cc", 31}));
  EXPECT_EQ(lines.at(0x11b0), (SourceLine{"src/b.cc", 4}));
}

TEST(SourceLines, ComeToNothingFromOtherText) {
  EXPECT_TRUE(parse_source_lines("addr2line: 'x': No such file", "/srv/app").empty());
  EXPECT_TRUE(parse_segments("readelf: Error: Not an ELF file\nLOAD 1 2 3 4 5 6\n").empty());
}

}  // namespace
}  // namespace arbor::ports
