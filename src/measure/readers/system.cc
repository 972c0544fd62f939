// SPDX-License-Identifier: Apache-2.0
#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

class SystemTimeReader : public Reader {
 public:
  base::Result<Reading> read(const domain::Metric& metric,
                             const ports::LaunchOutcome& outcome) const override {
    return measured_time(metric, outcome.system_ns);
  }
};

ARBOR_REGISTER(Reader, "system", "Seconds of system time of all its processes", SystemTimeReader);

}  // namespace
}  // namespace arbor::measure
