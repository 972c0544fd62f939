// SPDX-License-Identifier: Apache-2.0
#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

class UserTimeReader : public Reader {
 public:
  base::Result<Reading> read(const domain::Metric& metric,
                             const ports::LaunchOutcome& outcome) const override {
    return measured_time(metric, outcome.user_ns);
  }
};

ARBOR_REGISTER(Reader, "user", "Seconds of user time of all its processes", UserTimeReader);

}  // namespace
}  // namespace arbor::measure
