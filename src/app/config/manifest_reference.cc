// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "app/config/manifest_file.h"
#include "app/config/manifest_keys.h"
#include "base/text.h"

namespace arbor::app {
namespace {

constexpr std::string_view kIntroduction = R"(# arbor.toml

<!-- Generated from the table of keys in src/app/config; a test compares the two. -->

What arbor needs to know about a program: how to build it, how to tell that its results are right, how
to measure it, and what may change. The file stands in the program's root. It is
[TOML](https://toml.io) and read strictly: an unknown key, a wrong type or a value out of bounds is an
error with its line, and all errors are shown at once. `arbor schema` prints the same as JSON Schema,
`arbor init` writes a first version.

The first line is `schema = 1`, the version of this format. Three tables are required: `[build]`,
`[check]` and `[bench]`, each with its `command`. Commands are run by `sh -c` in the program's root,
inside the sandbox.

```toml
schema = 1

[build]
command = "make -j2"

[check]
command = "./run_tests"

[bench]
command = "./bench"
```

## How values are written

| type | written as |
|---|---|
| text, command | `"..."`; a command may not be empty |
| duration | `"90s"`, `"15m"`, `"1h30m"`, or a number of seconds |
| size | `"8GiB"`, `"512MiB"`, `"2GB"`, or a number of bytes |
| fraction | `"2%"` or `0.02` |
| factor | `"1.5x"` or `1.5` |
| reader | `"wall"`, `{ json = "/pointer" }` or `{ regex = "..." }`; a table may also name a `file` |

## What overrides what

A value is taken from the first of: command-line flag, environment variable, `arbor.toml`, user file,
default. The variable of a key in )";

std::string_view type_name(KeyType type) {
  switch (type) {
    case KeyType::kText:
      return "text";
    case KeyType::kCommand:
      return "text, not empty";
    case KeyType::kWord:
      return "text or number";
    case KeyType::kInteger:
      return "whole number";
    case KeyType::kNumber:
      return "number";
    case KeyType::kDuration:
      return "duration";
    case KeyType::kSize:
      return "size";
    case KeyType::kFraction:
      return "fraction";
    case KeyType::kFactor:
      return "factor";
    case KeyType::kFlag:
      return "true or false";
    case KeyType::kTexts:
      return "list of texts";
    case KeyType::kWords:
      return "list of texts or numbers";
    case KeyType::kReader:
      return "reader";
    case KeyType::kTable:
      return "table";
    case KeyType::kTables:
      return "list of tables";
  }
  std::unreachable();
}

std::string type_cell(const KeyShape& shape) {
  std::string cell(type_name(shape.type));
  if (!shape.choices.empty()) cell = "one of " + base::join(shape.choices, ", ");
  if (std::isfinite(shape.min))
    cell += fmt::format(", {} {}", shape.is_min_allowed ? "≥" : ">", shape.min);
  if (std::isfinite(shape.max)) cell += fmt::format(", ≤ {}", shape.max);
  return cell;
}

void add_rows(const std::vector<KeyShape>& keys, const std::string& prefix, std::string& page) {
  for (const auto& key : keys) {
    const std::string default_cell = key.is_required            ? "required"
                                     : key.default_text.empty() ? ""
                                                                : "`" + key.default_text + "`";
    page += fmt::format("| `{}{}` | {} | {} | {} |\n", prefix, key.name, type_cell(key),
                        default_cell, key.meaning);
    add_rows(key.inner, prefix + key.name + ".", page);
  }
}

std::string names_of(bool Section::* is_wanted) {
  std::vector<std::string> names;
  for (const auto& section : manifest_sections())
    if (section.*is_wanted) names.push_back("`[" + section.name + "]`");
  return base::join(names, ", ");
}

}  // namespace

std::string manifest_reference_markdown() {
  std::string page(kIntroduction);
  page += fmt::format(
      "{} is `ARBOR_<TABLE>_<KEY>`,\nas in `ARBOR_BUDGET_WALL=15m`; lists are separated by "
      "commas. The user file is\n`$XDG_CONFIG_HOME/arbor/config.toml` (`~/.config` where that is "
      "not set) and may hold\n{}.\n",
      names_of(&Section::is_in_environment), names_of(&Section::is_in_user_file));
  for (const auto& section : manifest_sections()) {
    const auto* brackets = section.is_repeated ? "## [[{}]]" : "## [{}]";
    page += "\n" + fmt::format(fmt::runtime(brackets), section.name) + "\n\n" + section.meaning +
            "\n\n| key | type | default | meaning |\n|---|---|---|---|\n";
    add_rows(section.keys, "", page);
  }
  page +=
      "\n## Reserved\n\nThese are refused with a message until a version supports them.\n\n"
      "| key | meanwhile |\n|---|---|\n";
  for (const auto& key : unsupported_keys())
    page += fmt::format("| `[{}]{}{}` | {} |\n", key.section, key.key.empty() ? "" : " ", key.key,
                        key.instead);
  page += "| several `[[bench]]` | write one `[bench]` |\n";
  return page;
}

}  // namespace arbor::app
