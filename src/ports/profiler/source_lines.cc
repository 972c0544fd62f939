// SPDX-License-Identifier: Apache-2.0
#include "ports/profiler/source_lines.h"

#include <charconv>

#include "base/text.h"

namespace arbor::ports {
namespace fs = std::filesystem;
namespace {

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, failed] = std::from_chars(text.data() + 2, last, number, 16);
  if (failed != std::errc() || end != last) return std::nullopt;
  return number;
}

std::optional<std::string> path_in_tree(std::string_view file, const fs::path& tree_path) {
  fs::path path = fs::path(file).lexically_normal();
  if (path.is_absolute()) path = path.lexically_relative(tree_path.lexically_normal());
  if (path.empty() || *path.begin() == ".." || path == ".") return std::nullopt;
  return path.string();
}

// "/a/b.c:12", "/a/b.c:12 (discriminator 3)"; "??:0" and "/a/b.c:?" say nothing.
std::optional<SourceLine> parse_location(std::string_view text, const fs::path& tree_path) {
  if (const auto note = text.rfind(" (discriminator "); note != std::string_view::npos)
    text = text.substr(0, note);
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || text.starts_with("??")) return std::nullopt;
  SourceLine line;
  const char* const last = text.data() + text.size();
  const auto [end, failed] = std::from_chars(text.data() + colon + 1, last, line.line);
  if (failed != std::errc() || end != last || line.line <= 0) return std::nullopt;
  auto file = path_in_tree(text.substr(0, colon), tree_path);
  if (!file) return std::nullopt;
  line.file = std::move(*file);
  return line;
}

}  // namespace

std::vector<Segment> parse_segments(std::string_view readelf_text) {
  std::vector<Segment> segments;
  for (const auto line : base::lines_of(readelf_text)) {
    std::vector<std::string_view> fields;
    for (const auto field : base::split(base::trim(line), ' '))
      if (!field.empty()) fields.push_back(field);
    if (fields.size() < 6 || fields[0] != "LOAD") continue;
    const auto offset = hexadecimal(fields[1]), address = hexadecimal(fields[2]);
    const auto size = hexadecimal(fields[4]);
    if (offset && address && size) segments.push_back({*offset, *address, *size});
  }
  return segments;
}

std::uint64_t linked_address(const std::vector<Segment>& segments, std::uint64_t file_offset) {
  for (const auto& segment : segments)
    if (file_offset >= segment.offset && file_offset - segment.offset < segment.size)
      return file_offset - segment.offset + segment.address;
  return file_offset;  // already an address, as older versions of perf print it
}

std::map<std::uint64_t, SourceLine> parse_source_lines(std::string_view addr2line_text,
                                                       const fs::path& tree_path) {
  std::map<std::uint64_t, SourceLine> lines;
  std::optional<std::uint64_t> address;
  for (const auto text : base::lines_of(addr2line_text)) {
    if (const auto next = hexadecimal(text)) {
      address = next;
    } else if (address) {
      // The last location of an address is the outermost function's, whether we know it or not.
      if (auto line = parse_location(text, tree_path))
        lines[*address] = std::move(*line);
      else
        lines.erase(*address);
    }
  }
  return lines;
}

}  // namespace arbor::ports
