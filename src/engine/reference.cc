// SPDX-License-Identifier: Apache-2.0
#include "engine/reference.h"

namespace arbor::engine {

base::Result<measure::CheckReference> stored_reference(const Session& session) {
  const auto& baseline = session.state().baseline;
  if (!baseline) return base::fail(base::ErrorKind::kInternal, "the baseline was not checked yet");
  measure::CheckReference reference;
  reference.exit_code = baseline->check_exit_code;
  reference.score = baseline->score;
  for (const auto& [file, address] : baseline->golden) {
    ARBOR_TRY(reference.golden[file], session.services().store.get_object(address));
  }
  return reference;
}

}  // namespace arbor::engine
