// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Reads what `perf script` prints. A sample is a header line, then its call chain, innermost frame
// first, then an empty line:
//
//   comm pid/tid time: period event:
//           addr symbol+0xoffset (binary)
//
// The text may come from a hostile program's symbols and may be cut off anywhere.
namespace arbor::ports {

// One function of one binary.
struct SymbolSamples {
  std::string symbol;  // demangled, without compiler clone suffixes (.cold, .isra.0, ._omp_fn.0)
  std::string binary;  // its path as perf saw it, or "[kernel.kallsyms]", "[unknown]", …
  std::int64_t self = 0;
  std::int64_t total = 0;                    // chains it occurs in; recursion counts once
  std::map<std::uint64_t, std::int64_t> at;  // self samples by address, as perf printed it
  bool operator==(const SymbolSamples&) const = default;
};

struct PerfSamples {
  std::int64_t count = 0;              // samples with a call chain that could be read
  std::vector<SymbolSamples> symbols;  // by self, then total, largest first; then by name
};

// Reads the text piece by piece, for it can be far larger than what is kept of it. Frames inlined
// into another belong to the function whose code they are part of.
class PerfScriptReader {
 public:
  PerfScriptReader();
  PerfScriptReader(PerfScriptReader&&) noexcept;
  ~PerfScriptReader();
  void feed(std::string_view piece);
  PerfSamples finish() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

PerfSamples parse_perf_script(std::string_view text);

// As perf prints it or still mangled → as people write it.
std::string plain_symbol(std::string_view symbol);

}  // namespace arbor::ports
