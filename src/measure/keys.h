// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "domain/verdict.h"

// Two keys or no keep. The Orchestrator's key is on the numbers and is turned here; the Critic's,
// on their integrity, is turned elsewhere and only handed in.
namespace arbor::measure {

struct Key {
  bool is_signed = false;
  std::string reason;  // why it was withheld; said for a signed key too where there is a remark
  bool operator==(const Key&) const = default;
};

// Signs a verdict that the gate calls kept and whose figures bear it out: an interval that is
// finite, in order, and estimates more than δ0, from at least ten pairs (four and six, the fewest
// that both stages can end with). Reads nothing but the verdict, so it can be repeated from the
// journal.
Key orchestrator_key(const domain::Verdict& gate_verdict, double delta0);

// The trial's last word. Keys can only withhold: a verdict other than kept passes through as it is.
// The Critic's refusal makes it suspect ("vetoed"), the Orchestrator's inconclusive
// ("not-borne-out").
domain::Verdict verdict_with_keys(domain::Verdict gate_verdict, const Key& orchestrator,
                                  const Key& critic);

}  // namespace arbor::measure
