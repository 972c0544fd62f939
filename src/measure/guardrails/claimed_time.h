// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "domain/manifest.h"
#include "domain/measurement.h"

// A metric that a program prints may be a time. Then the parent's clock can hold it to account.
namespace arbor::measure {

// Seconds per unit of the metric. By its name's last word ("solve_ms", "time_s", "…_seconds"), else
// by its size: smaller is better, and in one of s, ms, µs, ns it makes up half to all of the wall
// time in every launch of the trunk. Nothing for metrics that the parent itself measures.
std::optional<double> claimed_unit_s(const domain::Metric& metric,
                                     std::span<const domain::Pair> pairs);

}  // namespace arbor::measure
