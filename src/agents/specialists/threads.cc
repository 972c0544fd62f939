// SPDX-License-Identifier: Apache-2.0
// runtime.threads: how many OpenMP threads run, where, and how they wait.
//
// Evidence: -fopenmp in the recorded commands or libgomp/libomp in the profile, and cores that are
// idle: more threads than those would only take time from others, which is no gain.
// Prediction: proportional to the idle cores for programs that run in parallel; waiting actively
// was worth 0.15 where threads had to share a core, so it is proposed on idle machines alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "runtime.threads";

struct Idea {
  const char* strategy;
  std::string variable;
  std::string value;
  double speedup;
  std::string reason;
};

bool uses_openmp(const Evidence& evidence) {
  const bool is_compiled =
      std::ranges::any_of(evidence.commands, [](const workspace::CompileCommand& command) {
        return last_argument(command, "-fopenmp").value_or("-fopenmp-simd") != "-fopenmp-simd";
      });
  return is_compiled || std::ranges::any_of(evidence.profile.hotspots, [](const auto& spot) {
           return spot.object.contains("libgomp") || spot.object.contains("libomp") ||
                  spot.object.contains("libiomp");
         });
}

std::map<std::string, std::string> variables_of(const domain::Recipe& recipe) {
  std::map<std::string, std::string> variables;
  for (const auto& entry : recipe.entries)
    if (const auto* variable = std::get_if<domain::EnvironmentVariable>(&entry))
      variables[variable->name] = variable->value;
  return variables;
}

std::vector<Idea> ideas(const Machine& machine) {
  std::vector<Idea> found;
  std::set<int> counts = {machine.idle_cpus, std::max(1, machine.idle_cpus / 2)};
  if (machine.idle_cpus < machine.cpus) counts.insert(1);
  for (const int count : counts)
    found.push_back({"omp-num-threads", "OMP_NUM_THREADS", std::to_string(count), 1.05,
                     fmt::format("{} of {} cores are idle", machine.idle_cpus, machine.cpus)});
  found.push_back({"omp-proc-bind", "OMP_PROC_BIND", "close", 1.02,
                   "threads that stay on their core keep its cache"});
  found.push_back({"omp-proc-bind", "OMP_PROC_BIND", "spread", 1.02,
                   "threads that are far apart share less of a cache"});
  found.push_back({"omp-wait-active", "OMP_WAIT_POLICY", "active", 1.03,
                   "idle cores may spin, so that no thread has to be woken"});
  found.push_back({"omp-wait-passive", "OMP_WAIT_POLICY", "passive", 1.01,
                   "waiting threads give their core away"});
  return found;
}

class Threads : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    if (evidence.machine.idle_cpus < 2 || !uses_openmp(evidence)) return actions;
    const auto variables = variables_of(evidence.recipe);
    for (const auto& idea : ideas(evidence.machine)) {
      const auto found = variables.find(idea.variable);
      if (found != variables.end() && found->second == idea.value) continue;
      // Unset, there are as many threads as cores.
      const bool is_default = found == variables.end() && idea.variable == "OMP_NUM_THREADS" &&
                              idea.value == std::to_string(evidence.machine.cpus);
      if (is_default) continue;
      add_action(actions, evidence, action_for(evidence, idea));
    }
    return actions;
  }
  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence&,
                                         std::stop_token) override {
    ARBOR_TRY(auto variable, parameter(action, "variable"));
    ARBOR_TRY(auto value, parameter(action, "value"));
    return domain::Change{
        .entries = {domain::EnvironmentVariable{std::move(variable), std::move(value)}},
        .summary = action.title};
  }

 private:
  static domain::Action action_for(const Evidence& evidence, const Idea& idea) {
    domain::Action action;
    action.layer = domain::Layer::kRuntime;
    action.category = "runtime.threads";
    action.strategy = idea.strategy;
    action.settles = idea.variable;
    action.specialist = kName;
    action.parameters = parameters_text({{"variable", idea.variable}, {"value", idea.value}});
    action.title = fmt::format("Run with {}={}", idea.variable, idea.value);
    action.rationale = fmt::format("The program runs OpenMP threads; {}.", idea.reason);
    action.prediction =
        predict(evidence, {.share = 1,
                           .speedup = idea.speedup,
                           .upper_speedup = static_cast<double>(evidence.machine.idle_cpus),
                           .accuracy_risk = 0.03,
                           .crash_risk = 0.02,
                           .builds = 0});
    action.enables = {"runtime.threads", "runtime.allocator"};
    action.enabled_by = {"runtime.threads"};
    return action;
  }
};

ARBOR_REGISTER(Specialist, kName, "Sets the number, place and waiting of OpenMP threads", Threads);

}  // namespace
}  // namespace arbor::agents
