// SPDX-License-Identifier: Apache-2.0

// Runs the server once over some prompts and collects all that it said and dumped.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace llm::check {

struct Prompt {
  std::string text;
  int max_tokens = 0;
};

struct Reply {
  std::vector<int> prompt_tokens;           // from the dump
  std::vector<std::vector<double>> logits;  // from the dump, a row for each generated token
  std::vector<int> tokens;                  // from here on as streamed
  std::vector<double> logprobs;
  std::vector<std::string> pieces;
  int reported_prompt = -1;
  int reported_generated = -1;
};

struct RunOptions {
  std::vector<std::string> command;
  std::string dump_path;
};

// One reply for each prompt, in their order. All prompts are sent at once, so that they share
// batches and slots. Throws std::runtime_error where the server fails or says something unknown.
std::vector<Reply> run_server(const RunOptions& options, const std::vector<Prompt>& prompts);

}  // namespace llm::check
