// SPDX-License-Identifier: Apache-2.0
// compiler.choice: another compiler that this machine has.
//
// Evidence: recorded commands that call gcc or clang under a plain name (a wrapper or a cross
// compiler is left alone); other compilers found on the machine.
// Prediction: about 1 on average, from 0.8 to 1.3 by program; another order of evaluation may show.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "agents/specialists/evidence_view.h"
#include "agents/specialists/proposal.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "compiler.choice";

struct Compiler {
  std::string family;  // "gcc" or "clang"
  std::string suffix;  // "-19" or empty
  std::string c() const { return family + suffix; }
  std::string cxx() const { return (family == "gcc" ? "g++" : "clang++") + suffix; }
  bool operator==(const Compiler&) const = default;
};

bool is_version_suffix(std::string_view text) {
  return text.empty() || (text.size() > 1 && text.front() == '-' &&
                          text.find_first_not_of("0123456789.", 1) == std::string_view::npos);
}

// "gcc 12.2.0", "clang-19", "g++-12"; nothing for anything with another name.
std::optional<Compiler> parse_compiler(std::string_view text) {
  auto name = std::filesystem::path(text.substr(0, text.find(' '))).filename().string();
  if (name == "cc" || name == "c++") return Compiler{"gcc", ""};
  for (const auto& [prefix, family] :
       {std::pair{"clang++", "clang"}, {"clang", "clang"}, {"g++", "gcc"}, {"gcc", "gcc"}})
    if (name.starts_with(prefix) && is_version_suffix(name.substr(std::string_view(prefix).size())))
      return Compiler{family, name.substr(std::string_view(prefix).size())};
  return std::nullopt;
}

// The one compiler that all recorded compiles call; nothing where they differ or are not plain.
std::optional<Compiler> current_compiler(const Evidence& evidence) {
  for (auto entry = evidence.recipe.entries.rbegin(); entry != evidence.recipe.entries.rend();
       ++entry)
    if (const auto* choice = std::get_if<domain::CompilerChoice>(&*entry))
      return parse_compiler(choice->cxx);
  std::optional<Compiler> current;
  for (const auto* command : compiles(evidence)) {
    const auto compiler = parse_compiler(command->tool);
    if (!compiler || (current && *current != *compiler)) return std::nullopt;
    current = compiler;
  }
  return current;
}

class ChooseCompiler : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token) override {
    std::vector<domain::Action> actions;
    const auto current = current_compiler(evidence);
    if (!current) return actions;
    std::set<std::string> seen = {current->c()};
    auto names = evidence.machine.compilers;
    std::ranges::sort(names);
    for (const auto& name : names) {
      const auto other = parse_compiler(name);
      if (!other || !seen.insert(other->c()).second) continue;
      // Without a suffix the machine's default of a family is the same compiler under another name.
      if (other->family == current->family && (other->suffix.empty() || current->suffix.empty()))
        continue;
      add_action(actions, evidence, action_for(evidence, *current, *other));
    }
    return actions;
  }
  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence&,
                                         std::stop_token) override {
    ARBOR_TRY(auto c, parameter(action, "c"));
    ARBOR_TRY(auto cxx, parameter(action, "cxx"));
    return domain::Change{.entries = {domain::CompilerChoice{std::move(c), std::move(cxx)}},
                          .summary = action.title};
  }

 private:
  static domain::Action action_for(const Evidence& evidence, const Compiler& current,
                                   const Compiler& other) {
    domain::Action action;
    action.layer = domain::Layer::kCompiler;
    action.category = "compiler.choice";
    action.settles = "compiler";
    action.strategy = other.c();
    action.specialist = kName;
    action.parameters = parameters_text({{"c", other.c()}, {"cxx", other.cxx()}});
    action.title = fmt::format("Compile with {} instead of {}", other.c(), current.c());
    action.rationale =
        fmt::format("{} of the time is the program's own code; compilers differ by program.",
                    percent(own_share(evidence)));
    action.prediction = predict(evidence, {.share = own_share(evidence),
                                           .speedup = 1.02,
                                           .upper_speedup = 1.6,
                                           .accuracy_risk = 0.06,
                                           .crash_risk = 0.15,
                                           .builds = 1});
    action.enables = {"compiler.flags", "compiler.isa"};
    action.enabled_by = {"kernel.loop"};
    return action;
  }
};

ARBOR_REGISTER(Specialist, kName, "Compiles with another compiler of this machine", ChooseCompiler);

}  // namespace
}  // namespace arbor::agents
