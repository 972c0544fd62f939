// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

// What a process of the program really was started with: libarbor_witness.so, put first into
// LD_PRELOAD of one untimed launch with the record folder mounted, writes one file per executed
// program. It proves that a variable or a preload arrived. Statically linked programs leave none.
namespace arbor::workspace {

inline constexpr std::string_view kWitnessFile = "/run/arbor/shim/bin/libarbor_witness.so";

struct Witness {
  std::string executable;  // absolute, as /proc/self/exe names it
  std::map<std::string, std::string> environment;
  std::vector<std::string> libraries;  // mapped with code at start, without the executable; sorted
  bool operator==(const Witness&) const = default;
};

base::Result<Witness> parse_witness(std::string_view bytes);
// All witness files of a record folder, by name; an absent folder is an error, an empty one is not.
base::Result<std::vector<Witness>> read_witnesses(const std::filesystem::path& folder);

}  // namespace arbor::workspace
