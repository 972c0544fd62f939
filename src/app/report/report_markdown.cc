// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "app/report/origins.h"
#include "app/report/report.h"
#include "app/report/untried.h"
#include "base/text.h"

namespace arbor::app {
namespace {

// A foreign text in a place of its own: no line end, no control character, no end of the cell.
std::string in_a_cell(std::string_view text) {
  std::string cell = base::elided(base::printable(text), 160);
  std::ranges::replace(cell, '\n', ' ');
  std::ranges::replace(cell, '|', '/');
  return cell;
}

std::string headline(const engine::CampaignState& state, const domain::Manifest& manifest) {
  std::string text = fmt::format(
      "# {}\n\n", in_a_cell(manifest.program.name.empty() ? "Program" : manifest.program.name));
  const auto& final = state.final_measured;
  if (!final)
    text += "No final measurement yet.\n";
  else
    text += fmt::format(
        "**{}** on {}: the best state against the original, {} pairs in random order.\n",
        speedup_text(final->log_gain), in_a_cell(manifest.bench.metric.name), final->pairs);
  if (final && final->log_gain_on_holdout)
    text += fmt::format("On the workload that no decision saw: {}.\n",
                        speedup_text(final->log_gain_on_holdout));
  if (final && final->log_gain_over_tuned)
    text += fmt::format("Against a conventionally tuned build ({}): {}.\n",
                        final->tuned_description, speedup_text(final->log_gain_over_tuned));
  if (state.stopped)
    text +=
        fmt::format("\nIt took {} and ended because {}.{}\n",
                    base::format_duration(state.stopped->spent_s), stop_text(state.stopped->reason),
                    state.stopped->detail.empty() ? "" : " " + state.stopped->detail);
  return text;
}

std::string kept_table(const engine::CampaignState& state) {
  std::string text = "\n## What to merge, in order\n\n";
  if (state.count(domain::VerdictKind::kKept) == 0)
    return text + "Nothing: no change proved a gain.\n";
  text += "| node | layer | change | proposed at | gain when kept |\n|---|---|---|---|---|\n";
  for (const auto& trial : state.trials)
    if (trial.end && trial.end->verdict.kind == domain::VerdictKind::kKept)
      text += fmt::format("| {} | {} | {} | {} | {} |\n", trial.start.node.text(),
                          domain::layer_name(trial.start.choice.action.layer),
                          in_a_cell(trial.start.choice.action.title),
                          proposed_at_text(origins_of(state, trial.start.choice.action)),
                          speedup_text(trial.end->verdict.gain));
  return text +
         "\nThe gains of single steps are conditional on having been kept; the headline is not.\n"
         "`arbor export` writes it as a branch, patches and settings; `arbor verify` rebuilds both "
         "sides from clean\ncheckouts and measures them again.\n";
}

std::string others_table(const engine::CampaignState& state) {
  std::string text =
      "\n## What else was tried\n\n| node | verdict | change | why |\n|---|---|---|---|\n";
  bool has_any = false;
  for (const auto& trial : state.trials) {
    if (!trial.end || trial.end->verdict.kind == domain::VerdictKind::kKept) continue;
    has_any = true;
    text += fmt::format("| {} | {} | {} | {} |\n", trial.start.node.text(),
                        domain::verdict_name(trial.end->verdict.kind),
                        in_a_cell(trial.start.choice.action.title),
                        in_a_cell(trial.end->verdict.detail));
  }
  return has_any ? text : "";
}

constexpr std::size_t kShownUntried = 20;

std::string untried_table(const engine::CampaignState& state) {
  const auto untried = untried_ideas(state);
  if (untried.empty()) return "";
  std::string text =
      "\n## What was not tried\n\n| change | layer | proposed at | why not |\n|---|---|---|---|\n";
  for (std::size_t i = 0; i < untried.size() && i < kShownUntried; ++i)
    text += fmt::format("| {} | {} | {} | {} |\n", in_a_cell(untried[i].action.title),
                        domain::layer_name(untried[i].action.layer), untried[i].proposed_at.text(),
                        in_a_cell(untried[i].why));
  if (untried.size() > kShownUntried)
    text += fmt::format("\nAnd {} more: `arbor report --json`.\n", untried.size() - kShownUntried);
  return text;
}

std::string self_test_text(const engine::CampaignState& state) {
  if (!state.self_test) return "";
  return fmt::format("The gate's self-test {}: {}.\n",
                     state.self_test->is_passed ? "passed" : "FAILED",
                     base::printable(state.self_test->detail));
}

std::string noise_text(const engine::CampaignState& state) {
  if (!state.calibrated) return "";
  const auto& calibration = state.calibrated->calibration;
  return fmt::format(
             "\n## How sure\n\nThe machine's noise between two equal builds was {:.1f} % a pair "
             "({} "
             "pairs). Effects under "
             "{:.1f} %\ncannot be told from it with 20 pairs: such ideas are inconclusive, not "
             "refuted. "
             "{} trials were "
             "decided;\nof tests like these {:.2g} false keeps are to be expected.\n",
             calibration.s_aa * 100, calibration.pairs, calibration.smallest_detectable * 100,
             state.decided(), expected_false_keeps(state)) +
         self_test_text(state);
}

std::string where_text(const engine::CampaignState& state) {
  if (!state.started) return "";
  std::vector<std::string> versions;
  for (const auto& tool : state.started->toolchain.tools)
    if (std::ranges::find(versions, tool.version) == versions.end())
      versions.push_back(tool.version);
  std::string text = fmt::format("\n## Where\n\nMeasured on {} in the sandbox {}.\n",
                                 state.started->host, state.started->sandbox);
  if (!versions.empty())
    text += fmt::format("Compilers and linkers: {}.\n", base::join(versions, "; "));
  return text;
}

}  // namespace

std::string stop_text(const std::string& reason) {
  if (reason == "budget") return "the time budget was spent";
  if (reason == "trials") return "the budget of trials was spent";
  if (reason == "goal") return "the goal was reached";
  if (reason == "frontier") return "nothing left promised a gain worth having";
  if (reason == "user") return "it was stopped by the user; 'arbor resume' goes on";
  if (reason == "crashes") return "too many candidates crashed";
  if (reason == "baseline-check") return "the unchanged program fails its own check";
  if (reason == "baseline") return "nothing can be measured on the unchanged program";
  return reason;
}

std::string speedup_text(const std::optional<domain::Interval>& log_gain) {
  if (!log_gain) return "not measured";
  const auto speedup = domain::speedup_of(*log_gain);
  return fmt::format("{:.2f}× [{:.2f}, {:.2f}]", speedup.estimate, speedup.low, speedup.high);
}

std::string story_line(const engine::Trial& trial) {
  if (!trial.end) return "";
  const auto& verdict = trial.end->verdict;
  std::string line = fmt::format("{:<13}{:<5}{}", domain::verdict_name(verdict.kind),
                                 trial.start.node.text(), trial.start.choice.action.title);
  // The gate's sentences hold the figures themselves.
  const bool says_figures = verdict.detail.find("× [") != std::string::npos;
  if (verdict.gain && !says_figures) line += "  " + speedup_text(verdict.gain);
  const auto lines = base::lines_of(verdict.detail);
  const std::string_view why = lines.empty() ? std::string_view(verdict.reason) : lines.front();
  const bool is_kept = verdict.kind == domain::VerdictKind::kKept;
  if (!why.empty() && (!is_kept || says_figures)) line += "  " + base::elided(why, 200);
  return base::printable(line);
}

std::string report_markdown(const engine::CampaignState& state, const domain::Manifest& manifest) {
  std::string text = headline(state, manifest) + kept_table(state) + others_table(state) +
                     untried_table(state) + noise_text(state) + where_text(state);
  const auto notes = notes_of(state);
  if (!notes.empty()) text += "\n## Notes\n\n";
  for (const auto& note : notes) text += "- " + note + "\n";
  return base::printable(text);  // for a file that is shown on a terminal, too
}

}  // namespace arbor::app
