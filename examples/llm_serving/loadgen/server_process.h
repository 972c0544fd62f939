// SPDX-License-Identifier: Apache-2.0

// A server started as a child, its stdin and stdout as pipes. Its stderr is ours.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace llm::loadgen {

class ServerProcess {
 public:
  // Throws std::runtime_error where the process cannot be started.
  explicit ServerProcess(const std::vector<std::string>& command);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  // Throws std::runtime_error where the server has gone.
  void send(const std::string& line);
  // The next line, without its end. Throws std::runtime_error where the server has gone.
  std::string receive();
  // Closes the server's stdin and waits for its end; returns its exit status.
  int stop();

 private:
  pid_t pid_ = -1;
  int to_server_ = -1;
  int from_server_ = -1;
  std::string buffer_;
  size_t consumed_ = 0;
};

}  // namespace llm::loadgen
