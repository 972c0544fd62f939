// SPDX-License-Identifier: Apache-2.0
#include "app/cli/manual.h"

#include <fmt/format.h>

#include "base/text.h"

namespace arbor::app {
namespace {

// Text that roff prints as it is: no escapes, no requests, no hyphens that a reader cannot paste.
std::string plain(std::string_view text) {
  std::string roff;
  bool is_line_start = true;
  for (const char c : text) {
    if (is_line_start && (c == '.' || c == '\'')) roff += "\\&";
    if (c == '\\')
      roff += "\\e";
    else if (c == '-')
      roff += "\\-";
    else
      roff += c;
    is_line_start = c == '\n';
  }
  return roff;
}

std::string option_entries(const std::vector<Option>& options) {
  std::string text;
  for (const auto& option : options) {
    text += ".TP\n\\fB" + plain(option.name) + "\\fR";
    if (!option.value.empty()) text += " \\fI" + plain(option.value) + "\\fR";
    if (option.is_repeatable) text += " ...";
    text += "\n" + plain(option.help) + "\n";
  }
  return text;
}

std::string verb_entry(const Verb& verb) {
  std::string text = fmt::format(".SS arbor {}", plain(verb.name));
  for (const auto& positional : verb.positionals) {
    const std::string name = positional.name + (positional.takes_rest ? " ..." : "");
    text += positional.is_required ? " " + name : " [" + name + "]";
  }
  text += "\n" + plain(verb.summary) + ".\n";
  for (const auto& positional : verb.positionals)
    text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", plain(positional.name), plain(positional.help));
  text += option_entries(verb.options);
  return text + ".PP\n.nf\n.RS\n" + plain(base::trim(verb.example)) + "\n.RE\n.fi\n";
}

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\ndone\n"
    ".TP\n1\nsomething failed while running\n"
    ".TP\n2\na mistake in the command line or in arbor.toml\n"
    ".TP\n3\nfinished without an improvement\n"
    ".TP\n4\nthe unchanged program fails its own check\n"
    ".TP\n5\nthe budget was spent before a decision\n"
    ".TP\n6\nthis machine lacks something; \\fBarbor doctor\\fR says what\n"
    ".TP\n7\na model's provider failed\n"
    ".TP\n130, 143\nstopped by a signal; \\fBarbor resume\\fR goes on\n";

constexpr std::string_view kRest =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBARBOR_\\fISECTION\\fB_\\fIKEY\\fR\n"
    "a key of arbor.toml, for example ARBOR_BUDGET_WALL=15m; a flag goes before it\n"
    ".TP\n\\fBNO_COLOR\\fR\nno colours where it is set\n"
    ".SH FILES\n"
    ".TP\n\\fIarbor.toml\\fR\nhow the program is built, checked and measured; \\fBarbor init\\fR "
    "writes it, \\fBarbor schema\\fR describes it\n"
    ".TP\n\\fI.arbor/\\fR\nthe campaign: journal, objects, trees; nothing else of the repository "
    "is written\n"
    ".TP\n\\fI~/.config/arbor/config.toml\\fR\nsettings for all programs of a user\n";

}  // namespace

std::string manual_page(const std::vector<Verb>& verbs, const std::string& version) {
  std::string text = fmt::format(
      ".TH ARBOR 1 \"\" \"Arbor {}\" \"User Commands\"\n"
      ".SH NAME\narbor \\- make a program faster and prove every gain\n"
      ".SH SYNOPSIS\n\\fBarbor\\fR \\fIVERB\\fR [\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\n"
      "Arbor takes a git repository and three commands (build, check, bench), tries interventions "
      "over the whole stack in a sandbox, and keeps what a paired test proves. Start with "
      "\\fBarbor init\\fR, then \\fBarbor run\\fR.\n",
      plain(version));
  text += ".SH VERBS\n";
  for (const auto& verb : verbs) text += verb_entry(verb);
  text += ".SH OPTIONS OF EVERY VERB\n" + option_entries(shared_options());
  return text + std::string(kExitStatus) + std::string(kRest);
}

}  // namespace arbor::app
