// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/measurement.h"

namespace arbor::domain {

enum class VerdictKind { kKept, kReverted, kCrashed, kRejected, kInconclusive, kSuspect };
enum class Stage {
  kPrepare,
  kApply,
  kBuild,
  kApplied,
  kCheck,
  kPairs,
  kConfirm,
  kGuardrails,
  kKeys
};

std::string_view verdict_name(VerdictKind kind);  // "kept", "reverted", …
std::optional<VerdictKind> parse_verdict(std::string_view name);
std::string_view stage_name(Stage stage);
std::optional<Stage> parse_stage(std::string_view name);

// How a trial ended. reason is one of a closed, documented list of slugs per kind, e.g. rejected:
// "wrong-output", "not-applied", "patch-refused"; crashed: "build-failed",
// "run-crashed", "timeout"; reverted: "slower", "not-worth"; docs/formats/verdicts.md lists all.
struct Verdict {
  VerdictKind kind = VerdictKind::kInconclusive;
  Stage stage = Stage::kPairs;  // where the trial ended
  std::string reason;
  std::string detail;            // a sentence for people, with the figures
  std::optional<Interval> gain;  // ln gain against the trunk it was tried on; confirm's if kept
  int pairs = 0;                 // pairs measured in all stages
  bool operator==(const Verdict&) const = default;
};

}  // namespace arbor::domain
