// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace arbor::domain {

// A symbol with its share of time. share is a fraction of all samples of the run, self time only.
struct Hotspot {
  std::string symbol;  // demangled
  std::string object;  // base name of the binary or library it lives in
  std::string file;    // source path from the repository's root; empty where unknown
  int line = 0;        // hottest line; 0 where unknown
  double share = 0;
  double total_share = 0;  // self and callees; at least share
  bool operator==(const Hotspot&) const = default;
};

struct Profile {
  std::string tool;  // "perf cpu-clock"; "none" where no profiler works, and then no hotspots
  std::int64_t samples = 0;
  std::vector<Hotspot> hotspots;  // by share, largest first
  std::string note;  // what the reader should know: "no permission: sysctl …", "few samples"
  bool operator==(const Profile&) const = default;
};

// Half the sum of absolute changes of shares by (symbol, object): 0 = equal, 1 = nothing in common.
double profile_shift(const Profile& before, const Profile& after);

// Share of all hotspots whose symbol contains one of the words ("malloc", "free").
double share_matching(const Profile& profile, const std::vector<std::string>& words);

}  // namespace arbor::domain
