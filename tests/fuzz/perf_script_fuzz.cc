// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "ports/profiler/perf_script.h"
#include "ports/profiler/source_lines.h"

// What perf, readelf and addr2line print about a hostile binary.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto samples = arbor::ports::parse_perf_script(text);
  std::int64_t self = 0;
  for (const auto& symbol : samples.symbols) {
    ARBOR_CHECK(symbol.self <= symbol.total && symbol.total <= samples.count, symbol.symbol);
    self += symbol.self;
  }
  ARBOR_CHECK(self == samples.count, "each sample has one leaf");
  (void)arbor::ports::parse_segments(text);
  (void)arbor::ports::parse_source_lines(text, "/srv/app");
  return 0;
}
