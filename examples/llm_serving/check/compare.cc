// SPDX-License-Identifier: Apache-2.0

#include "compare.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>

namespace llm::check {
namespace {

// By its bits, so that no floating-point flag can hide a NaN or an infinity.
bool is_finite(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return ((bits >> 52) & 0x7ff) != 0x7ff;
}

double error_of(double value, double reference) {
  if (!is_finite(value)) return std::numeric_limits<double>::max();
  return std::fabs(value - reference) / (1 + std::fabs(reference));
}

double log_sum_exp(const std::vector<double>& x) {
  const double max = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const double v : x) sum += std::exp(v - max);
  return max + std::log(sum);
}

// How far the best logit leads the second.
double lead(const std::vector<double>& logits) {
  double first = -std::numeric_limits<double>::max();
  double second = first;
  for (const double v : logits) {
    second = std::max(second, std::min(first, v));
    first = std::max(first, v);
  }
  return first - second;
}

std::string logits_line(size_t prompt, size_t index, const std::vector<double>& logits) {
  std::string line = std::to_string(prompt) + ' ' + std::to_string(index);
  char number[32];
  for (const double v : logits) {
    std::snprintf(number, sizeof number, " %.9g", v);
    line += number;
  }
  return line;
}

class Comparer {
 public:
  Comparer(const Reference& reference, const ReferenceTokenizer& tokenizer)
      : reference_(reference), tokenizer_(tokenizer) {}

  void prompt(size_t index, const Prompt& prompt, const Reply& reply) {
    at_ = "prompt " + std::to_string(index);
    if (!has_right_shape(prompt, reply)) return;
    // The server's own tokens lead the reference, so a near tie does not spoil what follows.
    std::vector<int> sequence = reply.prompt_tokens;
    sequence.insert(sequence.end(), reply.tokens.begin(), reply.tokens.end() - 1);
    const auto expected = reference_.logits(sequence, reply.prompt_tokens.size() - 1);
    bool is_stable = true;
    for (size_t i = 0; i < reply.tokens.size(); ++i) {
      if (is_stable) result_.stable_logits.push_back(logits_line(index, i, reply.logits[i]));
      is_stable = is_stable && lead(expected[i]) > 2 * margin(expected[i]);
      logits(reply.logits[i], expected[i]);
      token(reply, i, expected[i]);
    }
  }

  Comparison take() { return std::move(result_); }

 private:
  void expect(bool is_true, const std::string& what) {
    if (!is_true) result_.failures.push_back(at_ + ": " + what);
  }

  bool has_right_shape(const Prompt& prompt, const Reply& reply) {
    const size_t before = result_.failures.size();
    const auto wanted = static_cast<size_t>(prompt.max_tokens);
    expect(reply.prompt_tokens == tokenizer_.encode(prompt.text), "wrong prompt tokens");
    expect(reply.tokens.size() == wanted, "wrong number of tokens");
    expect(reply.reported_generated == prompt.max_tokens, "wrong count of tokens at its end");
    expect(reply.reported_prompt == static_cast<int>(reply.prompt_tokens.size()),
           "wrong count of prompt tokens at its end");
    expect(reply.logits.size() == wanted, "wrong number of rows of logits");
    for (const auto& row : reply.logits) {
      expect(row.size() == static_cast<size_t>(reference_.vocab()), "a row of wrong length");
    }
    for (const int t : reply.tokens) {
      expect(t >= 0 && t < reference_.vocab(), "a token out of range");
    }
    return result_.failures.size() == before;
  }

  static double margin(const std::vector<double>& expected) {
    const double best = *std::max_element(expected.begin(), expected.end());
    return 2 * kTolerance * (1 + std::fabs(best));
  }

  void logits(const std::vector<double>& actual, const std::vector<double>& expected) {
    double worst = 0;
    for (size_t v = 0; v < expected.size(); ++v) {
      worst = std::max(worst, error_of(actual[v], expected[v]));
    }
    result_.max_error = std::max(result_.max_error, worst);
    expect(worst <= kTolerance, "logits are off by " + std::to_string(worst));
  }

  void token(const Reply& reply, size_t i, const std::vector<double>& expected) {
    const int token = reply.tokens[i];
    const auto best = std::max_element(expected.begin(), expected.end());
    ++result_.tokens;
    if (best - expected.begin() != token) {
      ++result_.differing;
      expect(*best - expected[static_cast<size_t>(token)] <= margin(expected),
             "token " + std::to_string(token) + " is not the most likely");
    }
    // The protocol prints six digits.
    const double logprob = expected[static_cast<size_t>(token)] - log_sum_exp(expected);
    expect(error_of(reply.logprobs[i], logprob) <= 2 * kTolerance + 1e-5, "wrong logprob");
    expect(reply.pieces[i] == tokenizer_.text(token), "wrong piece of text");
  }

  const Reference& reference_;
  const ReferenceTokenizer& tokenizer_;
  std::string at_;
  Comparison result_;
};

}  // namespace

Comparison compare(const std::vector<Prompt>& prompts, const std::vector<Reply>& replies,
                   const Reference& reference, const ReferenceTokenizer& tokenizer) {
  Comparer comparer(reference, tokenizer);
  for (size_t i = 0; i < prompts.size(); ++i) comparer.prompt(i, prompts[i], replies[i]);
  return comparer.take();
}

}  // namespace llm::check
