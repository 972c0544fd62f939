// SPDX-License-Identifier: Apache-2.0
#include "search/tree_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace arbor::search {
namespace {

struct Mark {
  std::string_view symbol, ascii, colour;
};

Mark mark_of(const Node& node, bool is_running) {
  using enum domain::VerdictKind;
  if (is_running) return {"…", ".", "36"};
  if (!node.verdict) return {"●", "*", "1"};
  switch (node.verdict->kind) {
    case kKept:
      return {"✓", "+", "32"};
    case kReverted:
      return {"✗", "-", "33"};
    case kCrashed:
      return {"!", "!", "31"};
    case kRejected:
      return {"⊘", "x", "31"};
    case kInconclusive:
      return {"~", "~", "36"};
    case kSuspect:
      return {"?", "?", "35"};
  }
  return {"?", "?", "35"};
}

// Code points, which is columns for the texts met here.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string cut(std::string_view text, std::size_t width, bool is_ascii) {
  if (columns(text) <= width) return std::string(text);
  const std::string_view more = is_ascii ? "~" : "…";
  std::string kept;
  std::size_t used = 0;
  for (const char c : text) {
    const bool starts = (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (starts && ++used >= width) break;
    kept += c;
  }
  return width == 0 ? "" : kept + std::string(more);
}

class Painter {
 public:
  Painter(const Search& search, const TreeTextOptions& options)
      : search_(search), options_(options), children_(search.nodes().size()) {
    for (const auto& node : search.nodes())
      if (node.parent.is_valid())
        children_[static_cast<std::size_t>(node.parent.value)].push_back(node.id);
    for (auto id = search.trunk(); id.is_valid(); id = search.node(id).parent) trunk_.push_back(id);
  }

  // The kept path is followed in a loop: it may be long, and stays at one depth.
  std::string paint(domain::NodeId from, std::size_t depth) {
    std::string text;
    for (auto id = from; id.is_valid();) {
      text += line(search_.node(id), depth);
      domain::NodeId next;
      for (const auto child : children_[static_cast<std::size_t>(id.value)]) {
        if (is_on_trunk(child)) {
          next = child;
        } else if (!options_.is_trunk_only) {
          text += paint(child, depth + 1);
        }
      }
      id = next;
    }
    return text;
  }

 private:
  bool is_on_trunk(domain::NodeId id) const {
    return std::ranges::find(trunk_, id) != trunk_.end();
  }

  std::string title_of(const Node& node) const {
    if (node.actions.empty()) return "baseline";
    const auto idea = search_.idea(node.actions.front());
    if (!idea) return "";
    const auto& action = idea->action;
    auto title = base::printable(action.title.empty() ? action.strategy : action.title);
    std::ranges::replace_if(title, [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return title;
  }

  std::string outcome_of(const Node& node) const {
    if (!node.verdict) return node.parent.is_valid() ? "under way" : "";
    std::string text(domain::verdict_name(node.verdict->kind));
    if (node.verdict->gain) return text + " " + gain_text(*node.verdict->gain);
    return node.verdict->reason.empty() ? text
                                        : text + ": " + base::printable(node.verdict->reason);
  }

  std::string line(const Node& node, std::size_t depth) const {
    const auto mark = mark_of(node, !node.verdict && node.parent.is_valid());
    const std::string_view rail = options_.is_ascii ? "| " : "│ ";
    std::string left;
    for (std::size_t i = 0; i < depth; ++i) left += rail;
    std::string symbol(options_.is_ascii ? mark.ascii : mark.symbol);
    const std::string id = fmt::format(" {:<4} ", node.id.text());
    const std::string outcome = outcome_of(node);
    const std::size_t fixed =
        columns(left) + 1 + columns(id) + (outcome.empty() ? 0 : 2) + columns(outcome);
    const std::size_t room = options_.width > fixed ? options_.width - fixed : 0;
    std::string title = cut(title_of(node), room, options_.is_ascii);
    if (!outcome.empty()) title.append(room - columns(title) + 2, ' ');
    if (options_.is_coloured) symbol = fmt::format("\x1b[{}m{}\x1b[0m", mark.colour, symbol);
    return left + symbol + id + title + outcome + "\n";
  }

  const Search& search_;
  const TreeTextOptions& options_;
  std::vector<std::vector<domain::NodeId>> children_;
  std::vector<domain::NodeId> trunk_;
};

}  // namespace

std::string gain_text(const domain::Interval& log_gain) {
  const auto percent = [](double x) { return 100 * std::expm1(x); };
  return fmt::format("{:+.1f} % [{:.1f}, {:.1f}]", percent(log_gain.estimate),
                     percent(log_gain.low), percent(log_gain.high));
}

std::string tree_text(const Search& search, const TreeTextOptions& options) {
  if (search.nodes().empty()) return "";
  return Painter(search, options).paint({0}, 0);
}

}  // namespace arbor::search
