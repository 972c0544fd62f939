// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agents/critic/critic.h"
#include "measure/statistics.h"

namespace arbor::agents {
namespace {

constexpr double kFewestConfirmPairs = 6;
// Two independent means of one effect differ by more than this many standard errors in 1 of 100
// cases.
constexpr double kDisagreement = 2.6;

struct Moments {
  double mean = 0;
  double standard_error = 0;
  int count = 0;
};

Moments moments_of(const std::vector<domain::Pair>& pairs) {
  std::vector<double> x;
  for (const auto& pair : pairs)
    if (pair.x && pair.void_reason.empty()) x.push_back(*pair.x);
  const int count = static_cast<int>(x.size());
  if (count < 2) return {0, 0, count};
  return {measure::mean(x), measure::standard_deviation(x) / std::sqrt(count), count};
}

bool has_crash(const std::vector<domain::Pair>& pairs) {
  return std::ranges::any_of(pairs, [](const domain::Pair& pair) {
    return pair.candidate.exit_code >= 128 && pair.candidate.exit_code != pair.trunk.exit_code;
  });
}

KeyDecision veto(std::string rule, std::string reason) {
  return {false, std::move(rule), std::move(reason)};
}

}  // namespace

KeyDecision sign_keep(const KeepProposal& proposal) {
  if (!proposal.is_harness_intact)
    return veto("harness", "the judge's files are not what they were at the start of the campaign");
  if (has_crash(proposal.pairs) || has_crash(proposal.confirm_pairs))
    return veto("stability", "a launch of the candidate crashed");
  const Moments first = moments_of(proposal.pairs);
  const Moments confirm = moments_of(proposal.confirm_pairs);
  if (confirm.count < kFewestConfirmPairs)
    return veto("confirm", fmt::format("only {} usable pairs confirm it", confirm.count));
  // The first stage's estimate is high because it was selected; only the other direction is odd.
  const double spread = std::hypot(first.standard_error, confirm.standard_error);
  if (confirm.mean - first.mean > kDisagreement * spread && confirm.mean > 2 * first.mean)
    return veto("stages",
                fmt::format("the confirmation ({:+.1f} %) is far above the first stage ({:+.1f} %)",
                            100 * std::expm1(confirm.mean), 100 * std::expm1(first.mean)));
  return {
      true, "",
      fmt::format(
          "stages agree ({:+.1f} % and {:+.1f} %), no crash in {} launches{}",
          100 * std::expm1(first.mean), 100 * std::expm1(confirm.mean),
          proposal.pairs.size() + proposal.confirm_pairs.size(),
          proposal.has_check ? "" : "; no check is configured, so results are not proved equal")};
}

}  // namespace arbor::agents
