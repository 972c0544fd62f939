// SPDX-License-Identifier: Apache-2.0
// compiler.lto: optimise across source files at link time.
//
// Evidence: at least two recorded compiles, none with LTO already.
// Prediction: a few percent where hot functions call each other across files; more after PGO.
#include <fmt/format.h>

#include <algorithm>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "compiler.lto";

bool is_in_use(const Evidence& evidence) {
  return std::ranges::any_of(compiles(evidence), [](const auto* command) {
    return last_argument(*command, "-flto").has_value();
  });
}

class Lto : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    const auto sources = compiled_sources(evidence).size();
    if (sources < 2 || is_in_use(evidence)) return actions;
    domain::Action action;
    action.layer = domain::Layer::kCompiler;
    action.category = "compiler.lto";
    action.strategy = "lto";
    action.specialist = kName;
    action.title = "Optimise across source files at link time (-flto)";
    const double share = own_share(evidence);
    const auto hot = hot_files(evidence).size();
    action.rationale =
        fmt::format("{} sources are compiled apart, {} of them take measurable time ({} in all).",
                    sources, hot, percent(share));
    action.prediction = predict(evidence, {.share = share,
                                           .speedup = hot > 1 ? 1.04 : 1.02,
                                           .upper_speedup = 1.6,
                                           .accuracy_risk = 0.02,
                                           .crash_risk = 0.08,
                                           .builds = 1});
    action.enables = {"compiler.pgo"};
    action.enabled_by = {"compiler.pgo", "-O3"};
    auto flags = added_flags({"-flto=auto"});
    flags.reaches_link = true;
    add_flag_action(actions, evidence, std::move(action), flags);
    return actions;
  }
  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence&,
                                         std::stop_token) override {
    return carry_out_flags(action);
  }
};

ARBOR_REGISTER(Specialist, kName, "Optimises across source files at link time", Lto);

}  // namespace
}  // namespace arbor::agents
