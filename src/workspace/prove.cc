// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/pattern.h"
#include "base/text.h"
#include "workspace/builder_state.h"
#include "workspace/shim/witness.h"

// One untimed launch with the witness, to see whether a change arrived in the program's processes.
namespace arbor::workspace {
namespace fs = std::filesystem;
using base::ErrorKind;
using base::Result;

namespace {

// Processes of the program; only where none left a witness, the shell that started it counts.
std::vector<Witness> of_program(std::vector<Witness> all) {
  const auto is_shell = [](const Witness& witness) {
    const std::string name = fs::path(witness.executable).filename().string();
    return name == "sh" || name == "dash" || name == "bash" || name == "env";
  };
  if (std::ranges::all_of(all, is_shell)) return all;
  std::erase_if(all, is_shell);
  return all;
}

bool has_variable(const std::vector<Witness>& witnesses, const std::string& name,
                  const std::string& value) {
  return std::ranges::any_of(witnesses, [&](const Witness& witness) {
    const auto found = witness.environment.find(name);
    return found != witness.environment.end() && found->second == value;
  });
}

bool has_library(const std::vector<Witness>& witnesses, const std::string& library) {
  std::error_code failed;
  const fs::path wanted = fs::weakly_canonical(library, failed);
  return std::ranges::any_of(witnesses, [&](const Witness& witness) {
    return std::ranges::any_of(witness.libraries, [&](const std::string& mapped) {
      return mapped == library || fs::path(mapped) == wanted;
    });
  });
}

// A value as the regular expression that matches just it.
std::string literal(std::string_view value) {
  std::string pattern;
  for (const char c : value) {
    if (std::string_view(R"(\^$.|?*+()[]{}/)").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

Result<bool> is_activated(const domain::Knob& knob, const std::string& value,
                          const ports::LaunchOutcome& outcome) {
  std::string pattern = knob.activates;
  for (auto at = pattern.find("{}"); at != std::string::npos; at = pattern.find("{}", at)) {
    const std::string text = literal(value);
    pattern.replace(at, 2, text);
    at += text.size();
  }
  const auto wanted = base::Pattern::compile(pattern);
  if (!wanted)
    return base::fail(ErrorKind::kUsage,
                      fmt::format("knob '{}': activates: {}", knob.name, wanted.error().message));
  for (const auto* stream : {&outcome.standard_output, &outcome.standard_error})
    for (const auto line : base::lines_of(*stream))
      if (wanted->is_in(line)) return true;
  return false;
}

struct Evidence {
  std::vector<Witness> witnesses;
  ports::LaunchOutcome outcome;
  const BuiltTree* tree = nullptr;
  std::string command;
  std::string template_text;  // of the knob in question
};

bool is_compiled_in(const BuiltTree& tree, const std::string& flag) {
  return std::ranges::any_of(tree.commands, [&](const CompileCommand& command) {
    return std::ranges::find(command.final_argv, flag) != command.final_argv.end();
  });
}

// What is missing of one knob, in words; empty when it arrived.
Result<std::string> knob_problem(const domain::Knob& knob, const std::string& value,
                                 const Evidence& seen) {
  if (!knob.activates.empty()) {
    ARBOR_TRY(const bool is_active, is_activated(knob, value, seen.outcome));
    if (is_active) return std::string();
    return fmt::format("knob {} = {}: the program printed nothing that matches '{}'", knob.name,
                       value, knob.activates);
  }
  switch (knob.kind) {
    case domain::KnobKind::kEnvironment:
      if (has_variable(seen.witnesses, knob.variable, value)) return std::string();
      return fmt::format("knob {}: {}={} is in no process of the program", knob.name, knob.variable,
                         value);
    case domain::KnobKind::kDefine:
      if (is_compiled_in(*seen.tree, fmt::format("-D{}={}", knob.variable, value)))
        return std::string();
      return fmt::format("knob {}: no compile command defines {}={}", knob.name, knob.variable,
                         value);
    case domain::KnobKind::kArgument:
      if (seen.command.find("{knob." + knob.name + "}") != std::string::npos) return std::string();
      return fmt::format("knob {}: [bench] command holds no {{knob.{}}}", knob.name, knob.name);
    case domain::KnobKind::kFileTemplate:
      if (seen.template_text.find("{knob." + knob.name + "}") != std::string::npos)
        return std::string();
      break;
  }
  return fmt::format("knob {}: '{}' holds no {{knob.{}}}", knob.name, knob.file, knob.name);
}

}  // namespace

Result<std::string> Builder::prove_launch_change(const BuiltTree& tree, const BuiltTree& judge,
                                                 const domain::Recipe& recipe,
                                                 const domain::Change& change,
                                                 std::stop_token stop) {
  const auto& bench = state_->setup.manifest.bench;
  ARBOR_TRY(const auto scratch,
            base::ScratchDir::create(state_->setup.arbor_dir / "tmp", "witness-"));
  const fs::path record = scratch.path() / "record";
  std::error_code failed;
  fs::create_directories(record, failed);
  LaunchOrder order;
  order.tree = &tree;
  order.judge = &judge;
  order.recipe = domain::extended(recipe, change);
  order.command = bench.command;
  order.timeout_s = bench.timeout_s;
  order.harness = bench.harness;
  if (const auto refused = state_->refusal(order)) return refused->detail;
  ARBOR_TRY(auto request, state_->launch_request(order));
  state_->add_witness(request, record);
  Evidence seen{{}, {}, &tree, bench.command, {}};
  ARBOR_TRY(seen.outcome, state_->sandbox.launch(request, std::move(stop)));
  ARBOR_TRY(auto witnesses, read_witnesses(record));
  seen.witnesses = of_program(std::move(witnesses));

  std::vector<std::string> missing;
  for (const auto& entry : change.entries) {
    if (const auto* variable = std::get_if<domain::EnvironmentVariable>(&entry)) {
      if (!has_variable(seen.witnesses, variable->name, variable->value))
        missing.push_back(fmt::format("{}={} is in the environment of no process of the program",
                                      variable->name, variable->value));
    } else if (const auto* preload = std::get_if<domain::Preload>(&entry)) {
      if (!has_library(seen.witnesses, preload->library))
        missing.push_back(preload->library + " is mapped in no process of the program");
    } else if (const auto* value = std::get_if<domain::KnobValue>(&entry)) {
      const domain::Knob& knob =
          *domain::find_knob(state_->setup.manifest.knobs, value->knob);  // launch_request saw it
      const auto text =
          knob.file.empty()
              ? base::Result<std::string>()
              : base::read_file(tree.folder / state_->repository.program_folder() / knob.file);
      seen.template_text = text ? *text : "";
      ARBOR_TRY(std::string problem, knob_problem(knob, value->value, seen));
      if (!problem.empty()) missing.push_back(std::move(problem));
    }
  }
  return base::join(missing, "; ");
}

}  // namespace arbor::workspace
