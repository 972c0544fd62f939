// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agents/specialists/specialist.h"

// Questions that several specialists ask of the evidence.
namespace arbor::agents {

// A compiled source with the share of time its symbols take.
struct HotFile {
  std::string path;  // from the repository's root
  double share = 0;  // self time, summed over its symbols
  bool operator==(const HotFile&) const = default;
};

// Compiles of the trunk's build that name a source inside the repository.
std::vector<const workspace::CompileCommand*> compiles(const Evidence& evidence);
// Their sources, sorted, each once.
std::vector<std::string> compiled_sources(const Evidence& evidence);
// Compiled sources that the profile names, hottest first; ties by path.
std::vector<HotFile> hot_files(const Evidence& evidence);

// Share of time in the program's own code, outside shared libraries and the kernel: what compiler
// flags can touch. A cautious guess where there is no profile.
double own_share(const Evidence& evidence);

// The last argument of a command that starts with a prefix: the one that wins.
std::optional<std::string> last_argument(const workspace::CompileCommand& command,
                                         std::string_view prefix);

// The flag is on every compile of the trunk, or (file given) on every compile of that file;
// whether the program or the recipe put it there.
bool has_flag(const Evidence& evidence, std::string_view flag, std::string_view file = {});
// All of them, as has_flag.
bool has_flags(const Evidence& evidence, const std::vector<std::string>& flags,
               std::string_view file = {});

// "c" and "c++" sources by suffix.
bool is_c_family(std::string_view path);

// The source speaks of float or double. False where it cannot be read.
bool is_float_code(const Evidence& evidence, const std::string& path);

// text holds word, not as a part of a longer identifier.
bool has_word(std::string_view text, std::string_view word);

}  // namespace arbor::agents
