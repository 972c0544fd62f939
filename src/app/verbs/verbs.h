// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

// One function per verb, each in its own file.
namespace arbor::app {

Verb init_verb();
Verb doctor_verb();
Verb try_verb();
Verb bench_verb();
Verb run_verb();
Verb resume_verb();
Verb stop_verb();
Verb status_verb();
Verb tree_verb();
Verb show_verb();
Verb why_verb();
Verb diff_verb();
Verb log_verb();
Verb report_verb();
Verb export_verb();
Verb verify_verb();
Verb list_verb();
Verb schema_verb();
Verb completion_verb();
Verb man_verb();
Verb version_verb();

}  // namespace arbor::app
