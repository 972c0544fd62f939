// SPDX-License-Identifier: Apache-2.0
// kernel.vectorise: "#pragma omp simd" before a hot innermost loop, with its reductions.
//
// Evidence: the profile's hottest functions and what the analyser says of their loops: canonical,
// no exit, no unknown call, nothing carried but reductions. A sum of floats is reordered, so it
// also needs a check with a tolerance; -fopenmp-simd is given to that one file.
// Prediction: 2.5 for a float reduction, which no compiler may vectorise by itself; little for a
// loop that the compiler may already have vectorised. With the machine's instruction set 3.7 was
// measured for the whole of a program that sums floats: each enables the other.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/hot_loops.h"
#include "agents/specialists/patch_writer.h"
#include "agents/specialists/proposal.h"
#include "base/text.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "kernel.vectorise";
constexpr std::size_t kMostLoops = 8;
constexpr double kColdShare = 0.04;  // less is noise, until a new profile shows more

bool is_legal(const ports::Loop& loop) {
  return loop.is_canonical && loop.is_innermost && !loop.has_call && !loop.has_exit &&
         !loop.has_other_dependence;
}

bool reorders_floats(const ports::Loop& loop) {
  return std::ranges::any_of(loop.reductions, [](const ports::Reduction& one) {
    return one.is_floating && one.operation != "min" && one.operation != "max";
  });
}

bool is_worthwhile(const ports::Loop& loop) {
  return !loop.reductions.empty() ||
         std::ranges::any_of(loop.accesses, [](const auto& access) { return access.is_write; });
}

bool has_unit_strides(const ports::Loop& loop) {
  return std::ranges::all_of(loop.accesses, [](const ports::ArrayAccess& access) {
    return access.stride == 0 || access.stride == 1;
  });
}

// The for stands at the beginning of its line, is no part of a macro and has no directive yet.
bool can_take_pragma(const std::vector<std::string_view>& lines, int line) {
  if (line < 1 || line > static_cast<int>(lines.size())) return false;
  const auto at = static_cast<std::size_t>(line - 1);
  const auto text = base::trim(lines[at]);
  if (!text.starts_with("for") || !base::trim(text.substr(3)).starts_with('(')) return false;
  if (text.ends_with('\\')) return false;
  if (at == 0) return true;
  const auto before = base::trim(lines[at - 1]);
  return !before.starts_with("#pragma") && !before.ends_with('\\');
}

std::string pragma_for(const ports::Loop& loop) {
  std::map<std::string, std::vector<std::string>> by_operation;
  for (const auto& one : loop.reductions) by_operation[one.operation].push_back(one.variable);
  std::string pragma = "#pragma omp simd";
  for (const auto& [operation, variables] : by_operation)
    pragma += fmt::format(" reduction({}:{})", operation, base::join(variables, ","));
  return pragma;
}

double expected_speedup(const ports::Loop& loop) {
  if (!has_unit_strides(loop)) return 1.05;
  if (reorders_floats(loop)) return 2.5;
  return loop.reductions.empty() ? 1.2 : 1.4;
}

std::string reason(const HotLoop& hot) {
  if (hot.loop.reductions.empty()) return "its iterations are independent of each other";
  std::vector<std::string> names;
  for (const auto& one : hot.loop.reductions)
    names.push_back(fmt::format("{} ({})", one.variable, one.operation));
  return fmt::format(
      "all that its iterations share is the reduction of {}{}", base::join(names, ", "),
      reorders_floats(hot.loop) ? ", which the compiler may not reorder unasked" : "");
}

domain::Action action_for(const Evidence& evidence, const HotLoop& hot) {
  const auto& loop = hot.loop;
  domain::Action action;
  action.layer = domain::Layer::kKernel;
  action.category = "kernel.loop";
  action.strategy = loop.reductions.empty() ? "omp-simd" : "omp-simd-reduction";
  action.target = loop.function;
  action.specialist = kName;
  action.parameters = parameters_text(
      {{"file", hot.file}, {"function", loop.function}, {"loop", std::to_string(hot.ordinal)}});
  action.title =
      fmt::format("Vectorise the {} in {}() ({})", loop.reductions.empty() ? "loop" : "reduction",
                  base_name(loop.function), place_text(hot));
  action.rationale = fmt::format("The loop takes about {} of the time ({}); {}.",
                                 percent(hot.share), hot.symbol, reason(hot));
  action.prediction = predict(evidence, {.share = hot.share,
                                         .speedup = expected_speedup(loop),
                                         .upper_speedup = 8,
                                         .accuracy_risk = reorders_floats(loop) ? 0.05 : 0.02,
                                         .crash_risk = 0.03,
                                         .builds = 1});
  action.enables = {"compiler.isa", "compiler.flags"};
  action.enabled_by = {"compiler.isa", "loop-interchange", "restrict"};
  return action;
}

int number_of(const std::string& text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<domain::ChangeEntry> simd_flag(const Evidence& evidence, const std::string& file) {
  const bool is_on =
      has_flag(evidence, "-fopenmp", file) || has_flag(evidence, "-fopenmp-simd", file);
  if (is_on) return {};
  // A header is compiled as a part of sources that are not known here.
  const auto sources = compiled_sources(evidence);
  const bool is_source = std::ranges::find(sources, file) != sources.end();
  return {added_flags({"-fopenmp-simd"},
                      is_source ? std::vector<std::string>{file} : std::vector<std::string>{})};
}

class VectoriseLoop : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token stop) override {
    std::vector<domain::Action> actions;
    for (const auto& hot : hot_loops(evidence, stop)) {
      if (actions.size() == kMostLoops || hot.share < kColdShare) break;
      if (!is_legal(hot.loop) || !is_worthwhile(hot.loop)) continue;
      if (reorders_floats(hot.loop) && !evidence.checks_numbers) continue;
      const auto source = evidence.read_source(hot.file);
      if (!source || !can_take_pragma(base::lines_of(*source), hot.loop.line)) continue;
      add_action(actions, evidence, action_for(evidence, hot));
    }
    return actions;
  }

  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence& evidence,
                                         std::stop_token) override {
    ARBOR_TRY(const auto file, parameter(action, "file"));
    ARBOR_TRY(const auto function, parameter(action, "function"));
    ARBOR_TRY(const auto ordinal, parameter(action, "loop"));
    ARBOR_TRY(const auto loop, find_loop(evidence, file, function, number_of(ordinal)));
    ARBOR_TRY(const auto source, evidence.read_source(file));
    const auto lines = base::lines_of(source);
    if (!is_legal(loop) || !can_take_pragma(lines, loop.line))
      return base::fail(
          base::ErrorKind::kNotFound,
          fmt::format("the loop at {}:{} can no longer be vectorised", file, loop.line));
    const auto blanks = indentation(lines[static_cast<std::size_t>(loop.line - 1)]);
    const LineEdit edit{loop.line, 0, {std::string(blanks) + pragma_for(loop)}};
    domain::Change change{.entries = simd_flag(evidence, file), .summary = action.title};
    change.entries.push_back(domain::SourcePatch{
        .diff = unified_diff(file, source, {edit}), .commit = "", .files = {file}});
    return change;
  }
};

ARBOR_REGISTER(Specialist, kName, "Vectorises hot loops, reductions included", VectoriseLoop);

}  // namespace
}  // namespace arbor::agents
