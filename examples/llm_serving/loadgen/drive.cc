// SPDX-License-Identifier: Apache-2.0

#include "drive.h"

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <string>

#include "llm/protocol.h"

namespace llm::loadgen {
namespace {

using Clock = std::chrono::steady_clock;

double ms_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

struct InFlight {
  Clock::time_point last_event;  // sent, or the newest token
  int tokens = 0;
  bool is_done = false;
};

class Driver {
 public:
  Driver(ServerProcess& server, const std::vector<PlannedRequest>& requests, int concurrency)
      : server_(server), requests_(requests), flights_(requests.size()) {
    result_.concurrency = concurrency;
  }

  LevelResult run() {
    const auto start = Clock::now();
    while (next_ < requests_.size() && static_cast<int>(next_) < result_.concurrency) send_next();
    while (result_.requests_completed < static_cast<int>(requests_.size())) {
      take(server_.receive());
    }
    result_.seconds = ms_between(start, Clock::now()) / 1000.0;
    return std::move(result_);
  }

 private:
  void send_next() {
    if (next_ == requests_.size()) return;
    const PlannedRequest& request = requests_[next_];
    flights_[next_].last_event = Clock::now();
    server_.send(std::string(protocol::kGenerate) + ' ' + std::to_string(next_) + ' ' +
                 std::to_string(request.max_tokens) + ' ' + protocol::escape(request.prompt));
    ++next_;
  }

  void take(const std::string& line) {
    std::istringstream fields(line);
    std::string verb;
    size_t id = 0;
    fields >> verb >> id;
    if (!fields || id >= next_ || flights_[id].is_done) fail(line);
    if (verb == protocol::kToken) {
      take_token(flights_[id]);
    } else if (verb == protocol::kEnd) {
      int prompt_tokens = 0;
      int generated = 0;
      fields >> prompt_tokens >> generated;
      const int wanted = requests_[id].max_tokens;
      if (!fields || generated != wanted || flights_[id].tokens != wanted) fail(line);
      flights_[id].is_done = true;
      result_.prompt_tokens += prompt_tokens;
      ++result_.requests_completed;
      send_next();
    } else {
      fail(line);
    }
  }

  void take_token(InFlight& flight) {
    const auto now = Clock::now();
    auto& delays = flight.tokens == 0 ? result_.ttft_ms : result_.itl_ms;
    delays.push_back(ms_between(flight.last_event, now));
    flight.last_event = now;
    ++flight.tokens;
    ++result_.tokens_generated;
  }

  [[noreturn]] static void fail(const std::string& line) {
    throw std::runtime_error("unexpected reply: " + line);
  }

  ServerProcess& server_;
  const std::vector<PlannedRequest>& requests_;
  std::vector<InFlight> flights_;
  size_t next_ = 0;
  LevelResult result_;
};

}  // namespace

LevelResult drive_level(ServerProcess& server, const std::vector<PlannedRequest>& requests,
                        int concurrency) {
  return Driver(server, requests, concurrency).run();
}

}  // namespace llm::loadgen
