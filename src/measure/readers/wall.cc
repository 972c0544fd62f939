// SPDX-License-Identifier: Apache-2.0
#include "measure/readers/reader.h"

namespace arbor::measure {
namespace {

class WallReader : public Reader {
 public:
  base::Result<Reading> read(const domain::Metric& metric,
                             const ports::LaunchOutcome& outcome) const override {
    return measured_time(metric, outcome.wall_ns);
  }
};

ARBOR_REGISTER(Reader, "wall",
               "Seconds from the release of the command until its last process is gone",
               WallReader);

}  // namespace
}  // namespace arbor::measure
