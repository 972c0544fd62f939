// SPDX-License-Identifier: Apache-2.0
#include "agents/specialists/hot_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "agents/specialists/evidence_view.h"

namespace arbor::agents {
namespace {

constexpr double kHotShare = 0.04;
constexpr std::size_t kMostSpots = 10;
// A file whose loops match neither the symbol nor the line: it was inlined, so it may be any.
constexpr double kGuessWeight = 0.5;

// Text without <…> and (…), so that "::" and names inside them do not count.
std::string without_arguments(std::string_view symbol) {
  std::string text;
  int depth = 0;
  for (const char c : symbol) {
    if (c == '<' || c == '(') ++depth;
    if (depth == 0) text += c;
    if ((c == '>' || c == ')') && depth > 0) --depth;
  }
  return text;
}

bool covers(const ports::Loop& loop, int line) {
  return loop.line <= line && line <= loop.end_line;
}

// The loops of one file, with the ordinals of the innermost ones.
std::vector<HotLoop> innermost_of(const std::string& file, const std::vector<ports::Loop>& loops) {
  std::vector<HotLoop> found;
  std::map<std::string, int> seen;
  for (const auto& loop : loops)
    if (loop.is_innermost) found.push_back({file, loop, seen[loop.function]++, 0, ""});
  return found;
}

// Where a symbol without a file may be: sources that hold its name.
std::vector<std::string> files_of(const domain::Hotspot& spot, const Evidence& evidence) {
  if (!spot.file.empty()) return {spot.file};
  const auto name = base_name(spot.symbol);
  std::vector<std::string> files;
  if (name.empty() || !evidence.read_source) return files;
  for (const auto& source : compiled_sources(evidence))
    if (const auto text = evidence.read_source(source); text && has_word(*text, name))
      files.push_back(source);
  return files;
}

class LoopFinder {
 public:
  explicit LoopFinder(const Evidence& evidence) : evidence_(evidence) {}

  void add(const domain::Hotspot& spot, const std::string& file) {
    auto loops = loops_of(file);
    const bool has_line = !spot.file.empty() && spot.line > 0;
    auto chosen = matching(
        loops, [&](const HotLoop& hot) { return has_line && covers(hot.loop, spot.line); });
    double weight = 1;
    if (chosen.empty())
      chosen = matching(
          loops, [&](const HotLoop& hot) { return is_symbol_of(spot.symbol, hot.loop.function); });
    if (chosen.empty() && !spot.file.empty() && !has_line) {
      chosen = std::move(loops);
      weight = kGuessWeight;
    }
    for (auto& hot : chosen) {
      hot.share = weight * spot.share / static_cast<double>(chosen.size());
      hot.symbol = spot.symbol;
      merge(std::move(hot));
    }
  }

  std::vector<HotLoop> sorted() && {
    std::ranges::sort(found_, [](const HotLoop& a, const HotLoop& b) {
      return std::tie(b.share, a.file, a.loop.line) < std::tie(a.share, b.file, b.loop.line);
    });
    return std::move(found_);
  }

 private:
  template <typename Wanted>
  static std::vector<HotLoop> matching(const std::vector<HotLoop>& loops, Wanted wanted) {
    std::vector<HotLoop> chosen;
    std::ranges::copy_if(loops, std::back_inserter(chosen), wanted);
    return chosen;
  }

  const std::vector<HotLoop>& loops_of(const std::string& file) {
    const auto known = by_file_.find(file);
    if (known != by_file_.end()) return known->second;
    const auto loops = evidence_.loops(file);
    return by_file_[file] = loops ? innermost_of(file, *loops) : std::vector<HotLoop>{};
  }

  // Several symbols may be copies of one loop: a template's instances, a clone.
  void merge(HotLoop hot) {
    const auto same = std::ranges::find_if(found_, [&](const HotLoop& other) {
      return other.file == hot.file && other.loop == hot.loop;
    });
    if (same != found_.end())
      same->share += hot.share;
    else
      found_.push_back(std::move(hot));
  }

  const Evidence& evidence_;
  std::map<std::string, std::vector<HotLoop>> by_file_;
  std::vector<HotLoop> found_;
};

}  // namespace

std::string base_name(std::string_view symbol) {
  auto text = without_arguments(symbol);
  for (auto lambda = text.find("::{"); lambda != std::string::npos; lambda = text.find("::{"))
    text.resize(lambda);
  if (const auto scope = text.rfind("::"); scope != std::string::npos) text.erase(0, scope + 2);
  if (const auto space = text.rfind(' '); space != std::string::npos) text.erase(0, space + 1);
  if (const auto clone = text.find('.'); clone != std::string::npos) text.resize(clone);
  return text;
}

bool is_symbol_of(std::string_view symbol, std::string_view function) {
  const auto name = base_name(function);
  return !name.empty() && has_word(symbol, name);
}

std::vector<HotLoop> hot_loops(const Evidence& evidence, std::stop_token stop) {
  if (!evidence.loops) return {};
  LoopFinder finder(evidence);
  std::size_t spots = 0;
  for (const auto& spot : evidence.profile.hotspots) {
    if (spot.share < kHotShare || spots == kMostSpots || stop.stop_requested()) break;
    ++spots;
    for (const auto& file : files_of(spot, evidence))
      if (is_c_family(file)) finder.add(spot, file);
  }
  return std::move(finder).sorted();
}

base::Result<ports::Loop> find_loop(const Evidence& evidence, const std::string& file,
                                    std::string_view function, int ordinal) {
  if (!evidence.loops)
    return base::fail(base::ErrorKind::kUnsupported, "no source analyser is installed");
  ARBOR_TRY(const auto loops, evidence.loops(file));
  for (const auto& hot : innermost_of(file, loops))
    if (hot.loop.function == function && hot.ordinal == ordinal) return hot.loop;
  return base::fail(base::ErrorKind::kNotFound,
                    fmt::format("{} no longer has loop {} of {}", file, ordinal, function));
}

std::string place_text(const HotLoop& hot) { return fmt::format("{}:{}", hot.file, hot.loop.line); }

}  // namespace arbor::agents
