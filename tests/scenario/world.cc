// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agents/specialists/patch_writer.h"
#include "base/random.h"
#include "base/subprocess.h"
#include "base/text.h"

namespace arbor::scenario {
namespace {

constexpr double kCheckS = 0.5;
constexpr std::int64_t kLookMs = 6000;
constexpr const char* kSource = "main.c";

// Proposes the scenario's ideas and carries them out.
class Script final : public agents::Specialist {
 public:
  explicit Script(const std::vector<Idea>& ideas) : ideas_(ideas) {}

  std::vector<domain::Action> propose(const agents::Evidence& evidence, std::stop_token) override {
    const std::string present = domain::canonical_form(evidence.recipe);
    ++asked_[present];
    std::vector<domain::Action> actions;
    for (const auto& idea : ideas_) {
      if (idea.asked > asked_[present]) continue;
      if (!idea.after.empty() && present.find("-f" + idea.after) == std::string::npos) continue;
      domain::Action action;
      action.layer = domain::parse_layer(idea.layer).value();
      action.category = idea.layer + "." + idea.name;
      action.strategy = action.title = idea.name;
      action.rationale = "the scenario says so";
      action.prediction.local_speedup = idea.predicted;
      action.prediction.upper_speedup = 4 * idea.predicted;
      actions.push_back(action);
    }
    return actions;
  }

  base::Result<domain::Change> carry_out(const domain::Action& action,
                                         const agents::Evidence& evidence,
                                         std::stop_token) override {
    const auto idea = std::ranges::find(ideas_, action.strategy, &Idea::name);
    if (!idea->is_source)
      return domain::Change{{domain::CompilerFlags{{"-f" + idea->name}, {}, {}, false}},
                            idea->name};
    ARBOR_TRY(const auto source, evidence.read_source(kSource));
    const agents::LineEdit edit{1, 0, {"// " + idea->name}};
    return domain::Change{
        {domain::SourcePatch{agents::unified_diff(kSource, source, {edit}), "", {kSource}}},
        idea->name};
  }

 private:
  const std::vector<Idea>& ideas_;
  std::map<std::string, int> asked_;  // by the recipe asked about
};

// Refuses everything after so many records: what a killed controller has on disk.
class CutStore final : public ports::Store {
 public:
  CutStore(ports::Store& store, std::optional<int> records) : store_(store), left_(records) {}
  base::Result<std::int64_t> append(const std::vector<ports::Event>& events) override {
    if (left_ && (*left_)-- <= 0) return base::fail(base::ErrorKind::kIo, "killed");
    return store_.append(events);
  }
  base::Result<std::vector<ports::Event>> read(std::int64_t after) const override {
    return store_.read(after);
  }
  base::Result<std::string> put_object(std::string_view bytes) override {
    return store_.put_object(bytes);
  }
  base::Result<std::string> get_object(std::string_view address) const override {
    return store_.get_object(address);
  }

 private:
  ports::Store& store_;
  std::optional<int> left_;
};

void git(const std::filesystem::path& folder, std::vector<std::string> words) {
  words.insert(words.begin(), {"git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"});
  const auto output = base::run_tool_ok(
      {.argv = std::move(words),
       .cwd = folder,
       .environment = {{"GIT_CONFIG_NOSYSTEM", "1"}, {"GIT_CONFIG_GLOBAL", "/dev/null"}},
       .standard_input = {}});
  ASSERT_TRUE(output) << output.error().message;
}

const ports::Mount* mount_at(const ports::LaunchRequest& request, std::string_view target) {
  const auto found = std::ranges::find_if(
      request.view.mounts, [&](const auto& mount) { return mount.target == target; });
  return found == request.view.mounts.end() ? nullptr : &*found;
}

std::string text_of(const std::filesystem::path& file) {
  return base::read_file(file).value_or("");
}

std::string line_of(const engine::Trial& trial) {
  const auto& verdict = trial.end->verdict;
  std::string line =
      fmt::format("{} {} {} {}", trial.start.node.text(), trial.start.choice.action.title,
                  domain::verdict_name(verdict.kind), verdict.reason);
  if (verdict.gain) line += fmt::format(" {:.1f}×", std::exp(verdict.gain->estimate));
  return fmt::format("{}, {} pairs\n", line, trial.pairs.size() + trial.confirm_pairs.size());
}

std::string story_of(const engine::CampaignState& state) {
  std::string story;
  if (state.self_test && !state.self_test->is_passed)
    story += "self-test failed: " + state.self_test->detail + "\n";
  for (const auto& trial : state.trials)
    if (trial.end) story += line_of(trial);
  if (state.final_measured)
    story += fmt::format("final {:.1f}×\n", std::exp(state.final_measured->log_gain.estimate));
  if (state.stopped) {
    const auto& [reason, detail, spent_s] = *state.stopped;
    story += "ended " + reason + (detail.empty() ? "" : ": " + detail) + "\n";
  }
  return story;
}

}  // namespace

World::World(const Scenario& scenario)
    : scenario_(scenario),
      scratch_(*base::ScratchDir::create(std::filesystem::temp_directory_path(), "arbor-world-")),
      sandbox_([this](const auto& request) { return launched(request); }),
      executor_([this](const auto& job) { return measured(job); }),
      profiler_({domain::Profile{"fake", 1000, {{"main", "app", kSource, 1, 1, 1}}, ""}}) {
  const auto top = scratch_.path() / "program";
  std::filesystem::create_directories(top);
  EXPECT_TRUE(base::write_file(top / kSource, "int main;\n"));
  EXPECT_TRUE(base::write_file(top / "judge", "honest\n"));
  EXPECT_TRUE(base::write_file(top / ".gitignore", "app\n.arbor/\n"));
  git(top, {"init", "-q", "-b", "main"});
  git(top, {"add", "-A"});
  git(top, {"commit", "-q", "-m", "first"});
  repository_.emplace(*workspace::Repository::open(top, top / ".arbor"));
  executor_.set_loads(scenario.loads);
}

domain::Manifest World::manifest() const {
  domain::Manifest manifest;
  manifest.program.name = scenario_.file.stem().string();
  manifest.build.command = "build";
  manifest.check.command = "check";
  manifest.check.harness = {"judge"};
  manifest.bench.command = "bench";
  manifest.bench.harness = {"judge"};
  manifest.search.seed = scenario_.seed;
  return manifest;
}

std::set<std::string> World::names_in(const std::string& text) const {
  std::set<std::string> names;
  for (const auto& [name, truth] : scenario_.truths)
    for (const auto line : base::lines_of(text))
      for (const auto word : base::split(line, ' '))
        if (word == "-f" + name || word == name) names.insert(name);
  return names;
}

base::Result<ports::LaunchOutcome> World::built(const ports::LaunchRequest& request) {
  const double build_s = std::min(scenario_.build_s, request.limits.wall_s);
  clock_.advance_ns(static_cast<std::int64_t>(build_s * 1e9));
  if (build_s < scenario_.build_s) {
    auto stopped = ports::finished(137);
    stopped.is_timeout = true;
    return stopped;
  }
  if (scenario_.baseline_fails == "build") return ports::finished(2, "main.c:1: no");
  const auto* plan = mount_at(request, workspace::kShimPlanFile);
  const auto names = names_in(text_of(plan->source) + "\n" + text_of(request.view.tree / kSource));
  std::string app = "app\n";
  for (const auto& name : names) {
    if (scenario_.truths.at(name).fails == "build")
      return ports::finished(1, "cannot build " + name);
    const Truth& truth = scenario_.truths.at(name);
    if (truth.fails != "nothing") app += (truth.builds_as.empty() ? name : truth.builds_as) + "\n";
  }
  ARBOR_TRY_VOID(base::write_file(request.view.tree / "app", app));
  std::filesystem::permissions(request.view.tree / "app", std::filesystem::perms(0755));
  return ports::finished(0, "", static_cast<std::int64_t>(scenario_.build_s * 1e9));
}

base::Result<ports::LaunchOutcome> World::launched(const ports::LaunchRequest& request) {
  const std::string& command = request.argv.back();
  if (command == "build") return built(request);
  clock_.advance_ns(static_cast<std::int64_t>(kCheckS * 1e9));
  const auto app = request.view.tree_path / "app";
  const bool is_idle = mount_at(request, app.string()) != nullptr;
  const bool is_third = ++checks_ == 3 && scenario_.baseline_fails == "check-later";
  int code = is_idle || is_third || scenario_.baseline_fails == "check" ? 1 : 0;
  for (const auto& name : names_in(text_of(request.view.tree / "app")))
    if (scenario_.truths.at(name).fails == "check") code = 1;
  return ports::finished(scenario_.is_check_blind ? 0 : code);
}

// Writes into the judge's own file, which the sandbox would not let happen.
void World::bribe(const ports::LaunchRequest& request) const {
  const auto* judge = mount_at(request, (request.view.tree_path / "judge").string());
  ASSERT_NE(judge, nullptr);
  ASSERT_TRUE(base::write_file(judge->source, "bribed\n"));
}

ports::LaunchOutcome World::benched(const ports::ArmJob& arm, std::uint64_t salt) {
  const auto names = names_in(text_of(arm.launch.view.tree / "app"));
  double wall_s = scenario_.launch_s;
  bool has_crashed = false;
  for (const auto& name : names) {
    const Truth& truth = scenario_.truths.at(name);
    has_crashed = has_crashed || truth.fails == "run";
    if (truth.fails == "judge") bribe(arm.launch);
    double gain = truth.gain;
    for (const auto& [other, with] : truth.gain_with)
      if (names.contains(other)) gain = with;
    wall_s /= gain;
  }
  if (arm.launch.argv.back().find("while :") != std::string::npos) wall_s *= 2;
  if (scenario_.is_bench_constant) wall_s = scenario_.launch_s;
  // The padding's length follows the pair's seed: equal pairs are equally noisy in every run.
  const auto seed = arm.launch.environment.at("ARBOR_PADDING").size();
  auto random = base::Random::stream(seed, "noise", salt);
  wall_s *= std::exp(scenario_.noise / std::sqrt(2.0) * random.normal());
  const bool is_cut = arm.cut_after_s > 0 && wall_s > arm.cut_after_s;
  const auto wall_ns = static_cast<std::int64_t>((is_cut ? arm.cut_after_s : wall_s) * 1e9);
  clock_.advance_ns(wall_ns);
  auto outcome = ports::finished(has_crashed ? 139 : 0, "", wall_ns);
  outcome.is_timeout = is_cut;
  return outcome;
}

base::Result<ports::PairAnswer> World::measured(const ports::PairJob& job) {
  ports::PairAnswer answer;
  answer.trunk = benched(job.trunk, 1);
  answer.candidate = benched(job.candidate, 2);
  return answer;
}

engine::CampaignOptions World::options() const {
  engine::CampaignOptions options;
  options.start.seed = scenario_.seed;
  options.start.program = scenario_.file.stem().string();
  options.start.commit = *repository_->baseline_commit(false);
  options.start.without = scenario_.without;
  options.start.budget_s = options.budget_s = scenario_.budget_s;
  options.start.budget_trials = options.budget_trials = scenario_.trials;
  return options;
}

World::Run World::run(std::optional<int> cut_after) {
  const domain::Manifest manifest = this->manifest();
  const auto part = [](const char* name) {
    return std::filesystem::canonical("/proc/self/exe").parent_path() / name;
  };
  workspace::Builder builder({manifest, scratch_.path() / "program" / ".arbor", part("arbor-shim"),
                              part("libarbor_witness.so")},
                             *repository_, sandbox_);
  const bool is_new = records() == 0;
  auto kept = campaign_.open(is_new ? ports::StoreMode::kCreate : ports::StoreMode::kWrite);
  EXPECT_TRUE(kept) << kept.error().message;
  CutStore store(**kept, cut_after);
  engine::Services services{manifest, *repository_, builder, sandbox_, executor_, profiler_, clock_,
                            store,    nullptr,      {},      {},       {},        {},        {}};
  services.machine.cpus = 2;
  services.workers.push_back({"script", std::make_unique<Script>(scenario_.ideas)});
  Run run;
  // A look at the machine's load takes its time; what the user is told belongs to the story.
  services.on_phase = [this](std::string_view phase) {
    if (phase.starts_with("waiting")) clock_.advance_ms(kLookMs);
  };
  services.on_notice = [&run](std::string_view text) { run.notices += std::string(text) + "\n"; };
  auto state = engine::fold(*store.read(0), manifest);
  EXPECT_TRUE(state) << state.error().message;
  engine::Session session(services, std::move(*state), {});
  const std::int64_t start_ns = clock_.monotonic_ns();
  if (!is_new)
    run.is_cut_off =
        !session.commit(engine::SessionResumed{"killed", session.state().elapsed_s, {}});
  const auto end = engine::run_campaign(session, options());
  run.is_cut_off = !end && end.error().message == "killed";
  EXPECT_TRUE(end || run.is_cut_off || !session.state().self_test ||
              !session.state().self_test->is_passed)
      << end.error().message;
  run.story = story_of(session.state());
  run.spent_s = static_cast<double>(clock_.monotonic_ns() - start_ns) / 1e9;
  return run;
}

std::size_t World::records() const { return journal().size(); }

std::size_t World::notes() const {
  const auto events = journal();
  return static_cast<std::size_t>(std::ranges::count_if(events, [](const ports::Event& event) {
    const auto record = engine::decode(event);
    const auto* stage = record ? std::get_if<engine::StageDone>(&*record) : nullptr;
    return stage != nullptr && stage->stage == "note" && !stage->detail.empty();
  }));
}

std::size_t World::count(const std::string& type) const {
  const auto events = journal();
  return static_cast<std::size_t>(std::ranges::count(events, type, &ports::Event::type));
}

std::vector<ports::Event> World::journal() const {
  auto reader = campaign_.open(ports::StoreMode::kRead);
  return reader ? *(*reader)->read(0) : std::vector<ports::Event>{};
}

}  // namespace arbor::scenario
