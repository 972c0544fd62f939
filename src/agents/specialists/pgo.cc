// SPDX-License-Identifier: Apache-2.0
// compiler.pgo: compile with the profile of a training run.
//
// Evidence: recorded compiles; a training command of the manifest. Without one the benchmark itself
// trains: its title says so, and it is proposed only where other inputs, a holdout or fresh seeds,
// show at the end whether the gain carries over.
// Prediction: 1.25 to 1.30 for an interpreter, 1.16 together with LTO for a sparse solver, little
// for one hot vector loop.
#include <fmt/format.h>

#include <algorithm>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "compiler.pgo";
constexpr double kDominated = 0.6;  // one symbol with more than this leaves branches little to gain

bool is_in_use(const domain::Recipe& recipe) {
  return std::ranges::any_of(recipe.entries, [](const auto& entry) {
    return std::holds_alternative<domain::ProfileGuided>(entry);
  });
}

bool is_dominated(const domain::Profile& profile) {
  return !profile.hotspots.empty() && profile.hotspots.front().share > kDominated;
}

bool has_other_inputs(const domain::BenchSection& bench) {
  return !bench.holdout.empty() || bench.command.contains("{seed}");
}

class Pgo : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    if (compiles(evidence).empty() || is_in_use(evidence.recipe)) return actions;
    if (!evidence.has_train && !has_other_inputs(evidence.manifest.bench)) return actions;
    domain::Action action;
    action.layer = domain::Layer::kCompiler;
    action.category = "compiler.pgo";
    action.strategy = "pgo";
    action.specialist = kName;
    action.title = evidence.has_train
                       ? "Compile with the profile of a training run"
                       : "Compile with the profile of a bench run (trained on the test)";
    const double share = own_share(evidence);
    action.rationale = fmt::format(
        "{} of the time is the program's own code; {}", percent(share),
        evidence.has_train ? "the training run shows the compiler its branches and hot paths."
                           : "trained on the test: without a training command the benchmark's own "
                             "input trains, and the gain may not carry over.");
    Expectation expectation{.share = share, .upper_speedup = 1.8, .crash_risk = 0.05, .builds = 2};
    expectation.speedup = is_dominated(evidence.profile) ? 1.04 : 1.12;
    if (!evidence.has_train) expectation.speedup = 1 + (expectation.speedup - 1) / 3;
    action.prediction = predict(evidence, expectation);
    action.enables = {"compiler.lto"};
    action.enabled_by = {"compiler.lto", "-O3"};
    add_action(actions, evidence, std::move(action));
    return actions;
  }
  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence&,
                                         std::stop_token) override {
    return domain::Change{.entries = {domain::ProfileGuided{}}, .summary = action.title};
  }
};

ARBOR_REGISTER(Specialist, kName, "Compiles with the profile of a training run", Pgo);

}  // namespace
}  // namespace arbor::agents
