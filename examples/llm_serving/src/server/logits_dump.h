// SPDX-License-Identifier: Apache-2.0

// Writes what the model saw and said, as text, for an outside check:
//
//   P <id> <token>...     a prompt's tokens
//   L <id> <logit>...     the logits of its next generated token
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace llm {

class LogitsDump {
 public:
  // An empty path dumps nothing. Throws std::runtime_error where the file cannot be made.
  explicit LogitsDump(const std::string& path);
  ~LogitsDump();
  LogitsDump(const LogitsDump&) = delete;
  LogitsDump& operator=(const LogitsDump&) = delete;

  void prompt(const std::string& id, const std::vector<int>& tokens);
  void logits(const std::string& id, const float* logits, int vocab);

 private:
  std::FILE* file_ = nullptr;
};

}  // namespace llm
