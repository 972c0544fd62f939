// SPDX-License-Identifier: Apache-2.0

#include "server_process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace llm::loadgen {

ServerProcess::ServerProcess(const std::vector<std::string>& command) {
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
    throw std::runtime_error("cannot make a pipe");
  }
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_server_ = in[1];
  from_server_ = out[0];
}

ServerProcess::~ServerProcess() { stop(); }

void ServerProcess::send(const std::string& line) {
  const std::string text = line + '\n';
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(to_server_, text.data() + done, text.size() - done);
    if (n <= 0) throw std::runtime_error("the server no longer reads");
    done += static_cast<size_t>(n);
  }
}

std::string ServerProcess::receive() {
  while (true) {
    const size_t end = buffer_.find('\n', consumed_);
    if (end != std::string::npos) {
      std::string line = buffer_.substr(consumed_, end - consumed_);
      consumed_ = end + 1;
      return line;
    }
    buffer_.erase(0, consumed_);
    consumed_ = 0;
    char chunk[16384];
    const ssize_t n = read(from_server_, chunk, sizeof chunk);
    if (n <= 0) throw std::runtime_error("the server ended early");
    buffer_.append(chunk, static_cast<size_t>(n));
  }
}

int ServerProcess::stop() {
  if (pid_ < 0) return 0;
  close(to_server_);
  close(from_server_);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace llm::loadgen
