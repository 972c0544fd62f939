// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/campaign_folder.h"
#include "app/report/report.h"
#include "app/verbs/verbs.h"
#include "app/watch.h"
#include "app/wiring.h"
#include "base/files.h"
#include "base/text.h"
#include "engine/trial.h"
#include "studies/try_change.h"

namespace arbor::app {
namespace {

// NAME=VALUE of an option, split at the first '='.
base::Result<std::pair<std::string, std::string>> assignment(const std::string& option,
                                                             const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return base::fail(base::ErrorKind::kUsage,
                      fmt::format("{} '{}': expected NAME=VALUE", option, text));
  return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

std::unexpected<base::Error> meaningless(const std::string& why) {
  return base::fail(base::ErrorKind::kUsage, base::printable(why));
}

base::Result<void> add_source(const Arguments& arguments, const workspace::Repository& repository,
                              domain::Change& change) {
  for (const auto& file : arguments.values("--patch")) {
    ARBOR_TRY(const auto diff, base::read_file(path_given(arguments, file), 2U << 20));
    if (base::trim(diff).empty()) return meaningless("--patch '" + file + "': the file is empty");
    change.entries.emplace_back(domain::SourcePatch{diff, "", {}});
  }
  for (const auto& branch : arguments.values("--branch")) {
    ARBOR_TRY(const auto diff, repository.diff_since_head(branch));
    change.entries.emplace_back(domain::SourcePatch{diff, "", {}});
  }
  return {};
}

base::Result<domain::KnobValue> knob_from(const std::string& text,
                                          const std::vector<domain::Knob>& knobs) {
  ARBOR_TRY(const auto pair, assignment("--knob", text));
  const auto& [name, value] = pair;
  const auto* knob = domain::find_knob(knobs, name);
  if (knob == nullptr)
    return meaningless(fmt::format("--knob: arbor.toml declares no knob '{}'", name));
  if (!knob->values.empty() && std::ranges::find(knob->values, value) == knob->values.end())
    return meaningless(fmt::format("--knob: '{}' is no value of knob '{}'; arbor.toml declares {}",
                                   value, name, base::join(knob->values, ", ")));
  if (value == knob->default_value)
    return meaningless(
        fmt::format("--knob: '{}' is what knob '{}' has already by default", value, name));
  return domain::knob_value(*knob, value);
}

// What changes how the program is started.
base::Result<void> add_settings(const Arguments& arguments, const std::vector<domain::Knob>& knobs,
                                domain::Change& change) {
  for (const auto& text : arguments.values("--env")) {
    ARBOR_TRY(const auto pair, assignment("--env", text));
    change.entries.emplace_back(domain::EnvironmentVariable{pair.first, pair.second});
  }
  for (const auto& library : arguments.values("--preload")) {
    std::error_code failed;
    if (library.starts_with('/') && !std::filesystem::exists(library, failed))
      return meaningless("--preload: there is no file '" + library + "'");
    change.entries.emplace_back(domain::Preload{library});
  }
  for (const auto& text : arguments.values("--knob")) {
    ARBOR_TRY(auto value, knob_from(text, knobs));
    change.entries.emplace_back(std::move(value));
  }
  return {};
}

base::Result<domain::Change> change_from(const Arguments& arguments,
                                         const workspace::Repository& repository,
                                         const std::vector<domain::Knob>& knobs) {
  domain::Change change;
  ARBOR_TRY_VOID(add_source(arguments, repository, change));
  for (const auto& flags : arguments.values("--flags")) {
    domain::CompilerFlags entry;
    for (const auto flag : base::split(flags, ' '))
      if (!base::trim(flag).empty()) entry.add.emplace_back(base::trim(flag));
    if (entry.add.empty()) return meaningless("--flags '" + flags + "' holds no flag");
    entry.reaches_link = flags.find("-flto") != std::string::npos;
    change.entries.emplace_back(entry);
  }
  ARBOR_TRY_VOID(add_settings(arguments, knobs, change));
  if (change.entries.empty())
    return base::fail(base::ErrorKind::kUsage,
                      "nothing to try: give --patch FILE, --branch NAME, --flags '…', --env "
                      "NAME=VALUE, --preload "
                      "LIBRARY or --knob NAME=VALUE");
  change.summary = domain::describe(change.entries, "; ");
  return change;
}

// The verdict on a patch that no state of the program could take: known before anything is built.
std::optional<studies::TryResult> refused_at_once(const Workshop& workshop, std::string commit,
                                                  const domain::Change& change) {
  // Whether anything is built is not known yet; the trial itself looks at the rest.
  const workspace::Repository::PatchPolicy policy{workshop.manifest.edit,
                                                  engine::judges_files(workshop.manifest, true)};
  for (const auto& entry : change.entries) {
    const auto* patch = std::get_if<domain::SourcePatch>(&entry);
    if (patch == nullptr) continue;
    const auto applied = workshop.repository->apply(commit, patch->diff, change.summary, policy);
    if (applied) {
      commit = applied->commit;
      continue;
    }
    if (applied.error().kind != base::ErrorKind::kUsage) break;  // said when it is tried
    studies::TryResult result;
    result.verdict = {domain::VerdictKind::kRejected,
                      domain::Stage::kApply,
                      "patch-refused",
                      applied.error().message,
                      {},
                      0};
    return result;
  }
  return std::nullopt;
}

int exit_code_of(const domain::Verdict& verdict) {
  switch (verdict.kind) {
    case domain::VerdictKind::kKept:
      return kExitDone;
    case domain::VerdictKind::kReverted:
      return kExitNoImprovement;
    case domain::VerdictKind::kInconclusive:
      return kExitUndecided;
    case domain::VerdictKind::kRejected:
      return verdict.reason == "not-applied" ? kExitNoImprovement : kExitFailure;
    case domain::VerdictKind::kCrashed:
    case domain::VerdictKind::kSuspect:
      return kExitFailure;
  }
  return kExitFailure;
}

void print_result(const studies::TryResult& result, Terminal& terminal) {
  const auto& verdict = result.verdict;
  if (terminal.is_json()) {
    base::Json keys = base::Json::array();
    for (const auto& key : result.end.keys)
      keys.push_back({{"role", key.role}, {"signed", key.is_signed}, {"reason", key.reason}});
    terminal.print_json({{"schema", "arbor.try/1"},
                         {"verdict", domain::verdict_name(verdict.kind)},
                         {"stage", domain::stage_name(verdict.stage)},
                         {"reason", verdict.reason},
                         {"detail", verdict.detail},
                         {"gain", speedup_json(verdict.gain)},
                         {"pairs", verdict.pairs},
                         {"keys", keys}});
    return;
  }
  terminal.print(fmt::format("{}  {}\n{}\n", terminal.bold(domain::verdict_name(verdict.kind)),
                             verdict.gain ? speedup_text(verdict.gain) : verdict.reason,
                             base::printable(base::shortened(verdict.detail, 4000))));
}

int run(const Arguments& arguments, Terminal& terminal) {
  interrupted();
  const auto root = find_program(arguments);
  if (!root) return terminal.fail(root.error());
  auto manifest = manifest_for(*root, arguments);
  if (!manifest) return terminal.fail(manifest.error());
  WorkshopOptions options;
  options.is_unsafe = arguments.has("--unsafe");
  options.without = arguments.values("--without");
  options.is_in_memory = true;
  auto workshop = open_workshop(*root, *manifest, options);
  if (!workshop) return terminal.fail(workshop.error());
  const auto change = change_from(arguments, *(*workshop)->repository, (*workshop)->manifest.knobs);
  if (!change) return terminal.fail(change.error());
  const auto start = campaign_options(**workshop, options, arguments.has("--include-dirty"));
  if (!start) return terminal.fail(start.error());
  if (const auto refused = refused_at_once(**workshop, start->start.commit, *change)) {
    print_result(*refused, terminal);
    return exit_code_of(refused->verdict);
  }
  watch(*(*workshop)->services, terminal);
  engine::Session session(*(*workshop)->services, {}, interrupted());
  const auto result = studies::try_change(session, *start, *change);
  terminal.clear_status();
  if (!result) return fail(result.error(), terminal);
  print_result(*result, terminal);
  return exit_code_of(result->verdict);
}

}  // namespace

Verb try_verb() {
  return {"try",
          "The whole gate on your own change. Exit 0 kept, 3 no gain or no effect, 5 undecided, 1 "
          "wrong or broken",
          "arbor try --patch faster.diff\narbor try --flags '-O3 -march=native'\narbor try --env "
          "OMP_NUM_THREADS=2",
          {{"--patch", "FILE", "a unified diff against HEAD", true},
           {"--branch", "NAME", "a branch, tag or commit: what it did since it left HEAD", true},
           {"--flags", "FLAGS", "compiler flags added to every C and C++ compile", true},
           {"--env", "NAME=VALUE", "an environment variable of the program", true},
           {"--preload", "LIBRARY", "a shared library preloaded into the program", true},
           {"--knob", "NAME=VALUE", "a knob of the manifest", true},
           {"--seed", "N", "seed of the order within pairs (1)"},
           {"--include-dirty", "", "start from a snapshot of the work tree instead of HEAD"},
           {"--without", "NAME", "not this guardrail or plant of the self-test", true},
           {"--unsafe", "", "without a sandbox: trust the program and everything it runs"}},
          {},
          run};
}

}  // namespace arbor::app
