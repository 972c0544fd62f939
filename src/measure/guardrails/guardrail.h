// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/registry.h"
#include "domain/manifest.h"
#include "domain/measurement.h"

// A guardrail is a mechanical check on a measurement or its machine, one file each:
//   ARBOR_REGISTER(Guardrail, "load-of-others", "Voids pairs measured …", LoadOfOthers);
// They are pure: what they judge is handed to them. A field that is absent means not known, and a
// guardrail that needs it then has nothing to say.
namespace arbor::measure {

// before: may a pair begin? during: may this pair count? after: may this stage's result stand?
enum class GuardPhase { kBefore, kDuring, kAfter };

// Severities in rising order; of several findings the most severe decides. kStop is the world's
// failure: the campaign cannot go on until someone mends it.
enum class FindingKind { kNote, kVoidPair, kInconclusive, kSuspect, kRevert, kReject, kStop };

struct Finding {
  FindingKind kind = FindingKind::kNote;
  std::string reason;  // slug of docs/formats/verdicts.md
  std::string detail;
  bool operator==(const Finding&) const = default;
};

struct GuardContext {
  // before
  std::optional<std::uint64_t> disk_free_bytes;
  // during
  const domain::Pair* pair = nullptr;
  std::optional<double> load_of_others;  // busy CPUs without the arms' own, mean over the pair
  std::optional<double> memory_stall_of_others;  // share of the pair's time, without the arms' own
  int machine_cpus = 0;                          // 0 = not known
  // after: the pairs of one stage, void ones left out
  std::span<const domain::Pair> pairs;
  std::optional<domain::Interval> gain;
  bool is_confirm = false;
  double worthwhile_gain = 0.01;  // δ1
  double touched_share = 1;       // f of the prediction, its upper bound
  double upper_speedup = 1;       // upper 95 % prediction; 1 and less = none was made
  bool is_whole_program = true;
  bool is_inner = false;
  // The metric comes from the candidate's own source and nobody else's.
  bool is_own_word = false;
  // of the manifest
  domain::Metric metric;
  std::span<const domain::Metric> guards;
};

class Guardrail {
 public:
  virtual ~Guardrail() = default;
  virtual GuardPhase phase() const = 0;
  virtual std::optional<Finding> check(const GuardContext& context) const = 0;
};

// CPUs that other processes may keep busy during a pair that counts.
double bearable_load(int machine_cpus);

// Findings of every guardrail of a phase that is not switched off, most severe first.
std::vector<Finding> findings(GuardPhase phase, const GuardContext& context,
                              std::span<const std::string> without = {});

}  // namespace arbor::measure
