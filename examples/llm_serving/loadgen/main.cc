// SPDX-License-Identifier: Apache-2.0

// loadgen --server PATH [options] [-- SERVER_OPTION...]: starts a server, loads it, reports JSON.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "drive.h"
#include "llm/protocol.h"
#include "report.h"
#include "server_process.h"
#include "workload.h"

namespace {

using namespace llm::loadgen;

constexpr char kUsage[] = R"(usage: loadgen --server PATH [options] [-- server options]
  --seed N                  prompts and lengths come from it (default: 1)
  --prompt-words MIN:MAX    words in a prompt (default: 24:80)
  --new-tokens MIN:MAX      tokens to generate (default: 40:88)
  --levels C:N,...          C clients at once send N requests in all (default: 1:1,4:4,12:12)
  --json FILE               write the result there too
)";

struct Arguments {
  std::vector<std::string> command;
  std::string json_path;
  WorkloadOptions workload;
};

Range parse_pair(const std::string& text) {
  std::istringstream in(text);
  Range range;
  char colon = 0;
  if (!(in >> range.min >> colon >> range.max) || colon != ':' || !in.eof() || range.min < 1) {
    throw std::runtime_error("not two numbers A:B: " + text);
  }
  return range;
}

Range parse_range(const std::string& text) {
  const Range range = parse_pair(text);
  if (range.max < range.min) throw std::runtime_error("an empty range: " + text);
  return range;
}

std::vector<Level> parse_levels(const std::string& text) {
  std::vector<Level> levels;
  std::istringstream in(text);
  std::string pair;
  while (std::getline(in, pair, ',')) {
    const Range level = parse_pair(pair);
    levels.push_back({level.min, level.max});
  }
  return levels;
}

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  std::string server;
  std::vector<std::string> server_options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--") {
      server_options.assign(argv + i + 1, argv + argc);
      break;
    }
    if (i + 1 == argc) throw std::runtime_error(name + " takes a value");
    const std::string value = argv[++i];
    if (name == "--server")
      server = value;
    else if (name == "--seed")
      arguments.workload.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--prompt-words")
      arguments.workload.prompt_words = parse_range(value);
    else if (name == "--new-tokens")
      arguments.workload.new_tokens = parse_range(value);
    else if (name == "--levels")
      arguments.workload.levels = parse_levels(value);
    else if (name == "--json")
      arguments.json_path = value;
    else
      throw std::runtime_error("unknown option " + name);
  }
  if (server.empty()) throw std::runtime_error("--server is missing");
  arguments.command.push_back(server);
  for (const std::string& option : server_options) arguments.command.push_back(option);
  return arguments;
}

std::string run(const Arguments& arguments) {
  const auto plan = plan_workload(arguments.workload);
  const auto start = std::chrono::steady_clock::now();
  ServerProcess server(arguments.command);
  if (server.receive() != llm::protocol::kReady) throw std::runtime_error("no READY");
  const std::chrono::duration<double, std::milli> startup =
      std::chrono::steady_clock::now() - start;
  std::vector<LevelResult> results;
  for (size_t i = 0; i < plan.size(); ++i) {
    results.push_back(drive_level(server, plan[i], arguments.workload.levels[i].concurrency));
  }
  if (server.stop() != 0) throw std::runtime_error("the server failed at its end");
  return to_json(results, startup.count());
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  if (argc == 1 || std::string(argv[1]) == "--help") {
    std::cout << kUsage;
    return argc == 1 ? 2 : 0;
  }
  try {
    const Arguments arguments = parse_arguments(argc, argv);
    const std::string json = run(arguments);
    std::cout << json;
    if (!arguments.json_path.empty()) std::ofstream(arguments.json_path) << json;
  } catch (const std::exception& error) {
    std::cerr << "loadgen: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
