// SPDX-License-Identifier: Apache-2.0
#include "agents/specialists/landscape.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace arbor::agents {
namespace {

constexpr double kLaunchSeconds = 0.8;
constexpr double kBuildSeconds = 4;
constexpr double kHalfWidth = 0.01;
constexpr double kNoise = 0.004;

// Names of all built-in specialists but the placebos, which take part only when asked for.
std::vector<std::string> workers() {
  std::vector<std::string> names;
  for (const auto* entry : Specialists::instance().sorted())
    if (entry->name != "placebo") names.push_back(entry->name);
  return names;
}

// The same for the same recipe, small, of either sign.
double noise_of(const domain::Recipe& recipe) {
  const auto hash = base::content_hash(domain::canonical_form(recipe));
  return kNoise * (2 * static_cast<double>(std::stoul(hash.substr(0, 4), nullptr, 16)) / 65535 - 1);
}

// Relaxed arithmetic over what is relaxed already builds the same artefacts.
bool may_build_the_same(const domain::ChangeEntry& entry) {
  if (std::holds_alternative<domain::SourcePatch>(entry)) return true;
  const auto* flags = std::get_if<domain::CompilerFlags>(&entry);
  return flags != nullptr && std::ranges::all_of(flags->add, [](const std::string& flag) {
           return flag.contains("-math") || flag.starts_with("-fno-") || flag == "-fopenmp-simd" ||
                  flag.starts_with("-ffp-");
         });
}

}  // namespace

void LandscapeCampaign::profile() {
  const auto& recipe = program_.recipe;
  const auto times = land_.times({program_.manifest, recipe});
  double sum = 0;
  for (const double time : times) sum += time;
  program_.profile.hotspots.clear();
  for (std::size_t i = 0; i < times.size(); ++i) {
    auto spot = land_.program.profile.hotspots[i];
    spot.share = spot.total_share = times[i] / sum;
    if (times[i] > 0) program_.profile.hotspots.push_back(spot);
  }
  std::ranges::stable_sort(program_.profile.hotspots, std::greater{}, &domain::Hotspot::share);
  for (auto& command : program_.commands) {
    command.final_argv = command.original_argv;
    for (const auto& entry : recipe.entries) {
      const auto* flags = std::get_if<domain::CompilerFlags>(&entry);
      if (flags == nullptr) continue;
      const bool reaches =
          flags->files.empty() ||
          std::ranges::find(flags->files, command.sources[0]) != flags->files.end();
      if (reaches)
        command.final_argv.insert(command.final_argv.end(), flags->add.begin(), flags->add.end());
    }
  }
}

void LandscapeCampaign::propose() {
  auto evidence = program_.evidence();
  evidence.launch_s = kLaunchSeconds;
  evidence.build_s = kBuildSeconds;
  std::vector<domain::Action> actions;
  for (const auto& name : workers())
    for (auto& action : Specialists::instance().find(name)->create()->propose(evidence, {}))
      actions.push_back(std::move(action));
  search_.propose(search_.trunk(), std::move(actions));
}

domain::Change LandscapeCampaign::carry_out(const domain::Action& action,
                                            const PlayedTrial& trial) {
  domain::Change whole;
  for (const auto& part : trial.parts) {
    const auto change = program_.carry_out(part);
    EXPECT_TRUE(change.has_value()) << land_.name << ": " << action.title;
    if (!change) continue;
    for (auto entry : change->entries) {
      if (auto* patch = std::get_if<domain::SourcePatch>(&entry))
        patch->commit = part.strategy + "@" + part.target;
      whole.entries.push_back(entry);
    }
  }
  return whole;
}

domain::Verdict LandscapeCampaign::judge(const domain::Change& change,
                                         const domain::Recipe& candidate) const {
  domain::Verdict verdict;
  const double gain = land_.log_speed(candidate) - land_.log_speed(program_.recipe);
  if (std::abs(gain) < 1e-12 && std::ranges::all_of(change.entries, may_build_the_same)) {
    verdict.kind = domain::VerdictKind::kRejected;
    verdict.stage = domain::Stage::kApplied;
    verdict.reason = "not-applied";
    return verdict;
  }
  const double seen = gain + noise_of(candidate);
  verdict.gain = domain::Interval{seen, seen - kHalfWidth, seen + kHalfWidth};
  verdict.kind = seen > kHalfWidth + 0.005 ? domain::VerdictKind::kKept
                 : seen < -kHalfWidth      ? domain::VerdictKind::kReverted
                                           : domain::VerdictKind::kInconclusive;
  if (verdict.kind == domain::VerdictKind::kReverted) verdict.reason = "slower";
  verdict.stage =
      verdict.kind == domain::VerdictKind::kKept ? domain::Stage::kKeys : domain::Stage::kPairs;
  return verdict;
}

double LandscapeCampaign::minutes_of(const domain::Change& change,
                                     const domain::Verdict& verdict) const {
  const bool is_kept = verdict.kind == domain::VerdictKind::kKept;
  const bool is_built = std::ranges::any_of(
      change.entries, [](const auto& entry) { return domain::changes_build(entry); });
  const double builds = is_built ? (is_kept ? 2 : 1) : 0;
  const double launches = is_kept ? 40 : verdict.gain ? 16 : 2;
  return (3 + builds * kBuildSeconds + launches * kLaunchSeconds) / 60;
}

PlayedTrial LandscapeCampaign::play_one(const search::Choice& choice) {
  PlayedTrial trial{choice.action.title, choice.why, {}, {}, 0};
  if (choice.action.parts.empty()) trial.parts = {choice.action};
  for (const auto part : choice.action.parts) trial.parts.push_back(search_.idea(part)->action);
  const auto change = carry_out(choice.action, trial);
  const auto candidate = domain::extended(program_.recipe, change);
  const auto verdict = judge(change, candidate);
  const auto node = search_.begin(choice, {next_trial_++});
  trial.verdict = verdict.kind;
  const bool is_kept = verdict.kind == domain::VerdictKind::kKept;
  if (is_kept) program_.recipe = candidate;
  search_.tell(node, verdict, program_.recipe, "c", "");
  search_.learn_minutes(choice.action, minutes_of(change, verdict));
  if (is_kept) {
    profile();
    search_.set_profile(node, program_.profile);
    propose();
  }
  trial.log_speed = land_.log_speed(program_.recipe);
  return trial;
}

std::vector<PlayedTrial> LandscapeCampaign::play(int trials) {
  std::vector<PlayedTrial> played;
  for (int i = 0; i < trials; ++i) {
    const auto choice = search_.ask();
    if (!choice) break;
    played.push_back(play_one(*choice));
  }
  return played;
}

namespace {

std::set<domain::Layer> layers_in(const std::vector<PlayedTrial>& trials, std::size_t first) {
  std::set<domain::Layer> layers;
  for (std::size_t i = 0; i < std::min(first, trials.size()); ++i)
    for (const auto& part : trials[i].parts) layers.insert(part.layer);
  return layers;
}

// Trials until 95 % of the best log gain known; one more than were played where it was not reached.
int trials_to_95(const Landscape& land, const std::vector<PlayedTrial>& trials) {
  const double wanted = 0.95 * land.log_speed(land.best);
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (trials[i].log_speed >= wanted) return static_cast<int>(i) + 1;
  return static_cast<int>(trials.size()) + 1;
}

double part_after(const Landscape& land, const std::vector<PlayedTrial>& trials, std::size_t n) {
  if (trials.empty()) return 0;
  return trials[std::min(n, trials.size()) - 1].log_speed / land.log_speed(land.best);
}

// ARBOR_SHOW_LANDSCAPES=1 prints each trial: what a change of the policy is judged by.
void show(const Landscape& land, const std::vector<PlayedTrial>& trials) {
  if (std::getenv("ARBOR_SHOW_LANDSCAPES") == nullptr) return;
  fmt::print(
      "{}: best known {:.2f}x; 95 % after {} of {} trials; after 8: {:.0f} % of it, "
      "{} layers, {} of them in the first 4\n",
      land.name, std::exp(land.log_speed(land.best)), trials_to_95(land, trials), trials.size(),
      100 * part_after(land, trials, 8), layers_in(trials, 8).size(), layers_in(trials, 4).size());
  for (std::size_t i = 0; i < std::min<std::size_t>(trials.size(), 16); ++i)
    fmt::print("  {:2} {:<13} {:.2f}x {} | {}\n", i + 1, domain::verdict_name(trials[i].verdict),
               std::exp(trials[i].log_speed), trials[i].title, trials[i].why);
}

std::vector<PlayedTrial> played(const Landscape& land, int trials) {
  LandscapeCampaign campaign(land);
  return campaign.play(trials);
}

TEST(Landscape, IsPlayedTheSameWayTwice) {
  const auto land = development_landscapes().front();
  const auto first = played(land, 12), second = played(land, 12);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].title, second[i].title);
}

TEST(Landscape, FourTrialsTryThreeLayersAndEightReachMostOfTheBest) {
  for (const auto& land : development_landscapes()) {
    const auto trials = played(land, 8);
    EXPECT_GE(layers_in(trials, 4).size(), land.name == "dense" ? 2U : 3U) << land.name;
    EXPECT_GT(part_after(land, trials, 8), 0.8) << land.name;
  }
}

TEST(Landscape, NoTrialHoldsAlternatives) {
  for (const auto& land : development_landscapes())
    for (const auto& trial : played(land, 40)) {
      std::set<std::string> settled;
      for (const auto& part : trial.parts)
        if (!part.settles.empty()) {
          EXPECT_TRUE(settled.insert(part.settles + "@" + part.target).second) << trial.title;
        }
    }
}

TEST(Landscape, ThreadsAndTheirWaitAreTriedAsAPairWithinFourTrials) {
  const auto trials = played(development_landscapes().front(), 4);
  EXPECT_TRUE(std::ranges::any_of(trials, [](const auto& trial) {
    return trial.title == "Together: Run with threads = 2 + Run with wait = spin" &&
           trial.verdict == domain::VerdictKind::kKept;
  }));
}

TEST(Landscape, WhatTheRootsProfileHardlyShowsIsRevealedByALaterOne) {
  const auto land = development_landscapes().front();  // norm() takes 3 % at the root
  LandscapeCampaign campaign(land);
  const auto proposed_at = [&]() -> std::optional<domain::NodeId> {
    for (const auto& idea : campaign.search().ideas())
      if (idea.action.target == "norm") return idea.proposed_at;
    return std::nullopt;
  };
  EXPECT_FALSE(proposed_at());
  campaign.play(1);
  EXPECT_EQ(proposed_at(), domain::NodeId{1});
}

TEST(Landscape, OfDevelopmentIsNearlyMasteredInTheEnd) {
  for (const auto& land : development_landscapes()) {
    const auto trials = played(land, 40);
    show(land, trials);
    EXPECT_GT(part_after(land, trials, 40), 0.9) << land.name;
  }
}

TEST(Landscape, HeldOutIsNearlyMasteredInTheEnd) {
  for (const auto& land : held_out_landscapes()) {
    const auto trials = played(land, 40);
    show(land, trials);
    EXPECT_GT(part_after(land, trials, 40), 0.9) << land.name;
  }
}

}  // namespace
}  // namespace arbor::agents
