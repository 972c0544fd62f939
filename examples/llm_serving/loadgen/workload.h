// SPDX-License-Identifier: Apache-2.0

// What the load generator asks for: prompts and lengths, all from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace llm::loadgen {

struct Range {
  int min = 0;
  int max = 0;
};

// A phase of the load: so many clients, each sending its next request when the last is answered.
struct Level {
  int concurrency = 0;
  int requests = 0;
};

struct WorkloadOptions {
  uint64_t seed = 1;
  Range prompt_words = {24, 80};
  Range new_tokens = {40, 88};
  std::vector<Level> levels = {{1, 1}, {4, 4}, {12, 12}};
};

struct PlannedRequest {
  std::string prompt;
  int max_tokens = 0;
};

// One list of requests per level.
std::vector<std::vector<PlannedRequest>> plan_workload(const WorkloadOptions& options);

}  // namespace llm::loadgen
