// SPDX-License-Identifier: Apache-2.0

#include "server_run.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "llm/protocol.h"

namespace llm::check {
namespace {

std::string requests_text(const std::vector<Prompt>& prompts) {
  std::string text;
  for (size_t i = 0; i < prompts.size(); ++i) {
    text += std::string(protocol::kGenerate) + ' ' + std::to_string(i) + ' ' +
            std::to_string(prompts[i].max_tokens) + ' ' + protocol::escape(prompts[i].text) + '\n';
  }
  return text;
}

[[noreturn]] void become_server(const RunOptions& options, int in, int out) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : options.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(const_cast<char*>("--dump-logits"));
  argv.push_back(const_cast<char*>(options.dump_path.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

// Sends the input, which a pipe must hold whole, and returns everything the server wrote.
std::string converse(const RunOptions& options, const std::string& input) {
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
    throw std::runtime_error("cannot make a pipe");
  }
  if (write(in[1], input.data(), input.size()) != static_cast<ssize_t>(input.size())) {
    throw std::runtime_error("cannot write the requests");
  }
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("cannot fork");
  if (pid == 0) become_server(options, in[0], out[1]);
  close(in[0]);
  close(in[1]);
  close(out[1]);
  std::string output;
  char chunk[16384];
  ssize_t n = 0;
  while ((n = read(out[0], chunk, sizeof chunk)) > 0) output.append(chunk, static_cast<size_t>(n));
  close(out[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if (status != 0) throw std::runtime_error("the server failed, status " + std::to_string(status));
  return output;
}

void take_line(const std::string& line, std::vector<Reply>& replies) {
  std::istringstream fields(line);
  std::string verb;
  size_t id = 0;
  fields >> verb;
  if (verb == protocol::kReady) return;
  fields >> id;
  if (!fields || id >= replies.size()) throw std::runtime_error("unexpected reply: " + line);
  Reply& reply = replies[id];
  if (verb == protocol::kToken) {
    int token = -1;
    std::string logprob;
    std::string piece;
    fields >> token >> logprob;
    fields.get();
    std::getline(fields, piece);
    reply.tokens.push_back(token);
    reply.logprobs.push_back(std::strtod(logprob.c_str(), nullptr));
    reply.pieces.push_back(protocol::unescape(piece));
  } else if (verb == protocol::kEnd) {
    fields >> reply.reported_prompt >> reply.reported_generated;
  } else {
    throw std::runtime_error("unexpected reply: " + line);
  }
}

void take_dump_line(const std::string& line, std::vector<Reply>& replies) {
  const char* at = line.c_str() + 1;
  char* end = nullptr;
  const size_t id = std::strtoul(at, &end, 10);
  if (end == at || id >= replies.size()) throw std::runtime_error("the dump has a strange line");
  std::vector<double> values;
  for (at = end;; at = end) {
    const double value = std::strtod(at, &end);
    if (end == at) break;
    values.push_back(value);
  }
  if (line[0] == 'P') {
    replies[id].prompt_tokens.assign(values.begin(), values.end());
  } else {
    replies[id].logits.push_back(std::move(values));
  }
}

}  // namespace

std::vector<Reply> run_server(const RunOptions& options, const std::vector<Prompt>& prompts) {
  std::remove(options.dump_path.c_str());
  std::vector<Reply> replies(prompts.size());
  std::istringstream output(converse(options, requests_text(prompts)));
  std::string line;
  while (std::getline(output, line)) take_line(line, replies);
  std::ifstream dump(options.dump_path);
  if (!dump) throw std::runtime_error("the server left no " + options.dump_path);
  while (std::getline(dump, line)) take_dump_line(line, replies);
  return replies;
}

}  // namespace llm::check
