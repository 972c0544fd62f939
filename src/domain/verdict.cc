// SPDX-License-Identifier: Apache-2.0
#include "domain/verdict.h"

namespace arbor::domain {

std::string_view verdict_name(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kKept:
      return "kept";
    case VerdictKind::kReverted:
      return "reverted";
    case VerdictKind::kCrashed:
      return "crashed";
    case VerdictKind::kRejected:
      return "rejected";
    case VerdictKind::kInconclusive:
      return "inconclusive";
    case VerdictKind::kSuspect:
      return "suspect";
  }
  return "inconclusive";
}

std::optional<VerdictKind> parse_verdict(std::string_view name) {
  for (const auto kind :
       {VerdictKind::kKept, VerdictKind::kReverted, VerdictKind::kCrashed, VerdictKind::kRejected,
        VerdictKind::kInconclusive, VerdictKind::kSuspect})
    if (verdict_name(kind) == name) return kind;
  return std::nullopt;
}

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::kPrepare:
      return "prepare";
    case Stage::kApply:
      return "apply";
    case Stage::kBuild:
      return "build";
    case Stage::kApplied:
      return "applied";
    case Stage::kCheck:
      return "check";
    case Stage::kPairs:
      return "pairs";
    case Stage::kConfirm:
      return "confirm";
    case Stage::kGuardrails:
      return "guardrails";
    case Stage::kKeys:
      return "keys";
  }
  return "prepare";
}

std::optional<Stage> parse_stage(std::string_view name) {
  for (const auto stage :
       {Stage::kPrepare, Stage::kApply, Stage::kBuild, Stage::kApplied, Stage::kCheck,
        Stage::kPairs, Stage::kConfirm, Stage::kGuardrails, Stage::kKeys})
    if (stage_name(stage) == name) return stage;
  return std::nullopt;
}

}  // namespace arbor::domain
