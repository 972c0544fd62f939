// SPDX-License-Identifier: Apache-2.0
#include "engine/proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace arbor::engine {
namespace {

// The trunk as the specialists see it. Lives as long as one round of questions: loops of a file are
// analysed once in it.
class TrunkEvidence {
 public:
  explicit TrunkEvidence(Session& session) : session_(session) {
    const auto& manifest = session.manifest();
    evidence_.launch_s = session.launch_s();
    evidence_.build_s = session.trunk.build_s;
    evidence_.checks_numbers = allows_rounding(manifest.check);
    evidence_.has_train = !manifest.bench.train.empty();
    evidence_.read_source = [this](const std::string& path) {
      return session_.services().repository.read_file(session_.trunk.commit, path);
    };
    if (session.services().analyzer != nullptr)
      evidence_.loops = [this](const std::string& path) { return loops(path); };
  }

  const agents::Evidence& operator*() const { return evidence_; }

 private:
  const domain::Profile& trunk_profile() const {
    const auto& profile = session_.search().node(session_.search().trunk()).profile;
    static const domain::Profile kNone;
    return profile ? *profile : kNone;
  }

  base::Result<std::vector<ports::Loop>> loops(const std::string& path) {
    if (const auto known = analysed_.find(path); known != analysed_.end()) return known->second;
    auto found = analyse(path);
    analysed_.emplace(path, found);
    return found;
  }

  base::Result<std::vector<ports::Loop>> analyse(const std::string& path) const {
    for (const auto& command : session_.trunk.commands) {
      if (std::ranges::find(command.sources, path) == command.sources.end()) continue;
      ports::AnalysisRequest request;
      const auto& top = session_.services().repository.toplevel();
      request.file = (top / path).string();
      request.arguments.assign(command.original_argv.begin() + 1, command.original_argv.end());
      request.directory = command.directory;
      request.view.tree = session_.trunk.folder;
      request.view.tree_path = top;
      request.view.discard_writes = true;
      return session_.services().analyzer->loops(request, session_.stop());
    }
    return base::fail(base::ErrorKind::kNotFound, "no recorded command compiles '" + path + "'");
  }

  Session& session_;
  std::map<std::string, base::Result<std::vector<ports::Loop>>> analysed_;
  agents::Evidence evidence_{session_.manifest(),
                             trunk_profile(),
                             session_.trunk.recipe,
                             session_.trunk.commands,
                             session_.services().machine,
                             0,
                             0,
                             false,
                             false,
                             {},
                             {}};
};

const Worker* worker_named(const Services& services, const std::string& name) {
  const auto found = std::ranges::find(services.workers, name, &Worker::name);
  return found == services.workers.end() ? nullptr : &*found;
}

base::Result<domain::Change> carry_out_one(Session& session, const domain::Action& action,
                                           const agents::Evidence& evidence) {
  const Worker* worker = worker_named(session.services(), action.specialist);
  if (worker == nullptr)
    return base::fail(
        base::ErrorKind::kNotFound,
        fmt::format("specialist '{}' takes no part in this session", action.specialist));
  return worker->specialist->carry_out(action, evidence, session.stop());
}

// More threads pay on idle cores only, so how many there are is seen now, not assumed.
base::Result<void> count_idle_cpus(Session& session) {
  constexpr double kLookS = 0.5;
  ARBOR_TRY(const auto load, session.services().executor.load(kLookS, session.stop()));
  auto& machine = session.services().machine;
  if (load)
    machine.idle_cpus =
        std::clamp(machine.cpus - static_cast<int>(std::lround(*load)), 1, machine.cpus);
  return {};
}

}  // namespace

bool allows_rounding(const domain::CheckSection& check) {
  if (check.score) return true;
  if (check.outputs.empty()) return !check.harness.empty();
  return std::ranges::all_of(check.outputs,
                             [](const auto& output) { return output.rtol > 0 || output.atol > 0; });
}

base::Result<void> propose_for_trunk(Session& session) {
  session.phase("asking the specialists");
  ARBOR_TRY_VOID(count_idle_cpus(session));
  const TrunkEvidence evidence(session);
  Proposed record{session.search().trunk(), {}};
  for (const auto& worker : session.services().workers) {
    for (auto& action : worker.specialist->propose(*evidence, session.stop())) {
      action.specialist = worker.name;
      record.actions.push_back(std::move(action));
    }
    if (session.stop().stop_requested())
      return base::fail(base::ErrorKind::kCancelled, "stopped while the specialists were asked");
  }
  return session.commit(record);
}

base::Result<domain::Change> carry_out(Session& session, const domain::Action& action) {
  const TrunkEvidence evidence(session);
  if (action.parts.empty()) return carry_out_one(session, action, *evidence);
  domain::Change whole;
  whole.summary = action.title;
  for (const auto& part : action.parts) {
    const auto idea = session.search().idea(part);
    if (!idea)
      return base::fail(base::ErrorKind::kNotFound, "no idea " + part.text() + " in the tree");
    ARBOR_TRY(const domain::Change change, carry_out_one(session, idea->action, *evidence));
    whole.entries.insert(whole.entries.end(), change.entries.begin(), change.entries.end());
  }
  return whole;
}

}  // namespace arbor::engine
