// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "agents/specialists/sample_evidence.h"
#include "base/hash.h"
#include "search/search.h"

// Whole campaigns without a machine: the real specialists propose for a program in memory, the real
// search chooses, and a model of the program says what each recipe is worth. Deterministic, so that
// a change of a prior or of the policy shows in numbers before it costs a measured campaign.
namespace arbor::agents {

// What a recipe amounts to, as a landscape asks it.
class Settings {
 public:
  Settings(const domain::Manifest& manifest, const domain::Recipe& recipe)
      : manifest_(manifest), recipe_(recipe) {}

  bool has_flag(std::string_view flag, std::string_view file = {}) const {
    return any<domain::CompilerFlags>([&](const auto& flags) {
      const bool reaches =
          flags.files.empty() || std::ranges::find(flags.files, file) != flags.files.end();
      return reaches && std::ranges::find(flags.add, flag) != flags.add.end();
    });
  }
  bool is_fast(std::string_view file) const {  // sums may be reordered
    return has_flag("-ffast-math", file) || has_flag("-fassociative-math", file);
  }
  // A patch is known by its action: "omp-simd-reduction@dot".
  bool has_patch(std::string_view words) const {
    return any<domain::SourcePatch>(
        [&](const auto& patch) { return patch.commit.contains(words); });
  }
  bool has_pgo() const {
    return any<domain::ProfileGuided>([](const auto&) { return true; });
  }
  bool has_preload(std::string_view name) const {
    return any<domain::Preload>([&](const auto& one) { return one.library.contains(name); });
  }
  std::string variable(std::string_view name) const {
    std::string value;
    any<domain::EnvironmentVariable>([&](const auto& one) {
      if (one.name == name) value = one.value;
      return false;
    });
    return value;
  }
  std::string knob(std::string_view name) const {
    std::string value;
    for (const auto& knob : manifest_.knobs)
      if (knob.name == name) value = knob.default_value;
    any<domain::KnobValue>([&](const auto& one) {
      if (one.knob == name) value = one.value;
      return false;
    });
    return value;
  }
  double number(std::string_view name) const { return std::stod(knob(name)); }

 private:
  template <typename Entry, typename Wanted>
  bool any(Wanted wanted) const {
    return std::ranges::any_of(recipe_.entries, [&](const auto& entry) {
      const auto* one = std::get_if<Entry>(&entry);
      return one != nullptr && wanted(*one);
    });
  }
  const domain::Manifest& manifest_;
  const domain::Recipe& recipe_;
};

struct Landscape {
  std::string name;
  SampleProgram program;  // its hotspots hold symbols and places; times() their shares
  // Time of each hotspot of the program, in its order, with these settings; 1 in all at the root.
  std::function<std::vector<double>(const Settings&)> times;
  domain::Recipe best;  // the best one known

  double log_speed(const domain::Recipe& recipe) const {
    double sum = 0;
    for (const double time : times({program.manifest, recipe})) sum += time;
    return -std::log(sum);
  }
};

struct PlayedTrial {
  std::string title, why;
  std::vector<domain::Action> parts;  // itself, or what was combined
  domain::VerdictKind verdict = domain::VerdictKind::kInconclusive;
  double log_speed = 0;  // of the trunk after it
};

class LandscapeCampaign {
 public:
  explicit LandscapeCampaign(const Landscape& landscape)
      : land_(landscape), program_(landscape.program), search_(search::SearchOptions{}) {
    profile();
    search_.add_root("c0", program_.profile);
    propose();
  }

  // Up to so many trials; fewer where the search has nothing left.
  std::vector<PlayedTrial> play(int trials);
  const search::Search& search() const { return search_; }

 private:
  void profile();
  void propose();
  domain::Change carry_out(const domain::Action& action, const PlayedTrial& trial);
  domain::Verdict judge(const domain::Change& change, const domain::Recipe& candidate) const;
  double minutes_of(const domain::Change& change, const domain::Verdict& verdict) const;
  PlayedTrial play_one(const search::Choice& choice);

  const Landscape& land_;
  SampleProgram program_;
  search::Search search_;
  std::int64_t next_trial_ = 1;
};

std::vector<Landscape> development_landscapes();
std::vector<Landscape> held_out_landscapes();

}  // namespace arbor::agents
