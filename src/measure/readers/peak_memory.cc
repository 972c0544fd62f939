// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

class PeakMemoryReader : public Reader {
 public:
  base::Result<Reading> read(const domain::Metric& metric,
                             const ports::LaunchOutcome& outcome) const override {
    if (!outcome.peak_bytes || *outcome.peak_bytes <= 0)
      return base::fail(base::ErrorKind::kNotFound,
                        fmt::format("metric {}: this machine did not report the run's peak memory; "
                                    "`arbor doctor` says what is missing",
                                    metric.name));
    return Reading{static_cast<double>(*outcome.peak_bytes)};
  }
};

ARBOR_REGISTER(Reader, "memory", "Peak memory of the run in bytes", PeakMemoryReader);

}  // namespace
}  // namespace arbor::measure
