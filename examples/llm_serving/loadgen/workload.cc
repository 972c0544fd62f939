// SPDX-License-Identifier: Apache-2.0

#include "workload.h"

namespace llm::loadgen {
namespace {

// splitmix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  int between(Range range) { return range.min + below(range.max - range.min + 1); }
  int below(int n) {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<int>((z ^ (z >> 31)) % static_cast<uint64_t>(n));
  }

 private:
  uint64_t state_;
};

std::string make_prompt(Random& random, int words) {
  static constexpr char kConsonants[] = "bdfghklmnprstvwyz";
  static constexpr char kVowels[] = "aeiou";
  std::string prompt;
  for (int w = 0; w < words; ++w) {
    if (w > 0) prompt += ' ';
    for (int left = random.between({1, 3}); left > 0; --left) {
      prompt += kConsonants[random.below(17)];
      prompt += kVowels[random.below(5)];
    }
  }
  return prompt + '.';
}

}  // namespace

std::vector<std::vector<PlannedRequest>> plan_workload(const WorkloadOptions& options) {
  Random random(options.seed);
  std::vector<std::vector<PlannedRequest>> plan;
  for (const Level& level : options.levels) {
    auto& requests = plan.emplace_back();
    for (int i = 0; i < level.requests; ++i) {
      const int words = random.between(options.prompt_words);
      std::string prompt = make_prompt(random, words);
      requests.push_back({std::move(prompt), random.between(options.new_tokens)});
    }
  }
  return plan;
}

}  // namespace llm::loadgen
