// SPDX-License-Identifier: Apache-2.0
#include "engine/reference.h"

namespace arbor::engine {

base::Result<measure::CheckReference> stored_reference(const Session& session) {
  const auto& baseline = session.state().baseline;
  if (!baseline) return base::fail(base::ErrorKind::kInternal, "the baseline was not checked yet");
  measure::CheckReference reference;
  reference.exit_code = baseline->check_exit_code;
  reference.score = baseline->score;
  reference.score_figures = baseline->score_figures;
  for (const auto& [file, address] : baseline->golden) {
    auto bytes = session.services().store.get_object(address);
    if (!bytes)
      return base::fail(
          base::ErrorKind::kCorrupt,
          "the baseline's output '" + file +
              "', which every check compares with, cannot be read: " + bytes.error().message +
              "\nWithout it the campaign cannot go on; 'arbor run --fresh' puts it "
              "away and starts anew");
    reference.golden[file] = std::move(*bytes);
  }
  return reference;
}

}  // namespace arbor::engine
