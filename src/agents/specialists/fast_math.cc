// SPDX-License-Identifier: Apache-2.0
// compiler.fast-math: relaxed floating-point arithmetic, whole, in parts and per file.
//
// Evidence: hot sources that speak of float or double, and a check that compares numbers within a
// tolerance; without one only the part that cannot change a number (-fno-math-errno) is proposed.
// Prediction: 1.6 alone and 3.5 with the machine's instruction set were measured on programs that
// sum floats. No flag of it ever reaches a link: linking with -ffast-math flushes denormals for
// the whole process, libraries included.
#include <fmt/format.h>

#include <algorithm>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "compiler.fast-math";
constexpr double kHotShare = 0.05;
constexpr std::size_t kMostFiles = 3;

struct Part {
  const char* strategy;
  std::vector<std::string> flags;
  double speedup;
  double accuracy_risk;
  const char* effect;
  bool keeps_numbers;
};

const std::vector<Part>& parts() {
  static const std::vector<Part> kParts = {
      {"math-without-errno",
       {"-fno-math-errno", "-fno-trapping-math"},
       1.03,
       0.01,
       "roots and comparisons become single instructions; no number changes",
       true},
      {"associative-math",
       {"-fassociative-math", "-fno-signed-zeros", "-fno-trapping-math"},
       1.5,
       0.08,
       "sums may be reordered, so their loops can be vectorised",
       false},
      {"contract-fast", {"-ffp-contract=fast"}, 1.02, 0.03, "multiply and add are fused", false},
      {"fast-math",
       {"-ffast-math"},
       1.6,
       0.12,
       "all of floating-point arithmetic is relaxed",
       false}};
  return kParts;
}

// The whole in every source leaves nothing to its parts, nor to a single source.
std::vector<std::string> covered_by_the_whole() {
  std::vector<std::string> strategies = {"fast-math-file"};
  for (const auto& part : parts())
    if (&part != &parts().back()) strategies.emplace_back(part.strategy);
  return strategies;
}

std::vector<HotFile> hot_float_files(const Evidence& evidence) {
  std::vector<HotFile> files;
  for (const auto& file : hot_files(evidence))
    if (file.share >= kHotShare && is_float_code(evidence, file.path)) files.push_back(file);
  return files;
}

domain::Action draft(const Evidence& evidence, const Part& part, double share) {
  domain::Action action;
  action.layer = domain::Layer::kCompiler;
  action.category = "compiler.fast-math";
  action.specialist = kName;
  action.strategy = part.strategy;
  action.settles = "fast-math";
  action.prediction = predict(evidence, {.share = share,
                                         .speedup = part.speedup,
                                         .upper_speedup = part.speedup * 3,
                                         .accuracy_risk = part.accuracy_risk,
                                         .crash_risk = 0.02});
  action.enables = {"compiler.isa"};
  action.enabled_by = {"compiler.isa", "loop-interchange"};
  return action;
}

void propose_global(const Evidence& evidence, const std::vector<HotFile>& files,
                    std::vector<domain::Action>& actions) {
  double share = 0;
  for (const auto& file : files) share += file.share;
  for (const auto& part : parts()) {
    if (!part.keeps_numbers && !evidence.checks_numbers) continue;
    auto action = draft(evidence, part, share);
    if (&part == &parts().back()) action.covers = covered_by_the_whole();
    action.title = fmt::format("Relax floating-point arithmetic: {}", flags_text(part.flags));
    action.rationale = fmt::format("Sources with floating-point code take {} of the time ({}); {}.",
                                   percent(share), files.front().path, part.effect);
    add_flag_action(actions, evidence, std::move(action), added_flags(part.flags));
  }
}

void propose_per_file(const Evidence& evidence, const std::vector<HotFile>& files,
                      std::vector<domain::Action>& actions) {
  if (!evidence.checks_numbers) return;
  const auto& whole = parts().back();
  for (const auto& file : files) {
    auto action = draft(evidence, whole, file.share);
    action.strategy = "fast-math-file";
    action.target = file.path;
    action.prediction.accuracy_risk /= 2;
    action.title = fmt::format("Relax floating-point arithmetic in {}", file.path);
    action.rationale = fmt::format("{} takes {} of the time; the rest keeps exact arithmetic.",
                                   file.path, percent(file.share));
    add_flag_action(actions, evidence, std::move(action), added_flags(whole.flags, {file.path}));
  }
}

class FastMath : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    auto files = hot_float_files(evidence);
    const bool is_whole = has_flag(evidence, "-ffast-math") || has_flag(evidence, "-Ofast");
    if (files.empty() || is_whole) return actions;
    propose_global(evidence, files, actions);
    files.resize(std::min(files.size(), kMostFiles));
    propose_per_file(evidence, files, actions);
    return actions;
  }
  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence&,
                                         std::stop_token) override {
    return carry_out_flags(action);
  }
};

ARBOR_REGISTER(Specialist, kName, "Relaxes floating-point arithmetic behind a numeric tolerance",
               FastMath);

}  // namespace
}  // namespace arbor::agents
