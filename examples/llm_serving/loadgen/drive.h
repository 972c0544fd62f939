// SPDX-License-Identifier: Apache-2.0

// Runs one level of the load against a server and records when each token came.
#pragma once

#include <vector>

#include "server_process.h"
#include "workload.h"

namespace llm::loadgen {

struct LevelResult {
  int concurrency = 0;
  int requests_completed = 0;
  long prompt_tokens = 0;
  long tokens_generated = 0;
  double seconds = 0;
  std::vector<double> ttft_ms;  // request sent to first token, one a request
  std::vector<double> itl_ms;   // between the tokens of a request
};

// Throws std::runtime_error where a reply is not what was asked for.
LevelResult drive_level(ServerProcess& server, const std::vector<PlannedRequest>& requests,
                        int concurrency);

}  // namespace llm::loadgen
