// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "domain/change.h"

// Changes and recipes as JSON text: the journal's, the build cache's and the exported form
// (docs/formats/recipe.md). Writing and reading again gives an equal value, byte for byte, also for
// diffs that are not UTF-8. Reading is strict: a missing, unknown or wrongly typed field is
// kCorrupt, and the message names the field.
namespace arbor::workspace {

std::string change_to_json(const domain::Change& change);
std::string recipe_to_json(const domain::Recipe& recipe, int indent = -1);

// what: names the text in errors ("change of trial 7").
base::Result<domain::Change> change_from_json(std::string_view text, std::string_view what);
base::Result<domain::Recipe> recipe_from_json(std::string_view text, std::string_view what);

}  // namespace arbor::workspace
