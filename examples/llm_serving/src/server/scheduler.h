// SPDX-License-Identifier: Apache-2.0

// Continuous batching (Yu et al. 2022, Orca): sequences join and leave between steps, and each step
// carries one token of every decoding sequence plus a chunk of waiting prompts.
#pragma once

#include <vector>

#include "model/transformer.h"
#include "server/front_end.h"
#include "server/logits_dump.h"
#include "server/options.h"
#include "server/request_queue.h"
#include "tokenizer/tokenizer.h"

namespace llm {

class Scheduler {
 public:
  struct Parts {
    Transformer& model;
    const Tokenizer& tokenizer;
    RequestQueue& queue;
    Replies& replies;
    LogitsDump& dump;
  };
  Scheduler(Parts parts, const Options& options);

  // Serves until the queue is closed and every request is answered.
  void run();

 private:
  struct Sequence {
    Request request;
    int slot = 0;
    int position = 0;    // tokens already run
    int last_token = 0;  // generated, not yet run
    int generated = 0;

    int prompt_size() const { return static_cast<int>(request.prompt.size()); }
    bool is_prefilling() const { return position < prompt_size(); }
  };

  void admit();
  void start(Request request);
  std::vector<StepToken> plan_step();
  void take_logits(const std::vector<StepToken>& step, const std::vector<float>& logits);
  void emit(Sequence& sequence, const float* logits);
  void retire_finished();

  Parts parts_;
  int prefill_chunk_;
  std::vector<int> free_slots_;
  std::vector<Sequence> active_;  // in order of arrival
};

}  // namespace llm
