// SPDX-License-Identifier: Apache-2.0
#include "ports/analyzer/fake.h"

namespace arbor::ports {

void FakeAnalyzer::set_loops(const std::string& file, std::vector<Loop> loops) {
  for (auto& loop : loops) loop.file = file;
  loops_[file] = std::move(loops);
}

base::Result<std::vector<Loop>> FakeAnalyzer::loops(const AnalysisRequest& request,
                                                    std::stop_token stop) {
  if (stop.stop_requested())
    return base::fail(base::ErrorKind::kCancelled, "analysing " + request.file + " was stopped");
  const auto found = loops_.find(request.file);
  if (found == loops_.end())
    return base::fail(base::ErrorKind::kInternal, request.file + " does not parse");
  return found->second;
}

}  // namespace arbor::ports
