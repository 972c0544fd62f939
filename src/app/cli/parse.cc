// SPDX-License-Identifier: Apache-2.0
#include "app/cli/parse.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/text.h"

namespace arbor::app {
namespace {

// Where CLI11 leaves what it read, until it becomes Arguments.
struct Slots {
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, bool> switches;
  std::vector<std::vector<std::string>> positionals;
};

void declare(CLI::App& app, const Verb& verb, Slots& slots) {
  const auto add = [&](const Option& option) {
    if (option.value.empty())
      app.add_flag(option.name, slots.switches[option.name], option.help);
    else
      app.add_option(option.name, slots.values[option.name], option.help)
          ->type_name(option.value)
          ->expected(1)
          ->allow_extra_args(false)  // of a vector CLI11 goes on and eats the positionals
          ->take_all();
  };
  for (const auto& option : shared_options()) add(option);
  for (const auto& option : verb.options) add(option);
  slots.positionals.resize(verb.positionals.size());
  for (std::size_t i = 0; i < verb.positionals.size(); ++i) {
    const auto& positional = verb.positionals[i];
    auto* declared = app.add_option(positional.name, slots.positionals[i], positional.help);
    declared->expected(positional.is_required ? 1 : 0, positional.takes_rest ? 1 << 20 : 1);
    declared->allow_extra_args(positional.takes_rest || !positional.is_required);
    if (positional.is_required) declared->required();
  }
}

Arguments arguments_of(const Slots& slots) {
  Arguments arguments;
  for (const auto& [name, values] : slots.values)
    if (!values.empty()) arguments.options[name] = values;
  for (const auto& [name, is_on] : slots.switches)
    if (is_on) arguments.options[name] = {};
  for (const auto& values : slots.positionals)
    arguments.positionals.insert(arguments.positionals.end(), values.begin(), values.end());
  return arguments;
}

std::vector<std::string> option_names(const Verb& verb) {
  std::vector<std::string> names{"--help"};
  for (const auto& option : shared_options()) names.push_back(option.name);
  for (const auto& option : verb.options) names.push_back(option.name);
  return names;
}

// CLI11's words, with the option that was probably meant.
std::string explained(const Verb& verb, int argc, const char* const* argv,
                      std::string_view message) {
  std::string text = fmt::format("arbor {}: {}", verb.name, message);
  const auto names = option_names(verb);
  for (int i = 2; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (!word.starts_with("--") || std::ranges::find(names, word) != names.end()) continue;
    if (const auto meant = base::nearest(word, names))
      text += fmt::format("\nDid you mean '{}'?", *meant);
  }
  return text + fmt::format("\nSee 'arbor {} --help'.\n", verb.name);
}

std::string option_lines(const std::vector<Option>& options) {
  std::string text;
  for (const auto& option : options)
    text +=
        fmt::format("  {:<26}{}\n", option.name + (option.value.empty() ? "" : " " + option.value),
                    option.help);
  return text;
}

// The line with the verb first: what every verb takes may also stand before it, as in
// 'arbor -C DIR report'.
std::vector<const char*> verb_first(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  const auto shared = shared_options();
  std::size_t at = 1;
  while (at < words.size()) {
    const std::string word = words[at];
    const auto option = std::ranges::find(shared, word.substr(0, word.find('=')), &Option::name);
    if (option == shared.end()) break;
    at += !option->value.empty() && !word.contains('=') ? 2 : 1;
  }
  if (at > 1 && at < words.size())
    std::rotate(words.begin() + 1, words.begin() + static_cast<std::ptrdiff_t>(at),
                words.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  return words;
}

}  // namespace

std::string help_of(const Verb& verb) {
  std::string text = fmt::format("{}\n\nUsage: arbor {} [options]", verb.summary, verb.name);
  for (const auto& positional : verb.positionals) {
    const std::string name = positional.name + (positional.takes_rest ? " …" : "");
    text += positional.is_required ? " " + name : " [" + name + "]";
  }
  text += "\n";
  for (const auto& positional : verb.positionals)
    text += fmt::format("  {:<26}{}\n", positional.name, positional.help);
  if (!verb.options.empty()) text += "\nOptions:\n" + option_lines(verb.options);
  text += "\nEvery verb takes:\n" + option_lines(shared_options());
  text += "\nExample:\n";
  for (const auto line : base::lines_of(verb.example)) text += fmt::format("  {}\n", line);
  return text;
}

std::string help_of_all(const std::vector<Verb>& verbs) {
  std::string text =
      "Arbor makes a program faster and proves every gain.\n\nUsage: arbor VERB "
      "[options]\n\nVerbs:\n";
  for (const auto& verb : verbs) text += fmt::format("  {:<12}{}\n", verb.name, verb.summary);
  return text +
         "\nStart with 'arbor init' in a git repository, then 'arbor run --budget 15m'.\n"
         "'arbor VERB --help' explains a verb and shows an example.\n";
}

std::variant<ParsedLine, ParsedNotice> parse_line(int argc, const char* const* argv,
                                                  const std::vector<Verb>& verbs) {
  const auto words = verb_first(argc, argv);
  argv = words.data();
  const std::string first = argc > 1 ? argv[1] : "--help";
  if (first == "--help" || first == "-h" || first == "help")
    return ParsedNotice{help_of_all(verbs), 0};
  // Nothing but options that every verb takes: "arbor -C DIR".
  if (std::ranges::any_of(shared_options(), [&](const Option& option) {
        return first.substr(0, first.find('=')) == option.name;
      }))
    return ParsedNotice{"arbor: no verb is given.\nSee 'arbor --help'.\n", kExitUsage};
  const std::string name = first == "--version" ? "version" : first;
  const auto verb = std::ranges::find(verbs, name, &Verb::name);
  if (verb == verbs.end()) {
    std::vector<std::string> names;
    for (const auto& each : verbs) names.push_back(each.name);
    std::string text = fmt::format("arbor: there is no verb '{}'.", base::printable(first));
    if (const auto meant = base::nearest(first, names))
      text += fmt::format(" Did you mean '{}'?", *meant);
    return ParsedNotice{text + "\nSee 'arbor --help'.\n", kExitUsage};
  }
  CLI::App app;
  app.set_help_flag();
  bool wants_help = false;
  app.add_flag("-h,--help", wants_help);
  Slots slots;
  declare(app, *verb, slots);
  for (int i = 2; i < argc && std::string_view(argv[i]) != "--"; ++i)
    if (std::string_view(argv[i]) == "--help" || std::string_view(argv[i]) == "-h")
      return ParsedNotice{help_of(*verb), 0};
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return ParsedNotice{explained(*verb, argc, argv, error.what()), kExitUsage};
  }
  for (std::size_t i = 0; i < slots.positionals.size(); ++i)
    if (!verb->positionals[i].takes_rest && slots.positionals[i].size() > 1)
      return ParsedNotice{explained(*verb, argc, argv,
                                    fmt::format("The following argument was not expected: {}",
                                                base::printable(slots.positionals[i][1]))),
                          kExitUsage};
  return ParsedLine{&*verb, arguments_of(slots)};
}

}  // namespace arbor::app
