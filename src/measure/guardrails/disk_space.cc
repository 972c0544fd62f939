// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "measure/guardrails/guardrail.h"

namespace arbor::measure {
namespace {

constexpr std::uint64_t kLeast = 512ULL << 20;  // a build tree, an overlay and the journal

class DiskSpace : public Guardrail {
 public:
  GuardPhase phase() const override { return GuardPhase::kBefore; }
  std::optional<Finding> check(const GuardContext& context) const override {
    if (!context.disk_free_bytes || *context.disk_free_bytes >= kLeast) return std::nullopt;
    return Finding{FindingKind::kStop, "disk-space",
                   fmt::format("the disk is nearly full: {} MiB are free, at least {} are needed",
                               *context.disk_free_bytes >> 20, kLeast >> 20)};
  }
};

ARBOR_REGISTER(Guardrail, "disk-space", "Begins no pair on a disk that is nearly full", DiskSpace);

}  // namespace
}  // namespace arbor::measure
