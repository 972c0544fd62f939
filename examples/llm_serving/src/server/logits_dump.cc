// SPDX-License-Identifier: Apache-2.0

#include "server/logits_dump.h"

#include <stdexcept>

namespace llm {

LogitsDump::LogitsDump(const std::string& path) {
  if (path.empty()) return;
  file_ = std::fopen(path.c_str(), "w");
  if (file_ == nullptr) throw std::runtime_error("cannot write " + path);
}

LogitsDump::~LogitsDump() {
  if (file_ != nullptr) std::fclose(file_);
}

void LogitsDump::prompt(const std::string& id, const std::vector<int>& tokens) {
  if (file_ == nullptr) return;
  std::fprintf(file_, "P %s", id.c_str());
  for (const int token : tokens) std::fprintf(file_, " %d", token);
  std::fputc('\n', file_);
}

void LogitsDump::logits(const std::string& id, const float* logits, int vocab) {
  if (file_ == nullptr) return;
  std::fprintf(file_, "L %s", id.c_str());
  for (int i = 0; i < vocab; ++i) std::fprintf(file_, " %.9g", static_cast<double>(logits[i]));
  std::fputc('\n', file_);
}

}  // namespace llm
