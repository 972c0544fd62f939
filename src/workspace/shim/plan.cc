// SPDX-License-Identifier: Apache-2.0
// The plan as text: one word and its value a line, a group of lines for each entry of flags.
// Linked into the shim itself: standard library only.
#include "workspace/shim/shim.h"

namespace arbor::workspace {
namespace {

constexpr std::string_view kFirstLine = "arbor-shim 1";
constexpr std::string_view kLastLine = "end";  // a plan without it was cut off

// A value ends at the line's end, so the line end and the backslash are written as escapes.
std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '\\')
      text += "\\\\";
    else if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      value += text[i];
      continue;
    }
    ++i;
    if (i == text.size() || (text[i] != '\\' && text[i] != 'n')) return std::nullopt;
    value += text[i] == 'n' ? '\n' : '\\';
  }
  return value;
}

void put(std::string& text, std::string_view word, std::string_view value) {
  text.append(word).append(" ").append(escaped(value)).append("\n");
}

void put_flags(std::string& text, const domain::CompilerFlags& flags) {
  put(text, "flags", flags.reaches_link ? "compile+link" : "compile");
  for (const auto& flag : flags.add) put(text, "add", flag);
  for (const auto& pattern : flags.remove) put(text, "remove", pattern);
  for (const auto& file : flags.files) put(text, "file", file);
}

domain::CompilerChoice& choice_of(ShimPlan& plan) {
  if (!plan.compiler) plan.compiler.emplace();
  return *plan.compiler;
}

// The lines within a group of flags.
bool take_flag(ShimPlan& plan, std::string_view word, std::string value) {
  if (plan.flags.empty()) return false;
  auto& flags = plan.flags.back();
  if (word == "add")
    flags.add.push_back(std::move(value));
  else if (word == "remove")
    flags.remove.push_back(std::move(value));
  else if (word == "file")
    flags.files.push_back(std::move(value));
  else
    return false;
  return true;
}

bool take_line(ShimPlan& plan, std::string_view word, std::string value) {
  if (word == "flags") {
    plan.flags.emplace_back().reaches_link = value == "compile+link";
    return value == "compile" || value == "compile+link";
  }
  if (word == "tree") return plan.tree_path = std::move(value), true;
  if (word == "c") return choice_of(plan).c = std::move(value), true;
  if (word == "c++") return choice_of(plan).cxx = std::move(value), true;
  if (word == "debug-info") return plan.wants_debug_info = true, value == "yes";
  if (word == "ccache") return plan.uses_ccache = true, value == "yes";
  if (word == "pgo") {
    plan.pgo = value == "use" ? ShimPlan::Pgo::kUse : ShimPlan::Pgo::kGenerate;
    return value == "use" || value == "generate";
  }
  return take_flag(plan, word, std::move(value));
}

}  // namespace

ShimPlan plan_of(const domain::Recipe& recipe, const ShimPlanOptions& options) {
  ShimPlan plan;
  plan.wants_debug_info = options.wants_debug_info;
  plan.uses_ccache = options.uses_ccache;
  plan.tree_path = options.tree_path;
  for (const auto& entry : recipe.entries) {
    if (const auto* flags = std::get_if<domain::CompilerFlags>(&entry))
      plan.flags.push_back(*flags);
    else if (const auto* choice = std::get_if<domain::CompilerChoice>(&entry))
      plan.compiler = *choice;
    else if (const auto* guided = std::get_if<domain::ProfileGuided>(&entry))
      plan.pgo = guided->profile_object.empty() ? ShimPlan::Pgo::kGenerate : ShimPlan::Pgo::kUse;
  }
  return plan;
}

std::string plan_text(const ShimPlan& plan) {
  std::string text = std::string(kFirstLine) + "\n";
  put(text, "tree", plan.tree_path.string());
  if (plan.compiler) {
    put(text, "c", plan.compiler->c);
    put(text, "c++", plan.compiler->cxx);
  }
  if (plan.pgo != ShimPlan::Pgo::kNone)
    put(text, "pgo", plan.pgo == ShimPlan::Pgo::kUse ? "use" : "generate");
  if (plan.wants_debug_info) put(text, "debug-info", "yes");
  if (plan.uses_ccache) put(text, "ccache", "yes");
  for (const auto& flags : plan.flags) put_flags(text, flags);
  return text.append(kLastLine).append("\n");
}

base::Result<ShimPlan> parse_plan(std::string_view text) {
  ShimPlan plan;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto space = line.find(' ');
    bool is_good = end != std::string_view::npos;
    if (is_good && line == kLastLine && number > 1 && text.empty()) return plan;
    if (number == 1) {
      is_good &= line == kFirstLine;
    } else {
      auto value = unescaped(space == std::string_view::npos ? "" : line.substr(space + 1));
      is_good = is_good && space != std::string_view::npos && value &&
                take_line(plan, line.substr(0, space), std::move(*value));
    }
    if (!is_good)
      return base::fail(base::ErrorKind::kCorrupt,
                        "compiler shim's plan, line " + std::to_string(number) +
                            ": not understood: '" + std::string(line) +
                            "'; write the plan again with the same version of Arbor");
  }
  return base::fail(base::ErrorKind::kCorrupt,
                    "the compiler shim's plan is missing or cut off: its last line must be 'end'");
}

}  // namespace arbor::workspace
