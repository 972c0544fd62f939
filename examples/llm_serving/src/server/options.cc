// SPDX-License-Identifier: Apache-2.0

#include "server/options.h"

#include <cstdlib>
#include <stdexcept>

namespace llm {
namespace {

int whole_number(const std::string& name, const std::string& text, int max) {
  char* end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < 1 || value > max) {
    throw std::runtime_error(name + " takes a number from 1 to " + std::to_string(max) + ", not '" +
                             text + "'");
  }
  return static_cast<int>(value);
}

WaitPolicy wait_policy(const std::string& name, const std::string& text) {
  if (text == "spin") return WaitPolicy::kSpin;
  if (text == "yield") return WaitPolicy::kYield;
  if (text == "block") return WaitPolicy::kBlock;
  throw std::runtime_error(name + " takes spin, yield or block, not '" + text + "'");
}

const char* name_of(WaitPolicy policy) {
  if (policy == WaitPolicy::kSpin) return "spin";
  return policy == WaitPolicy::kYield ? "yield" : "block";
}

// The option's name is what messages call it: --batch or LLM_BATCH.
bool set_option(Options& options, const std::string& key, const std::string& name,
                const std::string& value) {
  if (key == "model")
    options.model = value;
  else if (key == "dump-logits")
    options.dump_logits = value;
  else if (key == "batch")
    options.batch = whole_number(name, value, 256);
  else if (key == "prefill-chunk")
    options.prefill_chunk = whole_number(name, value, 4096);
  else if (key == "threads")
    options.threads = whole_number(name, value, 256);
  else if (key == "wait")
    options.wait = wait_policy(name, value);
  else
    return false;
  return true;
}

void read_environment(Options& options) {
  static constexpr const char* kVariables[][2] = {{"LLM_BATCH", "batch"},
                                                  {"LLM_PREFILL_CHUNK", "prefill-chunk"},
                                                  {"LLM_THREADS", "threads"},
                                                  {"LLM_WAIT", "wait"}};
  for (const auto& [variable, key] : kVariables) {
    if (const char* value = std::getenv(variable)) set_option(options, key, variable, value);
  }
}

}  // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  read_environment(options);
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--help") {
      options.is_help = true;
      return options;
    }
    if (name.rfind("--", 0) != 0) throw std::runtime_error("unexpected argument " + name);
    if (i + 1 == argc) throw std::runtime_error(name + " takes a value");
    if (!set_option(options, name.substr(2), name, argv[++i])) {
      throw std::runtime_error("unknown option " + name + " (see --help)");
    }
  }
  return options;
}

std::string help_text() {
  return R"(usage: server [options]
Answers generation requests on stdin (see include/llm/protocol.h).

  --model FILE         model file (default: data/dense_f32.bin)
  --batch N            most sequences in progress at once (default: 4) [LLM_BATCH]
  --prefill-chunk N    most prompt tokens in one step (default: 16) [LLM_PREFILL_CHUNK]
  --threads N          threads for the forward pass (default: 1) [LLM_THREADS]
  --wait POLICY        how threads wait: spin, yield or block (default: block) [LLM_WAIT]
  --dump-logits FILE   write prompts' tokens and all logits as text
  --help               this text
)";
}

std::string settings_line(const Options& options) {
  return "settings: batch=" + std::to_string(options.batch) +
         " prefill_chunk=" + std::to_string(options.prefill_chunk) +
         " threads=" + std::to_string(options.threads) + " wait=" + name_of(options.wait) +
         " model=" + options.model;
}

}  // namespace llm
