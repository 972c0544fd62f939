// SPDX-License-Identifier: Apache-2.0
// compiler.target-isa: the instruction set of the machine (or of goal.target_cpu).
//
// Evidence: compiles without -march; the share of time in the program's own code.
// Prediction: alone about 1 (float sums cannot be reordered and shuffles cost: 0.77 to 1.05 was
// measured), 2 to 3 after a change that lets the hot loop be vectorised: 1.4 once that is on.
#include <fmt/format.h>

#include <algorithm>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "compiler.target-isa";
#if defined(__x86_64__)
constexpr bool kHasVectorWidths = true;
#else
constexpr bool kHasVectorWidths = false;
#endif

// Flags that let the compiler vectorise sums are on, for some source at least.
bool has_vector_sums(const Evidence& evidence) {
  static const std::vector<std::string> kFlags = {"-ffast-math", "-Ofast", "-fassociative-math",
                                                  "-fopenmp-simd"};
  const auto lets = [](const std::string& flag) {
    return std::ranges::find(kFlags, flag) != kFlags.end();
  };
  const bool is_in_recipe = std::ranges::any_of(evidence.recipe.entries, [&](const auto& entry) {
    const auto* flags = std::get_if<domain::CompilerFlags>(&entry);
    return flags != nullptr && std::ranges::any_of(flags->add, lets);
  });
  return is_in_recipe || std::ranges::any_of(compiles(evidence), [&](const auto* command) {
           return std::ranges::any_of(command->original_argv, lets);
         });
}

domain::Action draft(const Evidence& evidence, double speedup) {
  domain::Action action;
  action.layer = domain::Layer::kCompiler;
  action.category = "compiler.isa";
  action.specialist = kName;
  action.prediction = predict(evidence, {.share = own_share(evidence),
                                         .speedup = speedup,
                                         .upper_speedup = 5,
                                         .accuracy_risk = 0.05,
                                         .crash_risk = 0.03});
  action.enables = {"compiler.flags", "kernel.loop"};
  action.enabled_by = {"compiler.fast-math", "kernel.loop", "omp-simd-reduction", "omp-simd",
                       "restrict"};
  return action;
}

class TargetIsa : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    if (compiles(evidence).empty()) return actions;
    const std::string cpu = evidence.manifest.goal.target_cpu;
    const std::string march = "-march=" + (cpu.empty() ? std::string("native") : cpu);
    auto action = draft(evidence, has_vector_sums(evidence) ? 1.4 : 1.04);
    action.title = fmt::format("Compile for the instruction set of {}",
                               cpu == "native" ? "this machine" : cpu);
    action.rationale = fmt::format(
        "{} of the time is the program's own code, compiled for the oldest CPU of its family; wide "
        "vectors pay where its loops can be vectorised.",
        percent(own_share(evidence)));
    add_flag_action(actions, evidence, std::move(action), added_flags({march}));
    if (kHasVectorWidths && has_flag(evidence, march)) propose_widths(evidence, actions);
    return actions;
  }
  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence&,
                                         std::stop_token) override {
    return carry_out_flags(action);
  }

 private:
  // A refinement of the instruction set: without that there are no widths to choose from.
  static void propose_widths(const Evidence& evidence, std::vector<domain::Action>& actions) {
    for (const int bits : {256, 512}) {
      const auto width = fmt::format("-mprefer-vector-width={}", bits);
      auto action = draft(evidence, 1.01);
      action.settles = "vector-width";
      action.title = fmt::format("Prefer vectors of {} bits", bits);
      action.rationale =
          fmt::format("The compiler's own choice of width is a guess: {} bits {}.", bits,
                      bits == 512 ? "do twice the work per instruction" : "keep the clock rate up");
      add_flag_action(actions, evidence, std::move(action), added_flags({width}));
    }
  }
};

ARBOR_REGISTER(Specialist, kName, "Compiles for the machine's own instruction set", TargetIsa);

}  // namespace
}  // namespace arbor::agents
