// SPDX-License-Identifier: Apache-2.0
// placebo: real changes that cannot help, to learn how often the whole machinery keeps one.
//
// Evidence: compiled sources. Never part of a campaign unless it is asked for by name
// (--only placebo); what is kept then is a false gain by construction.
// Prediction: 1.02, as an honest specialist would claim, so that the search tries them.
#include <fmt/format.h>

#include <algorithm>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/patch_writer.h"
#include "agents/specialists/proposal.h"
#include "base/text.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "placebo";

// Appended to a source: each lands in the program, and nothing ever uses it.
struct DeadCode {
  const char* strategy;
  const char* title;
  std::vector<std::string> lines;
};

const std::vector<DeadCode>& dead_code() {
  static const std::vector<DeadCode> kDeadCode = {
      {"unused-text",
       "Add a text that nothing reads",
       {"__attribute__((used)) static const char arbor_unused_text[] =",
        "    \"This text is part of the program and is never read.\";"}},
      {"uncalled-function",
       "Add a function that nothing calls",
       {"__attribute__((used, noinline)) static int arbor_uncalled(int value) {",
        "  return value * 2654435 + 1013904;", "}"}},
      {"unused-table",
       "Add a table that nothing reads",
       {"__attribute__((used)) static int arbor_unused_table[16] = {1, 2, 3, 5, 7, 11, 13};"}}};
  return kDeadCode;
}

// Flags of the link that move or add what no instruction depends on.
struct LinkFlags {
  const char* strategy;
  const char* title;
  std::vector<std::string> flags;
};

const std::vector<LinkFlags>& link_flags() {
  static const std::vector<LinkFlags> kLinkFlags = {
      {"link-order",
       "Link the functions in another order",
       {"-ffunction-sections", "-Wl,--sort-section=name"}},
      {"both-hash-tables", "Link with both kinds of symbol table", {"-Wl,--hash-style=both"}},
      {"build-path-note",
       "Link with a library path that nothing needs",
       {"-Wl,-rpath,/nonexistent/arbor/placebo"}},
      {"extra-symbol",
       "Link with a symbol that nothing names",
       {"-Wl,--defsym=arbor_unused_symbol=1,--export-dynamic-symbol=arbor_unused_symbol"}}};
  return kLinkFlags;
}

domain::Action draft(const Evidence& evidence, const std::string& strategy,
                     const std::string& title) {
  domain::Action action;
  action.layer = domain::Layer::kApplication;
  action.category = "placebo";
  action.strategy = strategy;
  action.specialist = kName;
  action.title = title;
  action.rationale = "A change without effect: if it is kept, the gate was wrong.";
  action.prediction = predict(evidence, {.share = 1,
                                         .speedup = 1.02,
                                         .upper_speedup = 1.1,
                                         .accuracy_risk = 0.01,
                                         .crash_risk = 0.01,
                                         .builds = 1});
  return action;
}

class Placebo : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    const auto file = source_for(evidence);
    if (file.empty()) return actions;
    for (const auto& code : dead_code()) {
      if (stands_in(evidence, file, code)) continue;
      auto action = draft(evidence, code.strategy, code.title);
      action.target = file;
      add_action(actions, evidence, std::move(action));
    }
    for (const auto& link : link_flags()) {
      auto flags = added_flags(link.flags);
      flags.reaches_link = true;
      add_flag_action(actions, evidence, draft(evidence, link.strategy, link.title), flags);
    }
    return actions;
  }

  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence& evidence,
                                         std::stop_token) override {
    for (const auto& code : dead_code()) {
      if (action.strategy != code.strategy) continue;
      ARBOR_TRY(const auto source, evidence.read_source(action.target));
      const int last = static_cast<int>(base::split(source, '\n').size()) -
                       (source.empty() || source.ends_with('\n') ? 1 : 0);
      domain::SourcePatch patch;
      patch.diff = unified_diff(action.target, source, {{last + 1, 0, code.lines}});
      patch.files = {action.target};
      return domain::Change{.entries = {std::move(patch)}, .summary = action.title};
    }
    return carry_out_flags(action);
  }

 private:
  // The hottest source; without a profile the first.
  static std::string source_for(const Evidence& evidence) {
    if (const auto hot = hot_files(evidence); !hot.empty()) return hot.front().path;
    const auto sources = compiled_sources(evidence);
    return sources.empty() ? "" : sources.front();
  }

  static bool stands_in(const Evidence& evidence, const std::string& file, const DeadCode& code) {
    const auto source = evidence.read_source(file);
    return !source || source->contains(code.lines.front());
  }
};

ARBOR_REGISTER(Specialist, kName, "Changes without effect, only with --only placebo", Placebo);

}  // namespace
}  // namespace arbor::agents
