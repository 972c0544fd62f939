// SPDX-License-Identifier: Apache-2.0
#include "engine/reference.h"

#include "base/hash.h"

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

base::Result<std::string> judge_hash(const Session& session) {
  base::Hasher hasher;
  ARBOR_TRY(const std::string harness, session.services().builder.harness_hash(session.baseline));
  hasher.add(harness);
  if (!session.state().baseline) return hasher.hex();
  ARBOR_TRY(const auto reference, stored_reference(session));
  for (const auto& [file, bytes] : reference.golden) hasher.add(file).add(bytes);
  return hasher.hex();
}

}  // namespace arbor::engine
