// SPDX-License-Identifier: Apache-2.0
// runtime.allocator: another memory allocator, put in front of the program at its launch.
//
// Evidence: allocator libraries on the machine; the share of time in malloc, free, operator new and
// page faults. Below 2 % only mimalloc is worth a late look.
// Prediction: 1.15 to 1.47 was measured on a threaded program that allocates heavily: about half of
// the time that allocation takes.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "runtime.allocator";
constexpr double kHotShare = 0.02;

const std::vector<std::string>& allocation_symbols() {
  static const std::vector<std::string> kSymbols = {
      "malloc",       "cfree",           "_int_free",  "calloc",       "realloc",
      "operator new", "operator delete", "page_fault", "unlink_chunk", "sysmalloc",
      "systrim",      "arena_get",       "tcache",     "clear_page",   "madvise"};
  return kSymbols;
}

double allocation_share(const domain::Profile& profile) {
  double share = domain::share_matching(profile, allocation_symbols());
  for (const auto& spot : profile.hotspots)
    if (spot.symbol == "free" || spot.symbol == "__libc_free" || spot.symbol == "__GI___libc_free")
      share += spot.share;
  return std::min(share, 1.0);
}

// "/usr/lib/libtcmalloc_minimal.so.4" → "tcmalloc".
std::string strategy_of(const std::string& library) {
  for (const std::string name : {"mimalloc", "jemalloc", "tcmalloc", "snmalloc", "hoard"})
    if (library.contains(name)) return name;
  return std::filesystem::path(library).filename().string();
}

bool is_in_use(const domain::Recipe& recipe) {
  return std::ranges::any_of(recipe.entries, [](const auto& entry) {
    return std::holds_alternative<domain::Preload>(entry);
  });
}

domain::Action draft(const Evidence& evidence, double share) {
  domain::Action action;
  action.layer = domain::Layer::kRuntime;
  action.category = "runtime.allocator";
  action.settles = "allocator";
  action.specialist = kName;
  const bool is_hot = share >= kHotShare;
  action.prediction = predict(evidence, {.share = std::max(share, 0.01),
                                         .speedup = is_hot ? 1.8 : 1.3,
                                         .upper_speedup = is_hot ? 10.0 : 5.0,
                                         .accuracy_risk = 0.01,
                                         .crash_risk = 0.03,
                                         .builds = 0});
  action.rationale =
      fmt::format("malloc, free, operator new and page faults take {} of the time{}.",
                  percent(share), is_hot ? "" : ", so little is expected");
  action.enabled_by = {"runtime.threads"};
  return action;
}

class Allocator : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    const double share = allocation_share(evidence.profile);
    if (!is_in_use(evidence.recipe)) propose_preloads(evidence, share, actions);
    if (share >= kHotShare && !is_in_use(evidence.recipe))
      propose_kept_heap(evidence, share, actions);
    return actions;
  }
  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence&,
                                         std::stop_token) override {
    if (action.strategy == "glibc-kept-heap")
      return domain::Change{
          .entries = {domain::EnvironmentVariable{"MALLOC_TRIM_THRESHOLD_", "1073741824"},
                      domain::EnvironmentVariable{"MALLOC_MMAP_THRESHOLD_", "1073741824"},
                      domain::EnvironmentVariable{"MALLOC_TOP_PAD_", "16777216"}},
          .summary = action.title};
    ARBOR_TRY(auto library, parameter(action, "library"));
    return domain::Change{.entries = {domain::Preload{std::move(library)}},
                          .summary = action.title};
  }

 private:
  static void propose_preloads(const Evidence& evidence, double share,
                               std::vector<domain::Action>& actions) {
    auto libraries = evidence.machine.preloads;
    std::ranges::sort(libraries);
    for (const auto& library : libraries) {
      const auto strategy = strategy_of(library);
      if (share < kHotShare && strategy != "mimalloc") continue;
      auto action = draft(evidence, share);
      action.strategy = strategy;
      action.covers = {"glibc-kept-heap"};  // it tunes the allocator that is replaced
      action.parameters = parameters_text({{"library", library}});
      action.title = fmt::format("Allocate memory with {}", strategy);
      add_action(actions, evidence, std::move(action));
    }
  }

  static void propose_kept_heap(const Evidence& evidence, double share,
                                std::vector<domain::Action>& actions) {
    auto action = draft(evidence, share);
    action.strategy = "glibc-kept-heap";
    action.title = "Let the C library keep freed memory instead of returning it";
    action.prediction.local_speedup = 1.2;
    for (const auto& entry : evidence.recipe.entries)
      if (const auto* variable = std::get_if<domain::EnvironmentVariable>(&entry);
          variable != nullptr && variable->name == "MALLOC_TRIM_THRESHOLD_")
        return;
    add_action(actions, evidence, std::move(action));
  }
};

ARBOR_REGISTER(Specialist, kName, "Preloads another memory allocator", Allocator);

}  // namespace
}  // namespace arbor::agents
