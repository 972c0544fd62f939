// SPDX-License-Identifier: Apache-2.0
// program.knobs: the program's own options, as the manifest declares them.
//
// Evidence: [[knob]] tables; the value that each runs with now; what a knob's name says it sets.
// Values that the trunk ran with before, more threads than idle cores, and spinning on a busy
// machine are not proposed.
// Prediction: small and wide in general, for options of programs were worth from 0.15 to 1.44.
// Thread counts: 1.2 up to the number of idle cores. Alone they often lose where threads block to
// wait for each other (0.73 was measured, 1.8 with spinning): tried with a wait policy from the
// start. Sizes of batches, chunks and blocks: 1.08 for the next larger one, less for the next
// smaller, little for those further away until their neighbour has gained.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"
#include "base/text.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "program.knobs";

enum class Role { kThreads, kWait, kSize, kOther };

bool says(const std::string& name, const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [&](const auto& word) { return name.contains(word); });
}

bool is_numeric(const domain::Knob& knob) {
  return !knob.values.empty() && std::ranges::all_of(knob.values, [](const auto& value) {
    const auto number = base::parse_number(value);
    return number && std::isfinite(*number);
  });
}

Role role_of(const domain::Knob& knob) {
  if (is_numeric(knob)) {
    if (says(knob.name, {"thread", "worker", "jobs"})) return Role::kThreads;
    if (says(knob.name, {"batch", "chunk", "block", "tile", "buffer"})) return Role::kSize;
  }
  if (says(knob.name, {"wait", "spin"})) return Role::kWait;
  const bool is_runtime = knob.layer == domain::Layer::kRuntime;
  return is_runtime && says(knob.name, {"policy"}) ? Role::kWait : Role::kOther;
}

bool is_active_wait(const std::string& value) { return says(value, {"spin", "active", "busy"}); }

std::string strategy_of(const domain::Knob& knob) { return "knob:" + knob.name; }

std::string current_value(const Evidence& evidence, const domain::Knob& knob) {
  std::string value = knob.default_value;
  for (const auto& entry : evidence.recipe.entries)
    if (const auto* set = std::get_if<domain::KnobValue>(&entry);
        set != nullptr && set->knob == knob.name)
      value = set->value;
  return value;
}

// Two sizes seldom need each other: a flat chunk is not tried again for each new batch.
bool are_sizes(const domain::Knob& a, const domain::Knob& b) {
  return role_of(a) == Role::kSize && role_of(b) == Role::kSize;
}

std::vector<std::string> others_of_layer(const Evidence& evidence, const domain::Knob& knob) {
  std::vector<std::string> others;
  for (const auto& other : evidence.manifest.knobs)
    if (other.layer == knob.layer && other.name != knob.name && !are_sizes(knob, other))
      others.push_back(strategy_of(other));
  return others;
}

// What the trunk ran with before: it was left for something faster.
bool was_left(const Evidence& evidence, const domain::Knob& knob, const std::string& value) {
  if (value == knob.default_value) return true;
  return std::ranges::any_of(evidence.recipe.entries, [&](const auto& entry) {
    const auto* set = std::get_if<domain::KnobValue>(&entry);
    return set != nullptr && set->knob == knob.name && set->value == value;
  });
}

// Places between two values of a knob in the order of its numbers, by sign; 0 = they have no order.
int steps_between(const domain::Knob& knob, const std::string& from, const std::string& to) {
  if (!is_numeric(knob) || std::ranges::find(knob.values, from) == knob.values.end()) return 0;
  std::vector<double> numbers;
  for (const auto& value : knob.values) numbers.push_back(*base::parse_number(value));
  std::ranges::sort(numbers);
  const auto place = [&](const std::string& value) {
    return std::ranges::lower_bound(numbers, *base::parse_number(value)) - numbers.begin();
  };
  return static_cast<int>(place(to) - place(from));
}

struct Outlook {
  std::string category;
  double speedup = 1.03;
  double upper_speedup = 4;
};

double count_of(const std::string& value) { return base::parse_number(value).value_or(1); }

// Nothing where there are no idle cores for so many.
std::optional<Outlook> thread_outlook(const Evidence& evidence, const domain::Knob& knob,
                                      const std::string& current, const std::string& value) {
  const double idle = evidence.machine.idle_cpus;
  const double count = count_of(value), now = std::max(count_of(current), 1.0);
  if (count > idle) return std::nullopt;
  if (count <= now) return Outlook{"runtime.threads", 1.02, 1.5};
  const bool is_most = std::ranges::none_of(knob.values, [&](const auto& other) {
    return count_of(other) > count && count_of(other) <= idle;
  });
  return Outlook{"runtime.threads", is_most ? 1.2 : 1.1, count / now};
}

std::optional<Outlook> wait_outlook(const Evidence& evidence, const std::string& value) {
  if (!is_active_wait(value)) return Outlook{"runtime.wait", 1.01, 1.5};
  if (evidence.machine.idle_cpus < 2) return std::nullopt;
  return Outlook{"runtime.wait", 1.02, 1.5};
}

std::optional<Outlook> outlook_of(const Evidence& evidence, const domain::Knob& knob,
                                  const std::string& current, const std::string& value) {
  const auto role = role_of(knob);
  if (role == Role::kThreads) return thread_outlook(evidence, knob, current, value);
  if (role == Role::kWait) return wait_outlook(evidence, value);
  Outlook outlook{std::string(domain::layer_name(knob.layer)) + ".knob"};
  const int step = steps_between(knob, current, value);
  const bool is_size = role == Role::kSize;
  if (std::abs(step) > 1)
    outlook.speedup = is_size ? 1.03 : 1.02;
  else if (step > 0)
    outlook.speedup = is_size ? 1.08 : 1.03;
  else if (step < 0)
    outlook.speedup = is_size ? 1.04 : 1.025;
  return outlook;
}

// Threads that block when they wait for each other are often slower than one.
bool waits_passively(const Evidence& evidence) {
  return std::ranges::any_of(evidence.manifest.knobs, [&](const domain::Knob& knob) {
    return role_of(knob) == Role::kWait && !is_active_wait(current_value(evidence, knob));
  });
}

domain::Action value_action(const Evidence& evidence, const domain::Knob& knob,
                            const std::string& current, const std::string& value,
                            const Outlook& outlook) {
  domain::Action action;
  action.layer = knob.layer;
  action.category = outlook.category;
  action.strategy = strategy_of(knob);
  action.target = strategy_of(knob);
  action.settles = strategy_of(knob);
  action.step = steps_between(knob, current, value);
  action.specialist = kName;
  action.parameters = parameters_text({{"value", value}});
  action.title = fmt::format("Run with {} = {}", knob.name, value);
  action.rationale = fmt::format("{} is {} now; the manifest also allows {}.", knob.name,
                                 current.empty() ? "unset" : current, value);
  const bool needs_build = knob.kind == domain::KnobKind::kDefine;
  action.prediction = predict(evidence, {.share = 1,
                                         .speedup = outlook.speedup,
                                         .upper_speedup = outlook.upper_speedup,
                                         .accuracy_risk = 0.03,
                                         .crash_risk = 0.04,
                                         .builds = needs_build ? 1 : 0});
  action.enables = others_of_layer(evidence, knob);
  action.enabled_by = action.enables;
  if (role_of(knob) == Role::kThreads && count_of(value) > count_of(current) &&
      waits_passively(evidence))
    action.pays_with = {"runtime.wait"};
  return action;
}

class Knobs : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    for (const auto& knob : evidence.manifest.knobs) {
      const auto current = current_value(evidence, knob);
      for (const auto& value : knob.values) {
        if (value == current || was_left(evidence, knob, value)) continue;
        if (const auto outlook = outlook_of(evidence, knob, current, value))
          add_action(actions, evidence, value_action(evidence, knob, current, value, *outlook));
      }
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
