// SPDX-License-Identifier: Apache-2.0
// kernel.restrict: __restrict on the pointer parameters of a hot function.
//
// Evidence: a hot loop in a function that writes through one pointer parameter and has another one.
// Without the promise that they do not overlap the compiler reloads what it has read, and it guards
// or gives up vectorising.
// Prediction: 1.1 of the function's share. The promise cannot be proved here; the check judges.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "agents/specialists/hot_loops.h"
#include "agents/specialists/patch_writer.h"
#include "agents/specialists/proposal.h"
#include "base/text.h"

namespace arbor::agents {
namespace {

constexpr const char* kName = "kernel.restrict";
constexpr std::size_t kMostFunctions = 4;

struct PointerParameter {
  std::string name;
  std::size_t offset = 0;  // of the name in the source
};

// The parameters of the definition that a loop stands in.
struct Signature {
  std::size_t open = 0, close = 0;  // offsets of the parentheses
  std::vector<PointerParameter> pointers;
};

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t offset_of_line(std::string_view source, int line) {
  std::size_t at = 0;
  for (int i = 1; i < line && at < source.size(); ++i) {
    const auto end = source.find('\n', at);
    if (end == std::string_view::npos) return source.size();
    at = end + 1;
  }
  return at;
}

std::optional<std::size_t> matching_parenthesis(std::string_view source, std::size_t open) {
  int depth = 0;
  for (auto at = open; at < source.size(); ++at) {
    if (source[at] == '(') ++depth;
    if (source[at] == ')' && --depth == 0) return at;
  }
  return std::nullopt;
}

bool begins_body(std::string_view after) {
  after = base::trim(after);
  for (const std::string_view word : {"const", "noexcept", "override", "final"})
    if (after.starts_with(word)) after = base::trim(after.substr(word.size()));
  return after.starts_with('{');
}

// "const float* w" has one star and a name; references, functions and arrays are left alone.
std::optional<PointerParameter> pointer_parameter(std::string_view source, std::size_t begin,
                                                  std::size_t end) {
  const auto text = source.substr(begin, end - begin);
  if (std::ranges::count(text, '*') != 1 || text.contains("restrict")) return std::nullopt;
  if (text.find_first_of("&[(=/<") != std::string_view::npos) return std::nullopt;
  auto last = end;
  while (last > begin && !is_identifier(source[last - 1])) --last;
  auto first = last;
  while (first > begin && is_identifier(source[first - 1])) --first;
  if (first == last || first < begin + text.find('*')) return std::nullopt;
  return PointerParameter{std::string(source.substr(first, last - first)), first};
}

Signature read_parameters(std::string_view source, std::size_t open, std::size_t close) {
  Signature signature{open, close, {}};
  int depth = 0;
  auto begin = open + 1;
  for (auto at = begin; at <= close; ++at) {
    const char c = source[at];
    const bool is_end = depth == 0 && (c == ',' || at == close);
    if (c == '(' || c == '<' || c == '[') ++depth;
    if ((c == ')' || c == '>' || c == ']') && at != close) --depth;
    if (!is_end) continue;
    if (auto pointer = pointer_parameter(source, begin, at))
      signature.pointers.push_back(std::move(*pointer));
    begin = at + 1;
  }
  return signature;
}

// The nearest definition of that name above the loop.
std::optional<Signature> signature_above(std::string_view source, const std::string& name,
                                         int line) {
  auto at = offset_of_line(source, line);
  while (at > 0 && (at = source.rfind(name, at - 1)) != std::string_view::npos) {
    const auto open = source.find_first_not_of(" \t\n", at + name.size());
    const bool is_word = at == 0 || !is_identifier(source[at - 1]);
    if (!is_word || open == std::string_view::npos || source[open] != '(') continue;
    const auto close = matching_parenthesis(source, open);
    if (close && begins_body(source.substr(*close + 1)))
      return read_parameters(source, open, *close);
  }
  return std::nullopt;
}

std::set<std::string> written_arrays(const std::vector<ports::Loop>& loops,
                                     const std::string& function) {
  std::set<std::string> written;
  for (const auto& loop : loops)
    for (const auto& access : loop.accesses)
      if (loop.function == function && access.is_write) written.insert(access.array);
  return written;
}

// Nothing where the function does not write through one of several pointer parameters.
base::Result<std::optional<Signature>> usable_signature(const Evidence& evidence,
                                                        std::string_view source,
                                                        const std::string& file,
                                                        const std::string& function) {
  if (!evidence.loops || function.contains("{lambda}")) return std::optional<Signature>();
  ARBOR_TRY(const auto loops, evidence.loops(file));
  const auto first = std::ranges::find(loops, function, &ports::Loop::function);
  if (first == loops.end()) return std::optional<Signature>();
  auto signature = signature_above(source, base_name(function), first->line);
  if (!signature || signature->pointers.size() < 2) return std::optional<Signature>();
  const auto written = written_arrays(loops, function);
  const bool writes_one = std::ranges::any_of(
      signature->pointers, [&](const auto& pointer) { return written.contains(pointer.name); });
  return writes_one ? signature : std::optional<Signature>();
}

std::string restricted_diff(const std::string& file, std::string_view source,
                            const Signature& signature) {
  const auto line_of = [&](std::size_t offset) {
    return 1 + static_cast<int>(std::ranges::count(source.substr(0, offset), '\n'));
  };
  const int first = line_of(signature.open);
  const int last = line_of(signature.close);
  const auto begin = offset_of_line(source, first);
  const auto end = offset_of_line(source, last + 1);
  std::string text(source.substr(begin, end - begin));
  for (auto pointer = signature.pointers.rbegin(); pointer != signature.pointers.rend(); ++pointer)
    text.insert(pointer->offset - begin, "__restrict ");
  if (text.ends_with('\n')) text.pop_back();
  LineEdit edit{first, last - first + 1, {}};
  for (const auto line : base::split(text, '\n')) edit.inserted.emplace_back(line);
  return unified_diff(file, source, {edit});
}

class RestrictPointers : public Specialist {
 public:
  std::vector<domain::Action> propose(const Evidence& evidence, std::stop_token stop) override {
    std::vector<domain::Action> actions;
    std::set<std::string> seen;
    for (const auto& hot : hot_loops(evidence, stop)) {
      if (actions.size() == kMostFunctions) break;
      if (!seen.insert(hot.file + ":" + hot.loop.function).second) continue;
      const auto source = evidence.read_source(hot.file);
      if (!source) continue;
      const auto signature = usable_signature(evidence, *source, hot.file, hot.loop.function);
      if (signature && *signature) add_action(actions, evidence, action_for(evidence, hot));
    }
    return actions;
  }

  base::Result<domain::Change> carry_out(const domain::Action& action, const Evidence& evidence,
                                         std::stop_token) override {
    ARBOR_TRY(const auto file, parameter(action, "file"));
    ARBOR_TRY(const auto source, evidence.read_source(file));
    ARBOR_TRY(const auto signature, usable_signature(evidence, source, file, action.target));
    if (!signature)
      return base::fail(
          base::ErrorKind::kNotFound,
          fmt::format("{} no longer has pointers of {} to restrict", file, action.target));
    domain::SourcePatch patch;
    patch.diff = restricted_diff(file, source, *signature);
    patch.files = {file};
    return domain::Change{.entries = {std::move(patch)}, .summary = action.title};
  }

 private:
  static domain::Action action_for(const Evidence& evidence, const HotLoop& hot) {
    domain::Action action;
    action.layer = domain::Layer::kKernel;
    action.category = "kernel.loop";
    action.strategy = "restrict";
    action.target = hot.loop.function;
    action.specialist = kName;
    action.parameters = parameters_text({{"file", hot.file}});
    action.title = fmt::format("Promise that the pointers of {}() do not overlap ({})",
                               base_name(hot.loop.function), hot.file);
    action.rationale = fmt::format(
        "A loop of it takes {} of the time and writes through one of several pointers, so the "
        "compiler must expect each write to change what it reads.",
        percent(hot.share));
    action.prediction = predict(evidence, {.share = hot.share,
                                           .speedup = 1.1,
                                           .upper_speedup = 4,
                                           .accuracy_risk = 0.05,
                                           .crash_risk = 0.04,
                                           .builds = 1});
    action.enables = {"compiler.isa", "omp-simd", "omp-simd-reduction"};
    action.enabled_by = {"compiler.flags"};
    return action;
  }
};

ARBOR_REGISTER(Specialist, kName, "Promises that pointers of hot functions do not overlap",
               RestrictPointers);

}  // namespace
}  // namespace arbor::agents
