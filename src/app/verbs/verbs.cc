// SPDX-License-Identifier: Apache-2.0
#include "app/verbs/verbs.h"

namespace arbor::app {

const std::vector<Verb>& all_verbs() {
  static const std::vector<Verb> kVerbs = {
      init_verb(),       doctor_verb(), run_verb(),     resume_verb(), stop_verb(), status_verb(),
      tree_verb(),       show_verb(),   why_verb(),     diff_verb(),   log_verb(),  report_verb(),
      try_verb(),        bench_verb(),  export_verb(),  verify_verb(), list_verb(), schema_verb(),
      completion_verb(), man_verb(),    version_verb(),
  };
  return kVerbs;
}

}  // namespace arbor::app
