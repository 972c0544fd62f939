// SPDX-License-Identifier: Apache-2.0

#include "report.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace llm::loadgen {
namespace {

// The nearest-rank percentile; "null" where nothing was recorded.
std::string percentile(std::vector<double> values, double percent) {
  if (values.empty()) return "null";
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(percent / 100.0 * static_cast<double>(values.size()));
  std::ostringstream text;
  text << values[static_cast<size_t>(std::max(rank, 1.0)) - 1];
  return text.str();
}

std::string latencies(const LevelResult& r) {
  return "\"ttft_ms_p50\": " + percentile(r.ttft_ms, 50) +
         ", \"ttft_ms_p90\": " + percentile(r.ttft_ms, 90) +
         ", \"itl_ms_p50\": " + percentile(r.itl_ms, 50) +
         ", \"itl_ms_p90\": " + percentile(r.itl_ms, 90);
}

void append(std::vector<double>& to, const std::vector<double>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

LevelResult sum(const std::vector<LevelResult>& levels) {
  LevelResult all;
  for (const LevelResult& level : levels) {
    all.requests_completed += level.requests_completed;
    all.prompt_tokens += level.prompt_tokens;
    all.tokens_generated += level.tokens_generated;
    all.seconds += level.seconds;
    append(all.ttft_ms, level.ttft_ms);
    append(all.itl_ms, level.itl_ms);
  }
  return all;
}

}  // namespace

std::string to_json(const std::vector<LevelResult>& levels, double startup_ms) {
  const LevelResult all = sum(levels);
  std::ostringstream out;
  out << "{\n  \"tokens_per_s\": " << static_cast<double>(all.tokens_generated) / all.seconds
      << ",\n  \"seconds\": " << all.seconds << ",\n  \"startup_ms\": " << startup_ms << ",\n  "
      << latencies(all) << ",\n  \"work\": {\"requests_completed\": " << all.requests_completed
      << ", \"prompt_tokens\": " << all.prompt_tokens
      << ", \"tokens_generated\": " << all.tokens_generated << "},\n  \"levels\": [";
  const char* separator = "\n";
  for (const LevelResult& level : levels) {
    out << separator << "    {\"concurrency\": " << level.concurrency
        << ", \"requests\": " << level.requests_completed
        << ", \"tokens\": " << level.tokens_generated
        << ", \"tokens_per_s\": " << static_cast<double>(level.tokens_generated) / level.seconds
        << ", " << latencies(level) << "}";
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
  return out.str();
}

}  // namespace llm::loadgen
