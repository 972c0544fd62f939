// SPDX-License-Identifier: Apache-2.0

// check --server PATH [--seed N] [--out DIR] [-- SERVER_OPTION...]: exit 0 if the server is right.
// Writes DIR/logits.txt, the logits as the server gave them, for a comparison of two servers.
#include <sys/stat.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "compare.h"
#include "reference.h"
#include "reference_tokenizer.h"
#include "server_run.h"

namespace {

using namespace llm::check;

struct Arguments {
  std::string model = "data/dense_f32.bin";
  std::string out = "out";
  uint64_t seed = 1;
  std::vector<std::string> command;
};

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  std::string server;
  int i = 1;
  for (; i + 1 < argc && std::string(argv[i]) != "--"; i += 2) {
    const std::string name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--server")
      server = value;
    else if (name == "--model")
      arguments.model = value;
    else if (name == "--out")
      arguments.out = value;
    else if (name == "--seed")
      arguments.seed = std::strtoull(value.c_str(), nullptr, 10);
    else
      throw std::runtime_error("unknown option " + name);
  }
  if (server.empty()) {
    throw std::runtime_error(
        "usage: check --server PATH [--model FILE] [--seed N] [--out DIR] [-- server options]");
  }
  arguments.command = {server, "--model", arguments.model};
  for (++i; i < argc; ++i) arguments.command.push_back(argv[i]);
  return arguments;
}

// Short prompts and long, one that is a single byte, one of bytes that no merge knows; more of them
// than the server's default batch, so that slots are used again.
std::vector<Prompt> make_prompts(uint64_t seed) {
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
  const auto below = [&state](uint64_t n) {  // xorshift64* (Vigna 2016)
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * 0x2545f4914f6cdd1du >> 33) % n;
  };
  static const std::string kConsonants = "bdfghklmnprstvwyz";
  static const std::string kVowels = "aeiou";
  std::vector<Prompt> prompts;
  for (const int words : {2, 40, 5, 12, 60, 1, 8}) {
    std::string text;
    for (int w = 0; w < words; ++w) {
      if (w > 0) text += ' ';
      for (uint64_t left = 1 + below(3); left > 0; --left) {
        text += kConsonants[below(kConsonants.size())];
        text += kVowels[below(kVowels.size())];
      }
    }
    prompts.push_back({text, 4 + static_cast<int>(below(8))});
  }
  prompts.push_back({std::string(1, static_cast<char>('a' + below(26))), 6});
  std::string bytes;
  for (int i = 0; i < 20; ++i) bytes += static_cast<char>(below(256));
  prompts.push_back({bytes, 5});
  return prompts;
}

bool run(const Arguments& arguments) {
  const Reference reference(arguments.model);
  const ReferenceTokenizer tokenizer(arguments.model + ".merges");
  const std::vector<Prompt> prompts = make_prompts(arguments.seed);
  mkdir(arguments.out.c_str(), 0777);
  const auto replies = run_server({arguments.command, arguments.out + "/server_dump.txt"}, prompts);
  const Comparison result = compare(prompts, replies, reference, tokenizer);

  std::ofstream logits(arguments.out + "/logits.txt");
  for (const std::string& line : result.stable_logits) logits << line << '\n';
  logits.close();
  if (!logits) throw std::runtime_error("cannot write " + arguments.out + "/logits.txt");

  for (size_t i = 0; i < result.failures.size() && i < 10; ++i) {
    std::cout << "wrong: " << result.failures[i] << '\n';
  }
  const bool is_right = result.failures.empty();
  std::cout << (is_right ? "right" : "WRONG") << ": prompts=" << prompts.size()
            << " tokens=" << result.tokens << " differing=" << result.differing
            << " failures=" << result.failures.size() << " max_error=" << result.max_error
            << " tolerance=" << kTolerance << '\n';
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse_arguments(argc, argv)) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "check: " << error.what() << '\n';
    return 1;
  }
}
