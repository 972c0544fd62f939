// SPDX-License-Identifier: Apache-2.0

#include "server/front_end.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <utility>

#include "llm/protocol.h"

namespace llm {

void Replies::append(std::string_view line) {
  std::lock_guard<std::mutex> lock(mutex_);
  pending_ += line;
  pending_ += '\n';
}

void Replies::ready() { append(protocol::kReady); }

void Replies::token(const std::string& id, int token, float logprob, std::string_view piece) {
  std::ostringstream line;
  line << protocol::kToken << ' ' << id << ' ' << token << ' ' << logprob << ' '
       << protocol::escape(piece);
  append(line.str());
}

void Replies::end(const std::string& id, int prompt_tokens, int generated) {
  std::ostringstream line;
  line << protocol::kEnd << ' ' << id << ' ' << prompt_tokens << ' ' << generated;
  append(line.str());
}

void Replies::error(const std::string& id, std::string_view message) {
  std::ostringstream line;
  line << protocol::kError << ' ' << id << ' ' << message;
  append(line.str());
}

void Replies::flush() {
  std::lock_guard<std::mutex> lock(mutex_);
  size_t done = 0;
  while (done < pending_.size()) {
    const ssize_t written = write(STDOUT_FILENO, pending_.data() + done, pending_.size() - done);
    if (written <= 0) break;  // the client has gone; its remaining requests still run out
    done += static_cast<size_t>(written);
  }
  pending_.clear();
}

void read_requests(const Tokenizer& tokenizer, int max_seq, RequestQueue& queue, Replies& replies) {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream fields(line);
    std::string verb;
    std::string prompt;
    Request request;
    fields >> verb >> request.id >> request.max_tokens;
    fields.get();
    std::getline(fields, prompt);
    request.prompt = tokenizer.encode(protocol::unescape(prompt));
    const size_t length = request.prompt.size() + static_cast<size_t>(request.max_tokens);
    if (verb != protocol::kGenerate || request.max_tokens < 1 || request.prompt.empty()) {
      replies.error(request.id.empty() ? "?" : request.id, "not 'GEN id max_tokens prompt'");
      replies.flush();
    } else if (length > static_cast<size_t>(max_seq)) {
      replies.error(request.id, "longer than the model's " + std::to_string(max_seq) + " tokens");
      replies.flush();
    } else {
      queue.push(std::move(request));
    }
  }
  queue.close();
}

}  // namespace llm
