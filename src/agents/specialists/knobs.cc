// SPDX-License-Identifier: Apache-2.0
// program.knobs: the program's own options, as the manifest declares them.
//
// Evidence: [[knob]] tables; the value that each runs with now. One action per other value.
// Prediction: unknown in advance, so small and wide: options of programs were worth from 0.15 to
// 1.44. Knobs of one layer enable each other: more threads alone may lose and pay with another
// wait policy.
#include <fmt/format.h>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "program.knobs";

std::string strategy_of(const domain::Knob& knob) { return "knob:" + knob.name; }

std::string current_value(const Evidence& evidence, const domain::Knob& knob) {
  std::string value = knob.default_value;
  for (const auto& entry : evidence.recipe.entries)
    if (const auto* set = std::get_if<domain::KnobValue>(&entry);
        set != nullptr && set->knob == knob.name)
      value = set->value;
  return value;
}

std::vector<std::string> others_of_layer(const Evidence& evidence, const domain::Knob& knob) {
  std::vector<std::string> others;
  for (const auto& other : evidence.manifest.knobs)
    if (other.layer == knob.layer && other.name != knob.name) others.push_back(strategy_of(other));
  return others;
}

domain::Action value_action(const Evidence& evidence, const domain::Knob& knob,
                            const std::string& current, const std::string& value) {
  domain::Action action;
  action.layer = knob.layer;
  action.category = std::string(domain::layer_name(knob.layer)) + ".knob";
  action.strategy = strategy_of(knob);
  action.target = strategy_of(knob);
  action.settles = strategy_of(knob);
  action.specialist = kName;
  action.parameters = parameters_text({{"value", value}});
  action.title = fmt::format("Run with {} = {}", knob.name, value);
  action.rationale = fmt::format("{} is {} now; the manifest also allows {}.", knob.name,
                                 current.empty() ? "unset" : current, value);
  const bool needs_build = knob.kind == domain::KnobKind::kDefine;
  action.prediction = predict(evidence, {.share = 1,
                                         .speedup = 1.03,
                                         .upper_speedup = 4,
                                         .accuracy_risk = 0.03,
                                         .crash_risk = 0.04,
                                         .builds = needs_build ? 1 : 0});
  action.enables = others_of_layer(evidence, knob);
  action.enabled_by = action.enables;
  return action;
}

class Knobs : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    for (const auto& knob : evidence.manifest.knobs) {
      const auto current = current_value(evidence, knob);
      for (const auto& value : knob.values)
        if (value != current)
          add_action(actions, evidence, value_action(evidence, knob, current, value));
    }
    return actions;
  }
  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence& evidence,
                                         std::stop_token) override {
    ARBOR_TRY(auto value, parameter(action, "value"));
    for (const auto& knob : evidence.manifest.knobs)
      if (strategy_of(knob) == action.strategy)
        return domain::Change{.entries = {domain::knob_value(knob, std::move(value))},
                              .summary = action.title};
    return base::fail(base::ErrorKind::kNotFound,
                      fmt::format("the manifest no longer declares {}", action.strategy));
  }
};

ARBOR_REGISTER(Specialist, kName, "Tries the values of the program's own options", Knobs);

}  // namespace
}  // namespace arbor::agents
