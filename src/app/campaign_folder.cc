// SPDX-License-Identifier: Apache-2.0
#include "app/campaign_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "app/version.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/text.h"
#include "ports/store/damage.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

constexpr const char* kCampaignFiles[] = {"campaign.db-wal", "campaign.db-shm", "campaign.db",
                                          "objects"};

base::Result<void> move_campaign(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  fs::create_directories(to, failed);
  for (const char* name : kCampaignFiles)
    if (fs::exists(from / name) && !failed) fs::rename(from / name, to / name, failed);
  if (!failed) return {};
  return base::fail(base::ErrorKind::kIo,
                    fmt::format("cannot move the campaign in '{}' to '{}': {}", from.string(),
                                to.string(), failed.message()));
}

base::Result<fs::path> move_to_archive(const fs::path& arbor_dir) {
  int number = 1;
  while (fs::exists(arbor_dir / "archive" / std::to_string(number))) ++number;
  const fs::path archive = arbor_dir / "archive" / std::to_string(number);
  ARBOR_TRY_VOID(move_campaign(arbor_dir, archive));
  return archive;
}

// What a new campaign would put away unasked: one that can still go on and has something to lose.
base::Result<bool> is_unfinished(const std::vector<ports::Event>& events) {
  const bool is_calibrated =
      std::ranges::find(events, "calibrated", &ports::Event::type) != events.end();
  if (!is_calibrated) return false;
  ARBOR_TRY(const auto last, engine::decode(events.back()));
  const auto* stopped = std::get_if<engine::CampaignStopped>(&last);
  return stopped == nullptr || stopped->reason == "user";
}

base::Result<bool> looks_unfinished(const fs::path& arbor_dir) {
  const auto store = ports::open_store(arbor_dir, ports::StoreMode::kWrite);
  // A file without a journal in it: its maker was killed before the first entry.
  if (!store && store.error().kind == base::ErrorKind::kNotFound) return false;
  if (!store) return std::unexpected(store.error());
  ARBOR_TRY(const auto events, (*store)->read(0));
  auto answer = is_unfinished(events);
  if (!answer) return ports::unusable_journal(arbor_dir, std::move(answer).error());
  return answer;
}

}  // namespace

base::Result<fs::path> make_room_for_campaign(const fs::path& arbor_dir, bool is_fresh) {
  if (!fs::exists(arbor_dir / "campaign.db")) return fs::path();
  const auto unfinished = looks_unfinished(arbor_dir);
  if (!unfinished && unfinished.error().kind != base::ErrorKind::kCorrupt)
    return std::unexpected(unfinished.error());
  // Told to, it puts away even a journal that nobody can read; nothing is deleted.
  if (!is_fresh && !unfinished)
    return base::fail(base::ErrorKind::kUsage, unfinished.error().message +
                                                   "\n'arbor run --fresh' puts it away under "
                                                   ".arbor/archive and starts anew");
  if (!is_fresh && *unfinished)
    return base::fail(base::ErrorKind::kUsage,
                      "an unfinished campaign is here: 'arbor resume' goes on with it, 'arbor run "
                      "--fresh' puts it away and starts anew");
  return move_to_archive(arbor_dir);
}

base::Result<void> take_back_campaign(const fs::path& arbor_dir, const fs::path& archive) {
  for (const char* name : kCampaignFiles) base::remove_tree(arbor_dir / name);
  ARBOR_TRY_VOID(move_campaign(archive, arbor_dir));
  std::error_code ignored;
  fs::remove(archive, ignored);  // it is empty now
  return {};
}

base::Result<engine::CampaignOptions> campaign_options(Workshop& workshop,
                                                       const WorkshopOptions& options,
                                                       bool include_dirty) {
  engine::CampaignOptions campaign;
  auto& start = campaign.start;
  ARBOR_TRY(start.commit, workshop.repository->baseline_commit(include_dirty));
  ARBOR_TRY(const auto dirty, workshop.repository->dirty_files());
  if (!dirty.empty())
    start.notes.push_back(
        fmt::format("the work tree has {} uncommitted change(s): the campaign starts from {}",
                    dirty.size(), include_dirty ? "a snapshot of it" : "HEAD, without them"));
  start.manifest = workshop.manifest_source;
  start.manifest_hash = base::content_hash(workshop.manifest_source.toml);
  start.arbor_version = build_facts().version;
  start.seed = workshop.manifest.search.seed;
  start.program = workshop.manifest.program.name;
  start.is_dirty_snapshot = include_dirty && !dirty.empty();
  start.budget_s = workshop.manifest.budget.wall_s;
  start.budget_trials = workshop.manifest.budget.trials;
  start.only = options.only;
  start.without = options.without;
  start.is_unsafe = options.is_unsafe;
  start.host = workshop.executor->host();
  start.toolchain = workshop.builder->toolchain();
  const auto& bench = workshop.manifest.bench;
  if (bench.train.empty() && bench.holdout.empty() && !bench.command.contains("{seed}"))
    start.notes.emplace_back(
        "no profile-guided build is tried: nothing but the bench's own input could train and judge "
        "it; [bench] train names another");
  const auto& sandbox = workshop.manifest.sandbox;
  if (sandbox.network) start.notes.emplace_back("[sandbox] lets the program use the network");
  if (!sandbox.read.empty())
    start.notes.push_back("[sandbox] lets the program read " + base::join(sandbox.read, ", "));
  const auto traits = workshop.sandbox->traits();
  start.sandbox = traits.name;
  start.notes.insert(start.notes.end(), traits.notes.begin(), traits.notes.end());
  campaign.budget_s = start.budget_s;
  campaign.budget_trials = start.budget_trials;
  return campaign;
}

std::vector<std::string> changed_since(const engine::CampaignStarted& start,
                                       const Workshop& workshop) {
  std::vector<std::string> changes;
  const auto toml = base::read_file(workshop.root / kManifestName);
  if (!start.manifest)
    changes.emplace_back(
        "this campaign was begun by an older Arbor, which kept no manifest: it goes on with the "
        "present arbor.toml");
  else if (!toml || *toml != start.manifest->toml)
    changes.emplace_back(
        "arbor.toml has changed since the campaign began: it goes on with what it began with; "
        "'arbor run --fresh' starts over with the new one");
  const auto head = workshop.repository->baseline_commit(false);
  const auto begun_at = start.is_dirty_snapshot ? workshop.repository->parent_of(start.commit)
                                                : base::Result<std::string>(start.commit);
  if (head && begun_at && *head != *begun_at)
    changes.push_back(
        fmt::format("HEAD is now {}; this campaign goes on from {}{}, where it began; 'arbor run "
                    "--fresh' starts over from HEAD",
                    head->substr(0, 10), start.is_dirty_snapshot ? "a snapshot on " : "",
                    begun_at->substr(0, 10)));
  if (!start.toolchain.hash.empty() && start.toolchain.hash != workshop.builder->toolchain().hash)
    changes.emplace_back(
        "the compilers have changed since the campaign began: what was kept is built anew and may "
        "differ from what was measured");
  return changes;
}

base::Result<bool> unsafe_consent(const engine::CampaignStarted& start,
                                  const Arguments& arguments) {
  const bool is_given = arguments.has("--unsafe");
  if (start.is_unsafe && !is_given)
    return base::fail(base::ErrorKind::kUsage,
                      "this campaign was begun without a sandbox; give --unsafe again to trust the "
                      "program and everything it runs");
  if (!start.is_unsafe && is_given)
    return base::fail(base::ErrorKind::kUsage,
                      "this campaign was begun in a sandbox, and its figures are of that; leave "
                      "--unsafe out");
  return is_given;
}

int fail(const engine::BaselineFailure& failure, Terminal& terminal) {
  const int code = terminal.fail(failure.error);
  const bool is_check = failure.cause == engine::BaselineFailure::Cause::kCheck;
  return is_check ? kExitBaselineFails : code;
}

base::Result<engine::CampaignState> resumed_state(Workshop& workshop,
                                                  std::optional<double> more_s) {
  ARBOR_TRY(const auto events, workshop.store->read(0));
  auto folded = engine::fold(events, workshop.manifest);
  if (!folded) return ports::unusable_journal(workshop.arbor_dir, std::move(folded).error());
  auto state = std::move(*folded);
  const std::int64_t now = workshop.clock->unix_ms();
  const bool was_stopped = state.stopped.has_value();
  engine::SessionResumed record;
  record.reason = was_stopped ? "after a stop" : "after a session that ended without a word";
  record.spent_s = state.elapsed_s;
  if (more_s) record.budget_s = record.spent_s + *more_s;
  ARBOR_TRY_VOID(workshop.store->append({engine::encode(record, now)}));
  state.apply(record, now, workshop.manifest);
  return state;
}

}  // namespace arbor::app
