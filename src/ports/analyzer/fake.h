// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ports/analyzer/analyzer.h"

namespace arbor::ports {

// An analyser that answers from memory. A file that it was not given does not parse: kInternal.
class FakeAnalyzer : public Analyzer {
 public:
  void set_loops(const std::string& file, std::vector<Loop> loops);
  base::Result<std::vector<Loop>> loops(const AnalysisRequest& request,
                                        std::stop_token stop) override;

 private:
  std::map<std::string, std::vector<Loop>> loops_;
};

}  // namespace arbor::ports
