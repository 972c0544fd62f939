// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// From the addresses of a profile to lines of the repository's sources, by way of `readelf -lW` and
// `addr2line -a -i`, which run where the program ran. Everything here only reads their text.
namespace arbor::ports {

struct SourceLine {
  std::string file;  // from the repository's root
  int line = 0;
  auto operator<=>(const SourceLine&) const = default;
};

// A loaded part of a binary. perf prints addresses of user code as offsets into the file, addr2line
// wants the addresses that the linker gave.
struct Segment {
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool operator==(const Segment&) const = default;
};

std::vector<Segment> parse_segments(std::string_view readelf_text);
std::uint64_t linked_address(const std::vector<Segment>& segments, std::uint64_t file_offset);

// By linked address. Where code was inlined the line is that of the function which holds it, so
// that a symbol, its file and its line belong together; lines outside the repository are left out.
std::map<std::uint64_t, SourceLine> parse_source_lines(std::string_view addr2line_text,
                                                       const std::filesystem::path& tree_path);

}  // namespace arbor::ports
