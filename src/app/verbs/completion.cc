// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/cli/terminal.h"
#include "app/verbs/verbs.h"

namespace arbor::app {
namespace {

std::string words_of(const Verb& verb) {
  std::string words = "--help";
  for (const auto& option : shared_options()) words += " " + option.name;
  for (const auto& option : verb.options) words += " " + option.name;
  return words;
}

std::string bash_script() {
  std::string verbs, cases;
  for (const auto& verb : all_verbs()) {
    verbs += verb.name + " ";
    cases += fmt::format("    {}) words=\"{}\" ;;\n", verb.name, words_of(verb));
  }
  return fmt::format(
      "_arbor() {{\n"
      "  local words=\"{}\"\n"
      "  if [ \"$COMP_CWORD\" -gt 1 ]; then case \"${{COMP_WORDS[1]}}\" in\n{}    *) words=\"\" "
      ";;\n  esac; fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${{COMP_WORDS[COMP_CWORD]}}\"))\n"
      "}}\n"
      "complete -o default -F _arbor arbor\n",
      verbs, cases);
}

std::string zsh_script() { return "autoload -U +X bashcompinit && bashcompinit\n" + bash_script(); }

std::string fish_script() {
  std::string text;
  for (const auto& verb : all_verbs()) {
    text += fmt::format("complete -c arbor -n __fish_use_subcommand -a {} -d '{}'\n", verb.name,
                        verb.summary);
    for (const auto& option : verb.options)
      text += fmt::format("complete -c arbor -n '__fish_seen_subcommand_from {}' -l {}{}\n",
                          verb.name, option.name.substr(2), option.value.empty() ? "" : " -r");
  }
  return text;
}

int run(const Arguments& arguments, Terminal& terminal) {
  const std::string shell = arguments.positionals.front();
  if (shell == "bash")
    terminal.print(bash_script());
  else if (shell == "zsh")
    terminal.print(zsh_script());
  else if (shell == "fish")
    terminal.print(fish_script());
  else
    return terminal.fail(
        {base::ErrorKind::kUsage, "no completion for '" + shell + "': bash, zsh or fish"});
  return kExitDone;
}

}  // namespace

Verb completion_verb() {
  return {"completion",
          "A completion script for bash, zsh or fish",
          "arbor completion bash > ~/.local/share/bash-completion/completions/arbor",
          {},
          {{"SHELL", "bash, zsh or fish", true, false}},
          run};
}

}  // namespace arbor::app
