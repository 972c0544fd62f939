// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/init/inspect.h"
#include "app/verbs/verbs.h"
#include "app/wiring.h"
#include "base/files.h"
#include "base/text.h"

namespace arbor::app {
namespace fs = std::filesystem;
namespace {

// Asks for a command that was not found; empty when the user may not or does not answer.
std::string ask_for(const std::string& what, const std::string& example, Terminal& terminal) {
  if (!terminal.setup().may_ask) return "";
  terminal.log(fmt::format("I found no {} command. What is it? (for example: {})", what, example));
  std::string answer;
  std::getline(std::cin, answer);
  return std::string(base::trim(answer));
}

void complete(InitFindings& findings, bool may_ask, Terminal& terminal) {
  if (!may_ask) return;
  if (findings.build.command.empty())
    findings.build.command = ask_for("build", "make -j2", terminal);
  if (findings.bench.command.empty())
    findings.bench.command = ask_for("bench", "./build/program input.txt", terminal);
}

int run(const Arguments& arguments, Terminal& terminal) {
  const fs::path root = fs::absolute(arguments.value("-C").value_or(".")).lexically_normal();
  const fs::path target = root / "arbor.toml";
  if (fs::exists(target) && !arguments.has("--force"))
    return terminal.fail(
        {base::ErrorKind::kUsage,
         fmt::format("'{}' is here already; --force writes a new one over it", target.string())});
  auto findings = inspect_program(root);
  if (!findings) return terminal.fail(findings.error());
  complete(*findings, !arguments.has("--yes"), terminal);
  const std::string text = commented_manifest(*findings);
  if (auto written = base::write_file_durable(target, text); !written)
    return terminal.fail(written.error());
  if (terminal.is_json()) {
    terminal.print_json({{"schema", "arbor.init/1"},
                         {"manifest", target.string()},
                         {"build", findings->build.command},
                         {"check", findings->check.command},
                         {"bench", findings->bench.command}});
  } else {
    const auto shown = [](const std::string& command) {
      return command.empty() ? "not found" : command;
    };
    terminal.print(fmt::format("wrote {}\n  build  {}\n  check  {}\n  bench  {}\n", target.string(),
                               shown(findings->build.command), shown(findings->check.command),
                               shown(findings->bench.command)));
  }
  if (findings->build.command.empty() || findings->bench.command.empty()) {
    terminal.log("Fill in what was not found, then run 'arbor doctor'.");
    return kExitUsage;
  }
  terminal.log("Read it, then run 'arbor run --budget 15m'.");
  return kExitDone;
}

}  // namespace

Verb init_verb() {
  return {"init",
          "Write an arbor.toml for this repository: finds build, check and bench",
          "arbor init\narbor init --yes -C path/to/program",
          {{"--yes", "", "ask nothing; leave out what cannot be found"},
           {"--force", "", "write over an arbor.toml that is here"}},
          {},
          run};
}

}  // namespace arbor::app
