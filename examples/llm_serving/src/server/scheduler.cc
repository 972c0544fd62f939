// SPDX-License-Identifier: Apache-2.0

#include "server/scheduler.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "model/sampler.h"

namespace llm {

Scheduler::Scheduler(Parts parts, const Options& options)
    : parts_(parts), prefill_chunk_(options.prefill_chunk) {
  for (int slot = options.batch - 1; slot >= 0; --slot) free_slots_.push_back(slot);
}

void Scheduler::run() {
  while (true) {
    admit();
    if (active_.empty()) return;
    const std::vector<StepToken> step = plan_step();
    const std::vector<float> logits = parts_.model.forward(step);
    take_logits(step, logits);
    retire_finished();
    parts_.replies.flush();
  }
}

// Fills the free slots; waits only when there is nothing else to do.
void Scheduler::admit() {
  while (!free_slots_.empty()) {
    std::optional<Request> request = active_.empty() ? parts_.queue.pop() : parts_.queue.try_pop();
    if (!request) return;
    start(std::move(*request));
  }
}

void Scheduler::start(Request request) {
  Sequence sequence;
  sequence.request = std::move(request);
  sequence.slot = free_slots_.back();
  free_slots_.pop_back();
  parts_.dump.prompt(sequence.request.id, sequence.request.prompt);
  active_.push_back(std::move(sequence));
}

std::vector<StepToken> Scheduler::plan_step() {
  std::vector<StepToken> step;
  int prefill_left = prefill_chunk_;
  for (Sequence& s : active_) {
    if (!s.is_prefilling()) {
      step.push_back({s.slot, s.position++, s.last_token, true});
      continue;
    }
    const int count = std::min(prefill_left, s.prompt_size() - s.position);
    for (int i = 0; i < count; ++i) {
      const int token = s.request.prompt[s.position];
      const bool is_last = s.position + 1 == s.prompt_size();
      step.push_back({s.slot, s.position++, token, is_last});
    }
    prefill_left -= count;
  }
  return step;
}

void Scheduler::take_logits(const std::vector<StepToken>& step, const std::vector<float>& logits) {
  const float* row = logits.data();
  for (const StepToken& token : step) {
    if (!token.wants_logits) continue;
    for (Sequence& s : active_) {
      if (s.slot == token.slot) emit(s, row);
    }
    row += parts_.model.config().vocab;
  }
}

void Scheduler::emit(Sequence& sequence, const float* logits) {
  const int vocab = parts_.model.config().vocab;
  const Choice choice = sample_greedy(logits, vocab);
  sequence.last_token = choice.token;
  ++sequence.generated;
  parts_.dump.logits(sequence.request.id, logits, vocab);
  parts_.replies.token(sequence.request.id, choice.token, choice.logprob,
                       parts_.tokenizer.piece(choice.token));
}

void Scheduler::retire_finished() {
  for (const Sequence& s : active_) {
    if (s.generated < s.request.max_tokens) continue;
    parts_.replies.end(s.request.id, s.prompt_size(), s.generated);
    free_slots_.push_back(s.slot);
  }
  std::erase_if(active_, [](const Sequence& s) { return s.generated >= s.request.max_tokens; });
}

}  // namespace llm
