// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/export/kept_steps.h"
#include "app/report/report.h"
#include "app/verbs/reading.h"
#include "app/verbs/verbs.h"
#include "base/files.h"
#include "base/text.h"
#include "workspace/export_flags.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

// What was written, for people and for scripts.
struct Exported {
  std::string branch;  // empty: no source was changed
  std::string base;    // the baseline's commit
  std::vector<KeptStep> steps;
  fs::path folder;
  std::vector<fs::path> files;
  std::vector<std::string> by_hand;
};

// "arbor/llm-server-20261201-0434": the program and when its campaign began.
std::string default_branch(const Campaign& campaign) {
  std::string name;
  for (const char c : campaign.manifest.program.name) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (is_plain)
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (name.ends_with('-')) name.pop_back();
  const auto began = static_cast<std::time_t>(campaign.state.first_unix_ms / 1000);
  return fmt::format("arbor/{}-{:%Y%m%d-%H%M}", name.empty() ? "program" : name,
                     fmt::gmtime(began));
}

// The folder that the files go to. Arbor's own is emptied; somebody else's must be empty already,
// or --force takes the patches of an earlier export away and writes over the rest.
base::Result<fs::path> make_target(const Campaign& campaign, const Arguments& arguments) {
  const auto given = arguments.value("--to");
  const fs::path folder = given ? fs::absolute(path_given(arguments, *given)).lexically_normal()
                                : campaign.root / ".arbor" / "export";
  std::error_code failed;
  if (!given) {
    base::remove_tree(folder);
  } else if (fs::exists(folder, failed) && !fs::is_empty(folder, failed)) {
    if (!arguments.has("--force"))
      return base::fail(base::ErrorKind::kUsage,
                        fmt::format("'{}' is not empty; name another folder, or write into it with "
                                    "--force",
                                    folder.string()));
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      const std::string name = entry.path().filename().string();
      const bool is_numbered =
          name.size() > 5 && name[4] == '-' && name.ends_with(".patch") &&
          std::ranges::all_of(name.substr(0, 4), [](char c) { return c >= '0' && c <= '9'; });
      if (is_numbered) fs::remove(entry.path(), failed);
    }
  }
  return folder;
}

base::Result<void> add_to_readme(const Exported& exported) {
  if (exported.by_hand.empty()) return {};
  const fs::path readme = exported.folder / "README";
  ARBOR_TRY(std::string text, base::read_file(readme));
  text += "\nBy hand:\n\n";
  for (const auto& line : exported.by_hand) text += "  " + line + "\n";
  return base::write_file(readme, text);
}

base::Result<Exported> write_all(const Campaign& campaign, const Arguments& arguments) {
  Exported exported;
  exported.base = campaign.state.started->commit;
  ARBOR_TRY(const auto repository,
            workspace::Repository::open(campaign.root, campaign.root / ".arbor"));
  ARBOR_TRY(exported.steps, commit_kept_steps(repository, campaign.state));
  auto order = series_order(campaign, exported.steps);
  order.program_folder = repository.program_folder().string();
  exported.by_hand = steps_by_hand(order.recipe, campaign.manifest);
  const auto flags = workspace::flags_by_hand(order);
  exported.by_hand.insert(exported.by_hand.end(), flags.begin(), flags.end());
  ARBOR_TRY(exported.folder, make_target(campaign, arguments));
  if (!order.commits.empty()) {
    exported.branch = arguments.value("--branch").value_or(default_branch(campaign));
    ARBOR_TRY_VOID(repository.export_branch(exported.branch, order.commits.back().commit,
                                            arguments.has("--force")));
  }
  ARBOR_TRY(exported.files, workspace::export_series(repository, order, exported.folder));
  ARBOR_TRY_VOID(add_to_readme(exported));
  return exported;
}

base::Json exported_json(const Exported& exported) {
  base::Json json = {{"schema", "arbor.export/1"}, {"base", exported.base}};
  json["branch"] = exported.branch.empty() ? base::Json(nullptr) : base::Json(exported.branch);
  json["steps"] = base::Json::array();
  for (const auto& [trial, commit] : exported.steps)
    json["steps"].push_back(
        {{"node", trial->start.node.text()},
         {"action", trial->start.choice.action.title},
         {"gain", speedup_json(trial->end->verdict.gain)},
         {"commit", commit.empty() ? base::Json(nullptr) : base::Json(commit)}});
  json["folder"] = exported.folder.string();
  json["files"] = base::Json::array();
  for (const auto& file : exported.files) json["files"].push_back(file.filename().string());
  json["by_hand"] = exported.by_hand;
  return json;
}

std::string exported_text(const Exported& exported) {
  std::string text =
      exported.branch.empty()
          ? "branch  none: what was kept changes no source\n"
          : fmt::format("branch  {} on {}; 'git merge {}' takes it\n", exported.branch,
                        exported.base.substr(0, 10), base::shell_quoted(exported.branch));
  for (const auto& [trial, commit] : exported.steps)
    text += fmt::format("  {:<4}  {:<10}  {}  {}\n", trial->start.node.text(),
                        commit.empty() ? "-" : commit.substr(0, 10),
                        base::printable(trial->start.choice.action.title),
                        speedup_text(trial->end->verdict.gain));
  text += fmt::format("files   {}\n", exported.folder.string());
  for (const auto& file : exported.files) text += fmt::format("  {}\n", file.filename().string());
  for (const auto& line : exported.by_hand) text += "by hand: " + line + "\n";
  return text;
}

int show(const Campaign& campaign, const Arguments& arguments, Terminal& terminal) {
  if (kept_trials(campaign.state).empty()) {
    if (terminal.is_json())
      terminal.print_json({{"schema", "arbor.export/1"},
                           {"branch", nullptr},
                           {"steps", base::Json::array()},
                           {"files", base::Json::array()}});
    terminal.log(
        "The campaign has kept nothing, so there is nothing to export; 'arbor report' says "
        "what was tried.");
    return kExitNoImprovement;
  }
  const auto exported = write_all(campaign, arguments);
  if (!exported) return terminal.fail(exported.error());
  if (terminal.is_json())
    terminal.print_json(exported_json(*exported));
  else
    terminal.print(exported_text(*exported));
  return kExitDone;
}

int run(const Arguments& arguments, Terminal& terminal) {
  if (const auto branch = arguments.value("--branch"))
    if (auto named = workspace::Repository::check_branch_name(*branch); !named)
      return terminal.fail(named.error());
  return on_campaign(arguments, terminal,
                     [&](const Campaign& campaign) { return show(campaign, arguments, terminal); });
}

}  // namespace

Verb export_verb() {
  return {
      "export",
      "What was kept, without Arbor: a branch of measured commits, patches, flags, environment",
      "arbor export\narbor export --branch faster --to ../handover",
      {{"--branch", "NAME", "the new branch (arbor/PROGRAM-DATE); your checkout stays as it is"},
       {"--to", "DIR", "where the files go (.arbor/export)"},
       {"--force", "", "replace a branch of that name, write into a folder that is not empty"}},
      {},
      run};
}

}  // namespace arbor::app
