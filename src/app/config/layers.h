// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/config/key.h"
#include "app/config/manifest_file.h"
#include "app/config/value.h"

// Precedence is a merge of tables before anything is decoded: what is left is decoded once, and
// each value still knows where it came from.
namespace arbor::app {

// Puts the user file's tables under root: keys that root has keep root's value.
void merge_user_file(const Table& user_file, std::string_view path, Table& root,
                     Problems& problems);

// ARBOR_BUDGET_WALL=15m and the like. Other ARBOR_* variables are somebody else's.
std::vector<domain::Setting> settings_of_environment(
    const std::map<std::string, std::string>& environment, Problems& problems);

// Variables and flags over root, in their order.
void merge_settings(const std::vector<domain::Setting>& settings, Table& root, Problems& problems);

}  // namespace arbor::app
