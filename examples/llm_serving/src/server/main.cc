// SPDX-License-Identifier: Apache-2.0

// The server: loads a model, then answers requests from stdin on stdout until stdin ends.
#include <csignal>
#include <exception>
#include <iostream>
#include <thread>

#include "model/transformer.h"
#include "model/weights.h"
#include "runtime/thread_pool.h"
#include "server/front_end.h"
#include "server/logits_dump.h"
#include "server/options.h"
#include "server/request_queue.h"
#include "server/scheduler.h"
#include "tokenizer/tokenizer.h"

namespace {

void serve(const llm::Options& options) {
  const llm::Weights weights(options.model);
  const llm::Tokenizer tokenizer(options.model + ".merges");
  if (tokenizer.size() != weights.config().vocab) {
    throw std::runtime_error("the merges do not fit the model " + options.model);
  }
  llm::LogitsDump dump(options.dump_logits);
  llm::ThreadPool pool(options.threads, options.wait);
  llm::Transformer model(weights, options.batch, pool);
  llm::RequestQueue queue(options.wait);
  llm::Replies replies;
  llm::Scheduler scheduler({model, tokenizer, queue, replies, dump}, options);

  std::cerr << llm::settings_line(options) << std::endl;
  replies.ready();
  replies.flush();
  std::thread reader(
      [&] { llm::read_requests(tokenizer, weights.config().max_seq, queue, replies); });
  scheduler.run();
  reader.join();
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const llm::Options options = llm::parse_options(argc, argv);
    if (options.is_help) {
      std::cout << llm::help_text();
    } else {
      serve(options);
    }
  } catch (const std::exception& error) {
    std::cerr << "server: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
