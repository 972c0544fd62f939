// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/say.h"
#include "app/config/manifest_file.h"
#include "engine/campaign_state.h"
#include "workspace/repository_fixture.h"

namespace arbor::app {

// A campaign that never ran: its program is a real git repository, its journal is written by the
// real store from records, and each choice in it is the search's own. For tests of the verbs.
class CampaignFixture : public workspace::RepositoryFixture {
 protected:
  std::filesystem::path root() const { return scratch() / "the program"; }

  // The repository, the manifest and the journal up to the first proposals.
  void begin_campaign(engine::CampaignStarted started = {}) {
    make_repository(root(), {{"src/sum.c", "int sum = 1;\n"}, {"Makefile", "all:\n"}});
    put(root() / "arbor.toml", kManifest);
    repository_.emplace(open_in(root()));
    manifest_ = started.manifest ? *manifest_of(*started.manifest, root())
                                 : *parse_manifest(kManifest, "arbor.toml");
    store_ = *ports::open_store(root() / ".arbor", ports::StoreMode::kCreate);
    started.program = "demo";
    started.commit = *repository_->baseline_commit(false);
    started.budget_s = 900;
    started.host = "build-7";
    started.sandbox = "bubblewrap";
    add(started);
    add(engine::BaselineReady{"a1", "j1", true, 2.5, 0.8, 0, {}, {}});
    add(engine::Calibrated{{20, 0.012, 0.001, 0.05, 0.008, 900'000'000}, {0.01, -0.01}});
    const domain::Profile profile{
        "perf", 900, {{"sum_rows", "server", "src/sum.c", 3, 0.62, 0.7}}, ""};
    add(engine::Profiled{domain::NodeId{0}, profile, 0});
    add(engine::Proposed{domain::NodeId{0},
                         {idea("loop", "kernel.loop", "Vectorise the sum in sum_rows()", 2.0),
                          idea("-O3", "compiler.flags", "-O3 for every file", 1.3),
                          idea("mimalloc", "runtime.allocator", "Preload mimalloc", 1.1),
                          idea("batch", "application.knob", "batch = 8", 1.2)}});
  }

  // Records what the search chooses next and how it ended; false once it chooses nothing.
  bool end_next(const std::map<std::string, domain::Change>& kept) {
    const auto choice = state_.search->ask();
    if (!choice) return false;
    const auto number = static_cast<std::int64_t>(state_.trials.size()) + 1;
    const engine::TrialStarted started{domain::TrialId{number}, domain::NodeId{number}, *choice};
    add(started);
    engine::TrialEnded end;
    end.trial = started.trial;
    end.node = started.node;
    end.minutes = 0.5;
    end.recipe = state_.search->node(state_.search->trunk()).recipe;
    end.commit = state_.search->node(state_.search->trunk()).commit;
    const auto found = kept.find(choice->action.strategy);
    if (found != kept.end())
      keep(found->second, end);
    else
      end.verdict = {domain::VerdictKind::kReverted,
                     domain::Stage::kPairs,
                     "slower",
                     "0.96× of the state before",
                     domain::Interval{-0.04, -0.05, -0.03},
                     12};
    add(end);
    if (found != kept.end())
      add(engine::Profiled{started.node, state_.profiles.back().profile, 0.12});
    return true;
  }

  void end_campaign() {
    add(engine::FinalMeasured{20, {0.25, 0.23, 0.27}, {}, "", {}});
    add(engine::CampaignStopped{"frontier", "no idea left", 312});
    store_.reset();
  }

  domain::Change source_change(const std::string& from, const std::string& to) const {
    return {{domain::SourcePatch{"--- a/src/sum.c\n+++ b/src/sum.c\n@@ -1 +1 @@\n-int sum = " +
                                     from + ";\n+int sum = " + to + ";\n",
                                 "",
                                 {}}},
            "sum is " + to};
  }

  void add(const engine::Record& record) {
    now_ms_ += 1500;
    ASSERT_TRUE(store_->append({engine::encode(record, now_ms_)}));
    state_.apply(record, now_ms_, manifest_);
  }

  static constexpr const char* kManifest =
      "schema = 1\n[program]\nname = \"demo\"\n[build]\ncommand = \"make\"\n[check]\ncommand = "
      "\"true\"\n[bench]\ncommand = \"./server\"\n[[knob]]\nname = \"batch\"\nkind = \"env\"\n"
      "variable = \"BATCH\"\ndefault = \"1\"\nvalues = [\"1\", \"8\"]\n";

  std::optional<workspace::Repository> repository_;
  domain::Manifest manifest_;
  std::unique_ptr<ports::Store> store_;
  engine::CampaignState state_;

 private:
  static domain::Action idea(const std::string& strategy, const std::string& category,
                             const std::string& title, double speedup);
  void keep(domain::Change change, engine::TrialEnded& end);

  std::int64_t now_ms_ = 1'780'000'000'000;
};

inline domain::Action CampaignFixture::idea(const std::string& strategy,
                                            const std::string& category, const std::string& title,
                                            double speedup) {
  domain::Action action;
  action.category = category;
  action.strategy = strategy;
  action.title = title;
  action.specialist = category;
  action.rationale = "sum_rows takes 62 % of the time";
  action.prediction.touched_share = 0.62;
  action.prediction.local_speedup = speedup;
  action.prediction.upper_speedup = 2 * speedup;
  return action;
}

inline void CampaignFixture::keep(domain::Change change, engine::TrialEnded& end) {
  for (auto& entry : change.entries)
    if (auto* patch = std::get_if<domain::SourcePatch>(&entry)) {
      const auto applied = repository_->apply(end.commit, patch->diff, change.summary, {});
      ASSERT_TRUE(applied) << applied.error().message;
      patch->commit = end.commit = applied->commit;
      patch->files = applied->files;
    }
  add(engine::ChangePrepared{end.trial, change});
  for (int i = 1; i <= 6; ++i)
    add(engine::PairMeasured{end.trial, i > 3, {i, i % 2 == 0, {}, {}, 0.16 + 0.01 * i, 1, ""}});
  end.recipe = domain::extended(end.recipe, change);
  end.verdict = {domain::VerdictKind::kKept,
                 domain::Stage::kConfirm,
                 "",
                 "1.21× confirmed",
                 domain::Interval{0.19, 0.17, 0.21},
                 24};
  end.keys = {{"orchestrator", true, "faster in both stages"}, {"critic", true, "sound"}};
}

}  // namespace arbor::app
