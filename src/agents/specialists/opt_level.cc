// SPDX-License-Identifier: Apache-2.0
// compiler.opt-level: a missing or low -O level, and debugging aids left on.
//
// Evidence: the recorded compile commands of the sources that the profile names (of all sources
// where it names none); for assertions also the text of the hottest sources.
// Prediction: without -O a whole C or C++ program usually takes 1.3 to 4 times as long; -O3 after
// -O2 is worth 1 to 3 % on its own, more once a loop has become vectorisable.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "compiler.opt-level";
constexpr double kHotShare = 0.05;
constexpr std::array kCheckingMacros = {"-D_GLIBCXX_DEBUG", "-D_GLIBCXX_ASSERTIONS"};

// 0 for no -O at all, -O0 and -Og; 1 also for -Os and -Oz, which ask for size.
int level_of(const workspace::CompileCommand& command) {
  const auto flag = last_argument(command, "-O").value_or("-O0");
  if (flag == "-O0" || flag == "-Og") return 0;
  if (flag == "-O1" || flag == "-Os" || flag == "-Oz") return 1;
  if (flag == "-O") return 1;
  return flag == "-O2" ? 2 : 3;
}

struct Levels {
  int lowest = 3;
  std::size_t low_sources = 0;
};

Levels levels_of(const Evidence& evidence) {
  Levels levels;
  const auto hot = hot_files(evidence);
  for (const auto* command : compiles(evidence)) {
    const bool is_asked =
        hot.empty() || std::ranges::any_of(hot, [&](const HotFile& file) {
          return std::ranges::find(command->sources, file.path) != command->sources.end();
        });
    if (!is_asked) continue;
    const int level = level_of(*command);
    levels.lowest = std::min(levels.lowest, level);
    if (level < 2) levels.low_sources += command->sources.size();
  }
  return levels;
}

std::string spoken(int lowest) {
  if (lowest == 0) return "without optimisation";
  return lowest == 1 ? "at -O1 or for size" : "at -O2";
}

domain::Action level_action(const Evidence& evidence, const Levels& levels, int level) {
  domain::Action action;
  action.layer = domain::Layer::kCompiler;
  action.category = "compiler.flags";
  action.specialist = kName;
  action.settles = "opt-level";
  if (level == 3) action.covers = {"-O2"};
  action.title = fmt::format("Compile the program with -O{}", level);
  const double share = own_share(evidence);
  action.rationale =
      fmt::format("Sources that take {} of the time are compiled {}; {} of them below -O2.",
                  percent(share), spoken(levels.lowest), levels.low_sources);
  const std::array<double, 3> speedups = {2.2, 1.15, 1.02};
  Expectation expectation{.share = share, .upper_speedup = 1.6};
  expectation.speedup = speedups.at(static_cast<std::size_t>(levels.lowest));
  if (levels.lowest == 0) expectation.upper_speedup = 10;
  if (level == 3 && levels.lowest < 2) expectation.speedup *= 1.01;
  action.prediction = predict(evidence, expectation);
  action.enables = {"compiler.isa", "compiler.pgo", "compiler.lto", "kernel.loop"};
  if (level == 3) action.enabled_by = {"kernel.loop", "compiler.fast-math", "loop-interchange"};
  return action;
}

bool asserts(const Evidence& evidence, const std::string& path) {
  if (!evidence.read_source) return false;
  const auto text = evidence.read_source(path);
  return text && has_word(*text, "assert");
}

domain::Action debugging_action(const Evidence& evidence, double share) {
  domain::Action action;
  action.layer = domain::Layer::kCompiler;
  action.category = "compiler.flags";
  action.specialist = kName;
  action.prediction = predict(
      evidence,
      {.share = share, .speedup = 1.03, .upper_speedup = 3, .accuracy_risk = 0.05, .builds = 1});
  action.enables = {"kernel.loop"};
  return action;
}

void propose_without_asserts(const Evidence& evidence, std::vector<domain::Action>& actions) {
  if (has_flag(evidence, "-DNDEBUG")) return;
  for (const auto& file : hot_files(evidence)) {
    if (file.share < kHotShare || !asserts(evidence, file.path)) continue;
    auto action = debugging_action(evidence, file.share);
    action.title = "Compile without assertions (-DNDEBUG)";
    action.rationale = fmt::format("{} takes {} of the time and checks assertions while it runs.",
                                   file.path, percent(file.share));
    add_flag_action(actions, evidence, std::move(action), added_flags({"-DNDEBUG"}));
    return;
  }
}

void propose_unchecked_library(const Evidence& evidence, std::vector<domain::Action>& actions) {
  for (const std::string macro : kCheckingMacros) {
    const bool is_on = std::ranges::any_of(compiles(evidence), [&](const auto* command) {
      return last_argument(*command, macro).has_value();
    });
    if (!is_on) continue;
    auto action = debugging_action(evidence, own_share(evidence));
    action.strategy = "without " + macro;
    action.title = fmt::format("Compile without the library's own checks ({})", macro);
    action.rationale = macro + " makes each access to a container checked.";
    domain::CompilerFlags flags;
    flags.remove = {macro, macro + "=1"};
    add_flag_action(actions, evidence, std::move(action), flags);
  }
}

class OptLevel : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    if (compiles(evidence).empty()) return actions;
    const auto levels = levels_of(evidence);
    for (int level = std::max(2, levels.lowest + 1); level <= 3; ++level)
      add_flag_action(actions, evidence, level_action(evidence, levels, level),
                      added_flags({fmt::format("-O{}", level)}));
    propose_without_asserts(evidence, actions);
    propose_unchecked_library(evidence, actions);
    return actions;
  }
  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence&,
                                         std::stop_token) override {
    return carry_out_flags(action);
  }
};

ARBOR_REGISTER(Specialist, kName, "Raises a missing or low -O level and drops debugging checks",
               OptLevel);

}  // namespace
}  // namespace arbor::agents
