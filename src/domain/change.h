// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "domain/manifest.h"

// What an action does when it is carried out, and the recipe: the ordered changes from the root to
// a node, from which that state is rebuilt exactly.
namespace arbor::domain {

// A unified diff against the tree it was made for. Once applied it is a commit in Arbor's own
// repository; until then commit is empty.
struct SourcePatch {
  std::string diff;
  std::string commit;
  std::vector<std::string> files;  // paths from the repository's root, sorted
  bool operator==(const SourcePatch&) const = default;
};

// Flags for the compiler shim. files empty = every translation unit; otherwise only sources whose
// path from the repository's root is listed. reaches_link: also put on link commands (global
// -flto does; per-file fast-math never may, see crtfastmath.o).
struct CompilerFlags {
  std::vector<std::string> add;     // after the program's own, so they win
  std::vector<std::string> remove;  // exact spellings; a trailing * matches any suffix ("-O*")
  std::vector<std::string> files;
  bool reaches_link = false;
  bool operator==(const CompilerFlags&) const = default;
};

// Another compiler for the whole program ("clang-19", "g++-12").
struct CompilerChoice {
  std::string c;
  std::string cxx;
  bool operator==(const CompilerChoice&) const = default;
};

// Optimise with a recorded profile. object: content address of the archive of profile data that a
// training run of the instrumented build left; empty until it was recorded.
struct ProfileGuided {
  std::string profile_object;
  bool operator==(const ProfileGuided&) const = default;
};

struct EnvironmentVariable {
  std::string name;
  std::string value;
  bool operator==(const EnvironmentVariable&) const = default;
};

struct Preload {
  std::string library;  // absolute path on the measuring machine
  bool operator==(const Preload&) const = default;
};

struct KnobValue {
  std::string knob;  // name in the manifest
  std::string value;
  std::string macro = {};  // that the compiler gets the value by; empty = it acts at the launch
  bool operator==(const KnobValue&) const = default;
};

using ChangeEntry = std::variant<SourcePatch, CompilerFlags, CompilerChoice, ProfileGuided,
                                 EnvironmentVariable, Preload, KnobValue>;

struct Change {
  std::vector<ChangeEntry> entries;
  std::string summary;  // one line: what and why, as it will stand in the commit and the report
  bool operator==(const Change&) const = default;
};

struct Recipe {
  std::vector<ChangeEntry> entries;  // in the order they were kept
  bool operator==(const Recipe&) const = default;
};

// How an entry sets a knob of the manifest; a macro's build depends on it, others' launches do.
KnobValue knob_value(const Knob& knob, std::string value);

bool changes_source(const ChangeEntry& entry);
bool changes_build(const ChangeEntry& entry);   // the build's output depends on it (source too)
bool changes_launch(const ChangeEntry& entry);  // how the program is started depends on it

// The recipe with the change behind it. Under another compiler a profile is recorded anew: theirs
// cannot be read by each other.
Recipe extended(Recipe recipe, const Change& change);

// What the recipe amounts to, in one text that is equal for equal states: the last value of each
// variable and knob, flags in order, commits in order. Its hash is the recipe's identity.
std::string canonical_form(const Recipe& recipe);
std::string recipe_hash(const Recipe& recipe);
// The same, of the build part only (source and flags): equal hashes build equal artefacts.
std::string build_hash(const Recipe& recipe);
// The text of the launch part only: equal texts start a program the same way.
std::string launch_form(const Recipe& recipe);

// "+ -O3 (src/dot.cc)", "OMP_NUM_THREADS=2", "patch src/a.cc src/b.cc": for people.
std::string describe(const ChangeEntry& entry);
std::string describe(const std::vector<ChangeEntry>& entries, std::string_view separator);

// Whether CompilerFlags::remove names the flag.
bool is_removed_by(std::string_view flag, std::string_view pattern);

}  // namespace arbor::domain
